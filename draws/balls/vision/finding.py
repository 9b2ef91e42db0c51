"""Find what the exit area holds: nothing, one whole ball and where, two, a part, something else.

What differs from the empty area is compared with a disc of the ball's size: how much of a circle is
edge, and where the circle that fits it lies. All of it is done on a small copy, on which a ball has
a radius of at most `WORKING` pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision import exit_area
from draws.balls.vision.exit_area import Area
from draws.balls.vision.values import Picture, Reals, Sight, Spot

RAYS = 48
REACH = np.linspace(0.8, 1.2, 17).astype(np.float32)  # radii at which a ray is looked at
TURNS = np.arange(RAYS) * (2 * np.pi / RAYS)
RIGHT, DOWN = np.cos(TURNS).astype(np.float32), np.sin(TURNS).astype(np.float32)
EDGE = 6.0  # grey levels a pixel, the least step that is an edge
NEAR = 0.07  # radii an edge may lie off the fitted circle


@dataclass(frozen=True, slots=True)
class Rim:
    """A circle in pixels and the share of it, 0 to 1, that is edge."""

    x: float
    y: float
    radius: float
    share: float


def fit(plane: Picture, x: float, y: float, radius: float, *, edge: float = EDGE) -> Rim:
    """Lay the circle near x, y over the edges that face its middle; plane is (height, width).

    `edge` in levels a pixel: a lesser step is none.
    """
    levels = _rays(plane, x, y, radius)
    steps = np.abs(levels[:, 2:] - levels[:, :-2]) / (2 * radius * float(REACH[1] - REACH[0]))
    best = steps.argmax(axis=1)
    strong = steps[np.arange(RAYS), best] > edge
    if strong.sum() < RAYS // 4:
        return Rim(x, y, radius, float(strong.mean()))
    found = REACH[1:-1][best] * radius
    at_x, at_y = RIGHT * found, DOWN * found
    shift_x, shift_y, size = _circle(at_x, at_y, strong, radius)
    off = np.abs(np.hypot(at_x - shift_x, at_y - shift_y) - size)
    share = float((strong & (off < NEAR * radius)).mean())
    return Rim(x + shift_x, y + shift_y, size, share)


def _rays(plane: Picture, x: float, y: float, radius: float) -> Reals:
    at_x = (x + RIGHT[:, None] * REACH * radius).astype(np.float32)
    at_y = (y + DOWN[:, None] * REACH * radius).astype(np.float32)
    seen = cv2.remap(plane, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float32)


def _circle(x: Reals, y: Reals, kept: Reals, radius: float) -> tuple[float, float, float]:
    """Least squares over the rays kept, twice: the second time without those far off."""
    shift_x = shift_y = 0.0
    size = radius
    for limit in (0.2, 0.1):
        off = np.abs(np.hypot(x - shift_x, y - shift_y) - size)
        used = kept & (off < limit * radius)
        if used.sum() < RAYS // 4:
            break
        at = np.stack([x[used], y[used], np.ones(used.sum(), np.float32)], axis=1)
        solved = np.linalg.lstsq(at, x[used] ** 2 + y[used] ** 2, rcond=None)[0]
        shift_x, shift_y = float(solved[0] / 2), float(solved[1] / 2)
        size = float(np.sqrt(max(solved[2] + shift_x**2 + shift_y**2, 1.0)))
    return shift_x, shift_y, size


WORKING = 20.0  # pixels
MARGIN = 0.3  # radii seen around the area, where a ball is cut off
DIFFERENT = 26  # grey levels of one colour that are no noise and no faint shadow
NOTHING = 0.12  # of a disc: less than this is nothing
REST = 0.30  # of a disc: more than this beside a ball is another thing
ROUND = 0.62  # share of the rim that must be edge
SIZES = (0.82, 1.18)  # of the expected radius
EMPTY = Sight("empty")
SMALL, LARGE = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)


class Finder:
    """Looks for balls in one area; holds nothing that grows."""

    def __init__(self, area: Area) -> None:
        """Prepare the kernels and the empty area for comparison.

        Raises Refusal bad_camera_settings(field) when that is none of this area's size.
        """
        self.area = area
        left, top, right, bottom = area.box
        self.scale = min(1.0, WORKING / area.radius)
        self.radius = area.radius * self.scale
        self._disc_area = np.pi * self.radius**2
        margin = round(MARGIN * area.radius)
        self.left, self.top = max(0, left - margin), max(0, top - margin)
        self.right = min(area.size[0], right + margin)
        self.bottom = min(area.size[1], bottom + margin)
        wide = max(8, round((self.right - self.left) * self.scale))
        high = max(8, round((self.bottom - self.top) * self.scale))
        self.shape = (wide, high)
        self._inside = self._polygon()
        self._disc, self._ring = _kernels(self.radius)
        empty = exit_area.decode(area.empty)
        if empty is not None and empty.shape != (high, wide, 3):
            raise Refusal("bad_camera_settings", field="empty")
        self._empty = empty

    def crop(self, picture: Picture) -> Picture:
        """Return the small copy of the exit area, (height, width, 3)."""
        part = picture[self.top : self.bottom, self.left : self.right]
        return cv2.resize(part, self.shape, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]

    def look(self, small: Picture) -> Sight:
        """Tell what a small copy holds."""
        if self._empty is None:
            return self._without_reference(small)
        gain = _gain(small, self._empty)
        change = self._change(small, gain)
        mask = self._mask(change, DIFFERENT * min(1.0, gain))
        if float(mask.sum()) < NOTHING * self._disc_area:
            return EMPTY
        found = self._round(small, change, mask, gain)
        return self._judge(mask, found) if found else self._no_disc(mask)

    def _round(self, small: Picture, change: Picture, mask: Reals, gain: float) -> Rim | None:
        """Fit a circle where a disc explains the mask best, in what changed or in the light."""
        _low, _best, _where, (x, y) = cv2.minMaxLoc(self._score(mask))
        edge = EDGE * min(1.0, gain)
        for plane in (change, grey(small)):
            found = fit(plane, float(x), float(y), self.radius, edge=edge)
            if SIZES[0] < found.radius / self.radius < SIZES[1] and found.share >= ROUND:
                return found
        return None

    def _judge(self, mask: Reals, found: Rim) -> Sight:
        rest = mask.copy()
        cv2.circle(rest, _whole(found.x, found.y), round(found.radius * 1.15), 0.0, -1)
        if float(rest.sum()) > REST * self._disc_area:
            return self._beside(rest)
        if not self._is_whole(found):
            return Sight("partial")
        return Sight("ball", self._spot(found))

    def _beside(self, rest: Reals) -> Sight:
        """Tell a second ball from another thing by what lies beside the first."""
        cover = cv2.filter2D(rest, -1, self._disc, borderType=cv2.BORDER_CONSTANT)
        _low, _best, _where, (x, y) = cv2.minMaxLoc(cover)
        left = rest.copy()
        cv2.circle(left, (x, y), round(self.radius * 1.2), 0.0, -1)
        explained = float(left.sum()) < REST * self._disc_area
        return Sight("several" if explained else "other")

    def _no_disc(self, mask: Reals) -> Sight:
        """Tell a ball coming or going, which is cut off by the area's edge, from other things."""
        if float(mask.sum()) < 0.9 * self._disc_area:
            return Sight("partial")
        return Sight("other")

    def _change(self, small: Picture, gain: float) -> Picture:
        """Return by how many grey levels the colour that changed most did, (height, width)."""
        assert self._empty is not None
        was = cv2.convertScaleAbs(self._empty, alpha=gain)
        blue, green, red = cv2.split(cv2.absdiff(small, was))
        return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]

    def _mask(self, change: Picture, least: float) -> Reals:
        mask = ((change > least) & (self._inside > 0)).astype(np.uint8)
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, SMALL)
        closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, LARGE)
        return self._filled(np.asarray(closed, np.uint8)).astype(np.float32)

    def _filled(self, mask: Picture) -> Picture:
        """Fill the holes: a print of the background's colour is still of the ball."""
        outer, _tree = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        least = 0.05 * self._disc_area
        kept = [line for line in outer if cv2.contourArea(line) > least]
        full = np.zeros_like(mask)
        return cv2.drawContours(full, kept, -1, 1, cv2.FILLED)  # type: ignore[return-value]

    def _score(self, mask: Reals) -> Reals:
        """Return at each middle how well a disc explains the mask."""
        inside = cv2.filter2D(mask, -1, self._disc, borderType=cv2.BORDER_CONSTANT)
        around = cv2.filter2D(mask, -1, self._ring, borderType=cv2.BORDER_CONSTANT)
        return inside - 0.5 * around

    def _without_reference(self, small: Picture) -> Sight:
        plane = grey(small)
        least, most = int(self.radius * SIZES[0]), int(self.radius * SIZES[1]) + 1
        circles = cv2.HoughCircles(
            plane, cv2.HOUGH_GRADIENT, 1.5, self.radius, param1=80, param2=18,
            minRadius=least, maxRadius=most,
        )  # fmt: skip
        if circles is None:
            return EMPTY
        found = [
            fit(plane, float(x), float(y), self.radius)
            for x, y, _size in circles.reshape(-1, 3)[:4]
        ]
        found = [each for each in found if each.share >= ROUND and self._is_whole(each)]
        if not found:
            return EMPTY
        best = max(found, key=lambda each: each.share)
        apart = [
            each for each in found if np.hypot(each.x - best.x, each.y - best.y) > 0.8 * self.radius
        ]
        return Sight("several") if apart else Sight("ball", self._spot(best))

    def _is_whole(self, found: Rim) -> bool:
        """Return whether a ball's middle is in the area, a little more than a half of it inside."""
        x, y = _whole(found.x, found.y)
        wide, high = self.shape
        reach = 0.9 * found.radius
        inside = reach <= found.x <= wide - reach and reach <= found.y <= high - reach
        return inside and self._inside[y, x] > 0

    def _spot(self, found: Rim) -> Spot:
        # The middle of a small pixel lies in the middle of the large ones it stands for.
        across = (self.right - self.left) / self.shape[0]
        down = (self.bottom - self.top) / self.shape[1]
        x = self.left + (found.x + 0.5) * across - 0.5
        y = self.top + (found.y + 0.5) * down - 0.5
        return Spot(x, y, found.radius * across)

    def _polygon(self) -> Picture:
        wide, high = self.shape
        across, down = wide / (self.right - self.left), high / (self.bottom - self.top)
        corners = [
            (round((x - self.left) * across), round((y - self.top) * down))
            for x, y in self.area.corners
        ]
        full = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(full, [np.array(corners, np.int32)], 1)
        return full


def _kernels(radius: float) -> tuple[Reals, Reals]:
    """Return a disc and the ring around it, each summing to 1."""
    reach = int(np.ceil(radius * 1.35))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    far = np.hypot(x, y)
    disc = (far <= radius * 0.96).astype(np.float32)
    ring = ((far > radius * 1.1) & (far <= radius * 1.3)).astype(np.float32)
    return disc / disc.sum(), ring / ring.sum()


def _gain(small: Picture, empty: Picture) -> float:
    """Return how much lighter it is than it was; what covers less than a half does not count."""
    now, before = small[..., 1].ravel()[::3], empty[..., 1].ravel()[::3]
    used = before > 20
    if used.sum() < 20:
        return 1.0
    ratio = float(np.median(now[used] / before[used]))
    return min(max(ratio, 0.4), 2.0)


def grey(picture: Picture) -> Picture:
    """Return a picture without its colours, (height, width)."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]


def _whole(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)
