"""Sets up a camera: finds the ball on a still, learns the empty scene, says what is amiss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from draws.vision import area as settings
from draws.vision import health, rim, still
from draws.vision.area import Area
from draws.vision.finding import Finder
from draws.vision.values import Picture, Spot

WORKING = 480  # pixels of the longer side on which circles are sought
SHARES = (0.035, 0.24)  # of the longer side: the least and the largest radius of a ball
BAND = 1.35  # the largest radius of one search against the least
LIKELY = 0.6  # share of the rim that must be edge
FEW = 8  # pairs of frames that prove something of their grain
GRID, GRAINY = 8, 0.8  # parts of each side, and the share of parts that differ where there is grain
LIVELY = 40.0  # grey levels by which what always moves changes
GOOD_LIGHT = (60.0, 215.0)  # mean grey level around the ball
GOOD_FOCUS = 14.0  # mean of the strongest steps that a sharp picture has
GOOD_RADIUS = 32.0  # pixels from which both digits are read well


@dataclass(frozen=True, slots=True)
class Advice:
    """What is amiss with how a camera stands, as a code, and the figure that says so."""

    code: str
    value: float


def suggest(
    picture: Picture, *, at_most: int = 8, shares: tuple[float, float] = SHARES
) -> list[Spot]:
    """Give the likeliest balls of a still, (h, w, 3) or grey, the one with the wholest rim first.

    `shares` of the longer side are the least and the largest radius. Circles within each other, as
    a ball in a cup, are both given.
    """
    scale = min(1.0, WORKING / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    # A ball may be as light as its ground and yet of another colour.
    planes = cv2.split(small) if small.ndim == 3 else [small]
    found: list[rim.Rim] = []
    for plane in planes:
        least, most = (share * max(plane.shape) for share in shares)
        while least < most:
            found += _circles(cv2.medianBlur(plane, 3), least, min(least * BAND, most))  # type: ignore[arg-type]
            least *= BAND
    found.sort(key=lambda each: -each.share)
    return _apart([Spot(one.x / scale, one.y / scale, one.radius / scale) for one in found])[
        :at_most
    ]


def _circles(plane: Picture, least: float, most: float) -> list[rim.Rim]:
    """Give the circles of a narrow band of radii: of circles within each other one search gives one."""
    circles = cv2.HoughCircles(
        plane, cv2.HOUGH_GRADIENT_ALT, 1.5, least / 2, param1=70, param2=0.6,
        minRadius=round(least), maxRadius=round(most),
    )  # fmt: skip
    if circles is None:
        return []
    fitted = [
        rim.fit(plane, float(x), float(y), float(radius))
        for x, y, radius in circles.reshape(-1, 3)[:20]
    ]
    return [each for each in fitted if each.share > LIKELY]


def learn(
    area: Area, pictures: Sequence[Picture], *, empty: Sequence[Picture] | None = None
) -> Area:
    """Give an area with what frames teach: light, focus, the still scene, the area without a ball.

    `pictures` are frames of a second or more; one will do, but then nothing is known of what
    moves. `empty` are those of them without a ball, by default all.
    """
    without = pictures if empty is None else empty
    scene, mask = still.learn(area, pictures)
    light = float(scene[mask > 0].mean()) if (mask > 0).any() else float(scene.mean())
    return replace(
        area,
        light=light,
        focus=float(np.median([health.sharpness(picture, area) for picture in pictures[:9]])),
        noisy=_is_noisy(pictures),
        still=settings.encode(scene),
        mask=settings.encode(mask),
        empty=_empty(area, without) if len(without) else b"",
    )


def require_usable(document: Mapping[str, Any]) -> None:
    """Read settings back as the process that watches will, before they are stored.

    Raises Refusal bad_camera_settings(field).
    """
    area = settings.read(document)
    Finder(area)
    still.Still(area)


def lively(run: Sequence[Picture], step: int) -> tuple[int, int, int, int] | None:
    """Suggest a patch that always moves: x, y, width, height, or None where nothing does.

    `run` are grey frames in a row, of three seconds or more, every `step`-th pixel of them; the
    patch changed in each third.
    """
    if len(run) < 24:
        return None
    parts = np.array_split(np.stack(run).astype(np.float32), 3)
    changes = np.min([part.max(axis=0) - part.min(axis=0) for part in parts], axis=0)
    changes = cv2.boxFilter(changes, -1, (7, 7))
    _low, most, _where, (x, y) = cv2.minMaxLoc(changes)
    if most < LIVELY:
        return None
    size = 8 * step
    height, width = (side * step for side in run[0].shape)
    left = min(max(0, x * step - size // 2), width - size - step)
    top = min(max(0, y * step - size // 2), height - size - step)
    return left, top, size, size


def _empty(area: Area, pictures: Sequence[Picture]) -> bytes:
    finder = Finder(replace(area, empty=b""))
    crops = np.stack([finder.crop(picture) for picture in pictures])
    return settings.encode(np.median(crops, axis=0).astype(np.uint8))


def advise(picture: Picture, area: Area) -> list[Advice]:
    """Tell what is amiss: too_dark, too_light, not_sharp, too_small, too_near_edge, featureless."""
    left, top, right, bottom = area.box
    grey = float(_grey(picture[top:bottom, left:right]).mean())
    focus = health.sharpness(picture, area)
    near = min(left, top, area.size[0] - right, area.size[1] - bottom)
    found = []
    if grey < GOOD_LIGHT[0]:
        found.append(Advice("too_dark", grey))
    if grey > GOOD_LIGHT[1]:
        found.append(Advice("too_light", grey))
    if focus < GOOD_FOCUS:
        found.append(Advice("not_sharp", focus))
    if area.radius < GOOD_RADIUS:
        found.append(Advice("too_small", area.radius))
    if near <= 0:
        found.append(Advice("too_near_edge", float(near)))
    if area.still and still.Still(area).tiles < 6:
        found.append(Advice("featureless", float(still.Still(area).tiles)))
    return found


def is_grainy(one: Picture, other: Picture) -> bool:
    """Tell whether two frames in a row differ nearly everywhere, not only where something moves."""
    step_y, step_x = (max(1, side // GRID) for side in one.shape[:2])
    same = total = 0
    for top in range(0, one.shape[0] - step_y + 1, step_y):
        for left in range(0, one.shape[1] - step_x + 1, step_x):
            part = (slice(top, top + step_y), slice(left, left + step_x))
            same += np.array_equal(one[part], other[part])
            total += 1
    return same <= (1 - GRAINY) * total


def _is_noisy(pictures: Sequence[Picture]) -> bool:
    """Tell whether frames in a row always differ; a few frames prove nothing."""
    pairs = list(pairwise(pictures))
    return len(pairs) >= FEW and all(is_grainy(one, other) for one, other in pairs)


def _apart(spots: Sequence[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in spots:
        if not any(_is_same(spot, one) for one in kept):
            kept.append(spot)
    return kept


def _is_same(spot: Spot, other: Spot) -> bool:
    near = np.hypot(spot.x - other.x, spot.y - other.y) < 0.3 * other.radius
    return bool(near) and abs(spot.radius - other.radius) < 0.12 * other.radius


def _grey(picture: Picture) -> Picture:
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]
