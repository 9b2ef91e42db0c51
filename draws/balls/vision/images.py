"""Read balls from files: single pictures, or a recorded draw frame by frame as if it were live.

About single pictures nothing is known beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from draws.balls.vision import calibration
from draws.balls.vision.network import Glance
from draws.balls.vision.pictures import shrunk
from draws.balls.vision.values import BallReading, Event, Frame, Picture, Spot
from draws.balls.vision.watching import BallReader, Judge, Watcher

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


def read_single_image(
    picture: Picture,
    *,
    eye: BallReader,
    judge: Judge,
    format: int,
    file: str = "",
    filling: bool = False,
) -> list[BallReading]:
    """Read each ball of a picture; `filling`: it is one ball, cut out already."""
    spots = [] if filling else calibration.suggest(picture, shares=SHARES, at_most=MOST)
    seen = [_Seen(spot, look(eye, picture, spot)) for spot in spots or [_whole(picture)]]
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
    picture: Picture, seen: _Seen, eye: BallReader, judge: Judge, format: int, file: str
) -> BallReading:
    found = judge(look_again(eye, picture, seen.spot, seen.glance), format=format)
    return BallReading(
        found.number, found.confidence, found.runner_up, found.candidates, found.reason,
        0.0, 0, 0.0, shrunk(_cut(picture, seen.spot)), file,
    )  # fmt: skip


def look_again(eye: BallReader, picture: Picture, spot: Spot, first: Glance) -> list[Glance]:
    """Return the first look at a ball and others at each of SIZES.

    What is read at one size only is not read surely.
    """
    near = first.angle if first.number is not None else None
    others = (
        eye.look(picture, centre=spot.centre, radius=spot.radius * size, near=near, turn=turn)
        for turn, size in enumerate(SIZES, start=1)
    )
    return [first, *others]


def look(eye: BallReader, picture: Picture, spot: Spot) -> Glance:
    """Look at a ball of which nothing is known but its place."""
    return eye.look(picture, centre=spot.centre, radius=spot.radius)


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


SILENCE = 0.3  # seconds between frames that are told as silence
STEP = 0.1


def events(frames: Iterable[Frame], watcher: Watcher, *, repeats: bool = False) -> Iterator[Event]:
    """Return what the frames brought; a number read counts as drawn, unless they may repeat."""
    last: float | None = None
    for frame in frames:
        yield from _silent(watcher, last, frame.at)
        last = frame.at
        for event in watcher.see(frame):
            yield event
            if isinstance(event, BallReading) and event.number is not None and not repeats:
                watcher.drawn |= {event.number}


def readings(
    frames: Iterable[Frame], watcher: Watcher, *, repeats: bool = False
) -> Iterator[BallReading]:
    """Return the readings alone."""
    for event in events(frames, watcher, repeats=repeats):
        if isinstance(event, BallReading):
            yield event


def _silent(watcher: Watcher, last: float | None, at: float) -> Iterator[Event]:
    """Pass the time in which a stream gave nothing."""
    if last is None or at - last < SILENCE:
        return
    for step in range(1, int((at - last) / STEP)):
        yield from watcher.silence(last + step * STEP)
