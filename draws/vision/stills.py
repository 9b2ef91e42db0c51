"""Reads the balls of single pictures, about which nothing is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from draws.vision import calibration
from draws.vision.glance import Glance
from draws.vision.picture import shrunk
from draws.vision.values import Picture, Reading, Spot
from draws.vision.watching import Judge, Look

SHARES = (0.03, 0.55)  # of a picture's longer side: the least and the largest radius of a ball
FILLING = 0.48  # of the shorter side: the radius of a ball that fills its picture
MOST = 24  # circles of a picture that are looked at
SIZES = (0.94, 1.06)  # of a found radius, which may be a little off
LIKE = 0.25  # radii by which balls of one picture may differ in size
CLEAR = 0.5  # sureness from which a further circle is taken for a ball


@dataclass(frozen=True, slots=True)
class _Seen:
    spot: Spot
    glance: Glance


def read(
    picture: Picture, *, eye: Look, judge: Judge, format: int, file: str = "", filling: bool = False
) -> list[Reading]:
    """Read each ball of a picture; `filling`: it is one ball, cut out already."""
    spots = [] if filling else calibration.suggest(picture, shares=SHARES, at_most=MOST)
    seen = [_Seen(spot, _look(eye, picture, spot)) for spot in spots or [_whole(picture)]]
    return [_read(picture, one, eye, judge, format, file) for one in _balls(seen)]


def _balls(seen: Sequence[_Seen]) -> list[_Seen]:
    """Keep the circle that reads best, and those beside it that read well too; left to right."""
    best = max(seen, key=_sureness)
    kept = [best]
    for one in sorted(seen, key=_sureness, reverse=True):
        alike = abs(one.spot.radius / best.spot.radius - 1) < LIKE
        if alike and _sureness(one) > CLEAR and all(_is_beside(one.spot, k.spot) for k in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.spot.x)


def _read(
    picture: Picture, seen: _Seen, eye: Look, judge: Judge, format: int, file: str
) -> Reading:
    spot, first = seen.spot, seen.glance
    near = first.angle if first.number is not None else None
    # What is read at one size only is not read surely.
    others = [
        _look(eye, picture, replace(spot, radius=spot.radius * size), near, turn)
        for turn, size in enumerate(SIZES, start=1)
    ]
    found = judge([first, *others], format=format)
    return Reading(
        found.number, found.confidence, found.runner_up, found.candidates, found.reason,
        0.0, 0, 0.0, shrunk(_cut(picture, spot)), file,
    )  # fmt: skip


def _look(
    eye: Look, picture: Picture, spot: Spot, near: float | None = None, turn: int = 0
) -> Glance:
    return eye.look(picture, centre=spot.centre, radius=spot.radius, near=near, turn=turn)


def _sureness(seen: _Seen) -> float:
    return seen.glance.confidence if seen.glance.number is not None else 0.0


def _is_beside(spot: Spot, other: Spot) -> bool:
    return math.hypot(spot.x - other.x, spot.y - other.y) > 0.7 * (spot.radius + other.radius)


def _whole(picture: Picture) -> Spot:
    height, width = picture.shape[:2]
    return Spot((width - 1) / 2, (height - 1) / 2, FILLING * min(width, height))


def _cut(picture: Picture, spot: Spot) -> Picture:
    reach = round(spot.radius * 1.3)
    x, y = round(spot.x), round(spot.y)
    left, top = max(0, x - reach), max(0, y - reach)
    return picture[top : y + reach, left : x + reach]
