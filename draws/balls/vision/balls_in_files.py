"""Read balls from files, and draw onto a picture what was read on it.

A file is a single picture, or a recorded draw, read frame by frame as if it were live. About single
pictures nothing is known beforehand: what bears a number may be no ball (`lookalikes`). What is drawn
is each ball's circle, which way its number stands, and the guesses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from draws.balls.vision import calibration, lookalikes
from draws.balls.vision.jpeg_pictures import shrunk, smaller
from draws.balls.vision.network import Glance
from draws.balls.vision.values import BallReading, Event, Frame, Picture, Spot
from draws.balls.vision.watching import BallReader, Judge, Watcher, look_closer

SHARES = (0.03, 0.55)  # of a picture's longer side: the least and the largest radius of a ball
FILLING = 0.48, 0.42  # of the shorter side: radii of a ball that fills its picture, or nearly
LONG = 1.6  # of a picture, how much longer it is than wide where two balls may fill it
MOST = 24  # circles of a picture that are looked at
CLOSELY = 5  # of these that are looked at by the second look too, where the first reads nothing
SIZES = (0.94, 1.06)  # of a found radius, which may be a little off
LIKE = 0.25  # radii by which balls of one picture may differ in size
CLEAR = 0.5  # sureness from which a further circle is taken for a ball
LEAST_RADIUS = 10.5  # pixels: less shows no figure
LONGEST = 2400  # pixels of a side that a photograph is looked at with
NO_BALL, TOO_SMALL = "no_ball", "too_small"
# Of what is drawn:
READ, ASKED, EDGE = (90, 200, 60), (40, 160, 250), (20, 20, 20)  # blue, green, red
WIDEST = 1280  # pixels of what is drawn on
SHOWN = 3  # guesses written at a ball
FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class FoundBall:
    """A ball of a picture: where it is, in pixels, how far its number is turned, and what is read."""

    spot: Spot
    angle: float
    reading: BallReading


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
    found = find_balls(picture, eye=eye, judge=judge, format=format, file=file, filling=filling)
    return [each.reading for each in found]


def find_balls(
    picture: Picture,
    *,
    eye: BallReader,
    judge: Judge,
    format: int,
    file: str = "",
    filling: bool = False,
) -> list[FoundBall]:
    """Find each ball of a picture and read it, left to right; at least one answer, be it "no_ball"."""
    scale = LONGEST / max(picture.shape[:2])
    if scale < 1:
        return [
            _enlarged(each, 1 / scale)
            for each in find_balls(
                smaller(picture, scale), eye=eye, judge=judge, format=format, file=file,
                filling=filling,
            )
        ]  # fmt: skip
    circles = [] if filling else calibration.suggest(picture, shares=SHARES, at_most=MOST)
    spots = [*circles, *whole_spots(picture)]
    seen = [_Seen(spot, look(eye, picture, spot)) for spot in spots]
    found = [_read(picture, one, eye, judge, format, file) for one in _balls(picture, seen, eye)]
    if not circles and not filling and all(_is_nothing(one.reading) for one in found):
        found = [replace(one, reading=replace(one.reading, reason=NO_BALL)) for one in found[:1]]
    return found


def _is_nothing(reading: BallReading) -> bool:
    return reading.reason == "blank" or not reading.candidates


def _enlarged(found: FoundBall, scale: float) -> FoundBall:
    """Return a ball as it lies in the picture that was made smaller."""
    x, y, radius = (each * scale for each in (*found.spot.centre, found.spot.radius))
    return replace(found, spot=Spot(x, y, radius))


def _balls(picture: Picture, seen: Sequence[_Seen], eye: BallReader) -> list[_Seen]:
    """Keep the circle that reads best, and those beside it that read well too; left to right."""
    best = max(seen, key=_sureness)
    if _sureness(best) < CLEAR:
        best = _best_closely(picture, seen, eye) or best
    kept = [best]
    for one in sorted(seen, key=_sureness, reverse=True):
        alike = abs(one.spot.radius / best.spot.radius - 1) < LIKE
        if alike and _sureness(one) > CLEAR and all(_is_beside(one.spot, k.spot) for k in kept):
            kept.append(one)
    return sorted([*kept, *_others(picture, seen, kept, eye)], key=lambda one: one.spot.x)


def _others(
    picture: Picture, seen: Sequence[_Seen], kept: Sequence[_Seen], eye: BallReader
) -> list[_Seen]:
    """Return the whole balls beside those kept that only the second look reads clearly.

    Where two balls fill a picture, nobody is told of one as if it were alone.
    """
    found: list[_Seen] = []
    looks = 0
    for one in seen:
        alike = abs(one.spot.radius / kept[0].spot.radius - 1) < LIKE
        apart = all(_is_beside(one.spot, other.spot) for other in (*kept, *found))
        if not alike or not apart or not _is_within(one.spot, picture) or looks == CLOSELY:
            continue
        looks += 1
        if max((each.confidence for each in _closely(eye, picture, one)), default=0.0) > CLEAR:
            found.append(one)
    return found


def _is_within(spot: Spot, picture: Picture) -> bool:
    """Return whether a circle lies in the picture, but for a tenth of its radius."""
    height, width = picture.shape[:2]
    reach = 0.9 * spot.radius
    across = reach <= spot.x <= width - 1 - reach
    return bool(across and reach <= spot.y <= height - 1 - reach)


def _best_closely(picture: Picture, seen: Sequence[_Seen], eye: BallReader) -> _Seen | None:
    """Return the circle in which the second look reads most clearly, of those that may be a ball.

    They are those with the wholest rim, which come first, and the whole picture, which comes last.
    """
    likely = [*seen[: CLOSELY - 1], seen[-2]] if len(seen) > CLOSELY else seen
    clear = [
        (max((glance.confidence for glance in closely), default=0.0), one)
        for one in likely
        if (closely := _closely(eye, picture, one))
    ]
    return max(clear, key=lambda each: each[0])[1] if clear else None


def _closely(eye: BallReader, picture: Picture, seen: _Seen) -> Sequence[Glance]:
    return eye.look_closely(
        picture, centre=seen.spot.centre, radius=seen.spot.radius, first=seen.glance
    )


def _read(
    picture: Picture, seen: _Seen, eye: BallReader, judge: Judge, format: int, file: str
) -> FoundBall:
    glances = look_again(eye, picture, seen.spot, seen.glance)
    # Whatever it may be that was photographed, coins too: a second look is always taken.
    second = _closely(eye, picture, seen)
    found = look_closer(eye, partial(judge, format=format), picture, seen.spot, glances, second)
    angle = second[0].angle if second else seen.glance.angle
    if seen.spot.radius < LEAST_RADIUS:
        found = replace(found, number=None, reason=TOO_SMALL)
    elif found.reason != "blank" and lookalikes.is_drawn(picture, seen.spot):
        found = replace(found, number=None, reason=lookalikes.DRAWN)
    elif found.number is not None:
        why = lookalikes.lookalike(picture, seen.spot, eye)
        found = replace(found, number=None, reason=why) if why else found
    reading = BallReading(
        found.number, found.confidence, found.runner_up, found.candidates, found.reason,
        0.0, 0, 0.0, shrunk(_cut(picture, seen.spot)), file,
    )  # fmt: skip
    return FoundBall(seen.spot, angle, reading)


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


def whole_spots(picture: Picture) -> list[Spot]:
    """Return the circles of a ball that fills its picture, and of two in one that is twice as long."""
    height, width = picture.shape[:2]
    side = min(width, height)
    middle = (width - 1) / 2, (height - 1) / 2
    found = [Spot(*middle, share * side) for share in FILLING]
    if max(width, height) / side < LONG:
        return found
    near = (side - 1) / 2
    ends = ((near, near), (width - 1 - near, height - 1 - near))
    return [*(Spot(*end, share * side) for end in ends for share in FILLING), *found]


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


def annotated(picture: Picture, found: Sequence[FoundBall]) -> Picture:
    """Return a copy, of at most WIDEST pixels a side, with a circle and the guesses at each ball."""
    scale = min(1.0, WIDEST / max(picture.shape[:2]))
    drawn = np.ascontiguousarray(smaller(picture, scale) if scale < 1 else picture.copy())
    # A small picture has no room for words.
    if max(drawn.shape[:2]) < WIDEST // 3:
        up = WIDEST // 3 / max(drawn.shape[:2])
        drawn = np.ascontiguousarray(cv2.resize(drawn, None, fx=up, fy=up))
        scale *= up
    for ball in found:
        if ball.reading.reason == NO_BALL:
            continue
        _draw(np.asarray(drawn, np.uint8), ball, scale)
    return np.asarray(drawn, np.uint8)


def write_picture(path: Path, picture: Picture) -> None:
    """Write a picture into a file, as its name ends.

    Raises ValueError for an ending of no picture, OSError where it cannot be written.
    """
    try:
        good, coded = cv2.imencode(path.suffix, picture)
    except cv2.error:
        good = False
    if not good:
        raise ValueError(path.suffix)
    path.write_bytes(coded.tobytes())


def _draw(drawn: Picture, ball: FoundBall, scale: float) -> None:
    reading = ball.reading
    colour = ASKED if reading.number is None else READ
    x, y, radius = (round(each * scale) for each in (*ball.spot.centre, ball.spot.radius))
    thick = max(1, round(max(drawn.shape[:2]) / 320))
    for width, ink in ((thick * 3, EDGE), (thick, colour)):
        cv2.circle(drawn, (x, y), radius, ink, width, cv2.LINE_AA)
        if reading.candidates:
            up = math.radians(ball.angle - 90)
            foot = (
                round(x + 0.72 * radius * math.cos(up)),
                round(y + 0.72 * radius * math.sin(up)),
            )
            head = (round(x + 1.0 * radius * math.cos(up)), round(y + 1.0 * radius * math.sin(up)))
            cv2.arrowedLine(drawn, foot, head, ink, width, cv2.LINE_AA, tipLength=0.5)
    words = [f"{number} {share:.0%}" for number, share in reading.candidates[:SHOWN]]
    _write(drawn, words if reading.number is not None else ["?", *words], (x, y + radius), colour)


def _write(
    drawn: Picture, lines: Sequence[str], foot: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    """Write lines under a ball, or over its foot where the picture ends there."""
    size = max(drawn.shape[:2]) / 900
    high = round(30 * size)
    top = min(foot[1] + high, drawn.shape[0] - high * len(lines) + high // 2)
    for row, line in enumerate(lines):
        (wide, _tall), _base = cv2.getTextSize(line, FONT, size, 1)
        left = min(max(0, foot[0] - wide // 2), max(0, drawn.shape[1] - wide))
        for width, ink in ((max(3, round(5 * size)), EDGE), (max(1, round(1.6 * size)), colour)):
            cv2.putText(drawn, line, (left, top + row * high), FONT, size, ink, width, cv2.LINE_AA)
