"""The background of a camera: the still scene made small, with which every later frame is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision import exit_area
from draws.balls.vision.exit_area import Area
from draws.balls.vision.values import Picture, Reals

WIDTH = 320  # pixels of the small scene at most
BALL = 16.0  # pixels of a ball's radius in it
ROWS, COLUMNS = 6, 10  # tiles that are judged one by one
LIVELY = 4.0  # grey levels: what varies more in time is no part of the still scene
TEXTURE = 3.0  # grey levels of variation, the least a tile needs to be recognised
ENOUGH = 0.5  # share of a tile's pixels that stand still
EDGE = 8  # part of the frame at each side over which the scene is sought
SEEN = 0.1  # share of the middle that must stand still for the scene to be sought elsewhere
RECOGNISED = 0.6  # correlation with the scene from which it is the same


@dataclass(frozen=True, slots=True)
class Difference:
    """How a frame differs from the still scene.

    `alike` the share of tiles that show the same, 0 to 1; `shift` the middle tile's movement in
    pixels of the frame; `light` the mean grey against what it was.
    """

    alike: float
    shift: float
    light: float


class Still:
    """Compares frames with the scene an area was set on."""

    def __init__(self, area: Area) -> None:
        """Prepare the tiles; `tiles` is 0 where the scene has nothing to recognise it by.

        Raises Refusal bad_camera_settings(field) when scene or mask are none of this area's size.
        """
        self.shape = shape(area)
        self.scale = area.size[0] / self.shape[0]
        self.tiles = 0
        scene, mask = exit_area.decode(area.still), exit_area.decode(area.mask)
        for field, picture in (("still", scene), ("mask", mask)):
            if picture is not None and picture.shape != self.shape[::-1]:
                raise Refusal("bad_camera_settings", field=field)
        if scene is None:
            return
        self.before = _soft(scene)
        still = np.ones(scene.shape, np.float32) if mask is None else (mask > 0).astype(np.float32)
        self._plain = still * _outside(area, self.shape, self.scale)
        self.weight = _cells(self._plain)
        self.light = max(1.0, _mean(scene, still))
        self._still = still
        self._prepare()

    def compare(self, picture: Picture) -> Difference:
        """Tell how a frame differs; costs about a millisecond."""
        scene = small(picture, self.shape)
        light = _mean(scene, self._still) / self.light
        now = _cells(_soft(scene))[self._used]
        weight, was = self._w, self._was
        total = weight.sum(axis=(1, 2))
        now = (now - ((now * weight).sum(axis=(1, 2)) / total)[:, None, None]) * weight
        power = (now**2).sum(axis=(1, 2))
        product = (now * was).sum(axis=(1, 2))
        likeness = product / np.sqrt(np.maximum(power * self._power, 1e-6))
        faint = power < 0.02 * self._power
        shift = self._shift(now, product)
        alike = float(((likeness > 0.6) & ~faint).mean())
        return Difference(alike, shift * self.scale, light)

    def moved(self, picture: Picture) -> float | None:
        """Seek the scene elsewhere in the frame; some milliseconds.

        Give how far it has moved in pixels of the frame, None where it is not to be seen.
        """
        scene = _soft(small(picture, self.shape))
        high, wide = scene.shape
        part = (slice(high // EDGE, high - high // EDGE), slice(wide // EDGE, wide - wide // EDGE))
        weight = np.ascontiguousarray(self._plain[part])
        if float(weight.mean()) < SEEN:
            return None
        core = np.ascontiguousarray(self.before[part])
        found = cv2.matchTemplate(scene, core, cv2.TM_CCOEFF_NORMED, mask=weight)
        found = np.nan_to_num(found, nan=-1.0, posinf=-1.0, neginf=-1.0)
        _low, most, _where, (x, y) = cv2.minMaxLoc(found)
        if most < RECOGNISED:
            return None
        return float(np.hypot(x - wide // EDGE, y - high // EDGE)) * self.scale

    def _prepare(self) -> None:
        was = _cells(self.before)
        enough = self.weight.mean(axis=(1, 2)) > ENOUGH
        total = np.maximum(self.weight.sum(axis=(1, 2)), 1)
        mean = (was * self.weight).sum(axis=(1, 2)) / total
        was = (was - mean[:, None, None]) * self.weight
        lively = np.sqrt((was**2).sum(axis=(1, 2)) / total) > TEXTURE
        self._used = np.flatnonzero(enough & lively)
        self.tiles = len(self._used)
        self._was, self._w = was[self._used], self.weight[self._used]
        self._power = (self._was**2).sum(axis=(1, 2))
        right = _cells(_slope(self.before, across=1))[self._used] * self._w
        down = _cells(_slope(self.before, across=0))[self._used] * self._w
        self._right, self._down = right, down
        xx, yy = (right**2).sum(axis=(1, 2)), (down**2).sum(axis=(1, 2))
        xy = (right * down).sum(axis=(1, 2))
        # A tile of edges in one direction only says nothing of the other.
        self._xx, self._yy, self._xy = xx + 1, yy + 1, xy
        self._sure = xx * yy - xy**2 > 0.02 * (xx + yy) ** 2

    def _shift(self, now: Reals, product: Reals) -> float:
        """Return the middle movement of the tiles in small pixels, by their gradients."""
        if self._sure.sum() < 3:
            return 0.0
        gain = product / np.maximum(self._power, 1e-6)
        change = now - gain[:, None, None] * self._was
        right = -(change * self._right).sum(axis=(1, 2))
        down = -(change * self._down).sum(axis=(1, 2))
        whole = (self._xx * self._yy - self._xy**2) * np.maximum(gain, 0.05)
        x = (self._yy * right - self._xy * down) / whole
        y = (self._xx * down - self._xy * right) / whole
        return float(np.hypot(np.median(x[self._sure]), np.median(y[self._sure])))


def shape(area: Area) -> tuple[int, int]:
    """Return the width and height of an area's small scene."""
    wide = min(WIDTH, max(10 * COLUMNS, round(area.size[0] * BALL / area.radius)))
    return wide, max(8 * ROWS, round(area.size[1] * wide / area.size[0]))


def small(picture: Picture, shape: tuple[int, int]) -> Picture:
    """Return a frame grey and small."""
    # Every second line first: half the work, and what is judged is coarse.
    step = 2 if picture.shape[1] >= 2 * shape[0] else 1
    less = cv2.resize(picture[::step, ::step], shape, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(less, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]


def learn(area: Area, pictures: Sequence[Picture]) -> tuple[Picture, Picture]:
    """Return the still scene of some frames, and 255 where it stands still in them, else 0."""
    stack = np.stack([small(picture, shape(area)) for picture in pictures])
    scene = np.median(stack, axis=0).astype(np.uint8)
    if len(pictures) < 3:
        return scene, np.full(scene.shape, 255, np.uint8)
    lively = stack.std(axis=0).astype(np.float32)
    calm = (lively < LIVELY).astype(np.uint8) * 255
    return scene, cv2.erode(calm, np.ones((5, 5), np.uint8))  # type: ignore[return-value]


def _outside(area: Area, shape: tuple[int, int], scale: float) -> Reals:
    outside = np.ones(shape[::-1], np.float32)
    corners = np.array(area.corners, np.float32) / scale
    cv2.fillPoly(outside, [np.round(corners).astype(np.int32)], 0.0)
    if area.patch:
        x, y, wide, high = (round(value / scale) for value in area.patch)
        outside[max(0, y - 1) : y + high + 2, max(0, x - 1) : x + wide + 2] = 0
    return outside


def _soft(scene: Picture) -> Reals:
    return cv2.GaussianBlur(scene, (0, 0), 1.6).astype(np.float32)


def _slope(plane: Reals, *, across: int) -> Reals:
    slope = cv2.Sobel(plane, cv2.CV_32F, across, 1 - across, ksize=3, scale=1 / 8)
    return np.asarray(slope, np.float32)


def _mean(scene: Picture, still: Reals) -> float:
    return float((scene * still).sum() / max(1.0, float(still.sum())))


def _cells(plane: Reals) -> Reals:
    """Cut a plane into tiles: (ROWS × COLUMNS, height, width); what is left over is dropped."""
    high, wide = plane.shape[0] // ROWS, plane.shape[1] // COLUMNS
    cut = plane[: high * ROWS, : wide * COLUMNS].reshape(ROWS, high, COLUMNS, wide)
    return np.ascontiguousarray(cut.transpose(0, 2, 1, 3)).reshape(-1, high, wide)
