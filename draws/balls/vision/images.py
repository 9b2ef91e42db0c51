"""Read balls from files: single pictures, or a recorded draw frame by frame as if it were live.

About single pictures nothing is known beforehand. A drawing is told from a photograph by its missing
grain, and by its missing shade: a camera gives no two pixels side by side quite alike, and no lamp
lights a ball evenly. Compression, softness and noise give a drawing grain, but no shade.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision import calibration
from draws.balls.vision.finding import grey
from draws.balls.vision.network import Glance, Network, sureness
from draws.balls.vision.pictures import shrunk, smaller
from draws.balls.vision.second_look import View, evened, views
from draws.balls.vision.values import BallReading, Event, Frame, Picture, Spot
from draws.balls.vision.watching import BallReader, Judge, Watcher, look_closer

SHARES = (0.03, 0.55)  # of a picture's longer side: the least and the largest radius of a ball
FILLING = 0.48, 0.42  # of the shorter side: radii of a ball that fills its picture, or nearly
MOST = 24  # circles of a picture that are looked at
CLOSELY = 5  # of these that are looked at by the second look too, where the first reads nothing
SIZES = (0.94, 1.06)  # of a found radius, which may be a little off
LIKE = 0.25  # radii by which balls of one picture may differ in size
CLEAR = 0.5  # sureness from which a further circle is taken for a ball
LEAST_RADIUS = 10.5  # pixels: less shows no figure
LONGEST = 2400  # pixels of a side that a photograph is looked at with
COIN_NETWORK = Path(__file__).with_name("coin.onnx")
COIN_VIEWS = tuple(View(float(angle), 1.05) for angle in range(0, 360, 45))
LIKELY = 0.5  # sureness from which it is a coin
NO_BALL, TOO_SMALL, DRAWN, IS_COIN = "no_ball", "too_small", "no_photograph", "coin"


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
    if not circles and not filling and all(one.reading.reason == "blank" for one in found):
        found = [replace(one, reading=replace(one.reading, reason=NO_BALL)) for one in found[:1]]
    return found


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
    return sorted(kept, key=lambda one: one.spot.x)


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
    elif found.reason != "blank" and is_drawn(picture, seen.spot):
        found = replace(found, number=None, reason=DRAWN)
    elif found.number is not None and is_coin(picture, seen.spot):
        found = replace(found, number=None, reason=IS_COIN)
    reading = BallReading(
        found.number, found.confidence, found.runner_up, found.candidates, found.reason,
        0.0, 0, 0.0, shrunk(_cut(picture, seen.spot)), file,
    )  # fmt: skip
    return FoundBall(seen.spot, angle, reading)


def is_coin(picture: Picture, spot: Spot) -> bool:
    """Return whether a coin lies there and no ball: its number stands out of metal, and is no print.

    Asked of single pictures alone, which may show anything.
    """
    seen = evened(views(picture, COIN_VIEWS, centre=spot.centre, radius=spot.radius))
    return bool(sureness(_coin_network().look(seen)).mean() > LIKELY)


@cache
def _coin_network() -> Network:
    return Network(COIN_NETWORK)


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
    """Return the circles of a ball that fills its picture."""
    height, width = picture.shape[:2]
    middle = (width - 1) / 2, (height - 1) / 2
    return [Spot(*middle, share * min(width, height)) for share in FILLING]


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


TOLD_FROM = 24.0  # pixels of a ball's radius from which on it can be told
DARK, BLOWN = 8, 247  # levels under and from which a photograph is even too
GRAINLESS = 0.90  # of a ball's pixels, how many may be quite like the one beside them
WORKING = 40.0  # pixels of radius that shade is looked at with
WITHIN = 0.85  # ball radii that are looked at: the rim is soft
NEAR = 20  # levels that the ground's may be off its commonest
GROUND = 0.33  # of a ball, how much must be of one colour for its shade to be told
CELLS, FEWEST = 3, 4  # cells across a ball, and how many of all must show enough of the ground
ENOUGH = 0.015  # of a ball: ground that tells a cell's level
# Levels between the lightest cell and the darkest that a photograph has at least: docs/reading-balls.md.
SHADE = 1.0


def is_drawn(picture: Picture, spot: Spot) -> bool:
    """Return whether what lies there is a drawing; never of what is too small or too bright to tell."""
    if spot.radius < TOLD_FROM:
        return False
    return _is_grainless(picture, spot) or _is_without_shade(picture, spot)


def _is_grainless(picture: Picture, spot: Spot) -> bool:
    reach = spot.radius / math.sqrt(2)
    x, y = spot.centre
    inner = picture[int(y - reach) : int(y + reach) + 1, int(x - reach) : int(x + reach) + 1]
    if min(inner.shape[:2]) < TOLD_FROM:
        return False
    alike = np.asarray(np.abs(np.diff(inner.astype(np.int16), axis=1)).max(axis=2)) == 0
    lit = np.asarray(((inner > DARK) & (inner < BLOWN)).max(axis=2))[:, 1:]
    return bool(lit.mean() > 0.2 and alike[lit].mean() > GRAINLESS)


def _is_without_shade(picture: Picture, spot: Spot) -> bool:
    plane, across, down = _reduced(grey(picture), spot)
    inside = np.hypot(across, down) < WITHIN
    soft = cv2.medianBlur(plane, 5)
    # Noise makes many levels of one: the commonest is where most lie near.
    levels = np.convolve(np.bincount(soft[inside], minlength=256), np.ones(9), "same")
    common = DARK + int(levels[DARK:BLOWN].argmax())
    near = (np.abs(soft.astype(np.int16) - common) < NEAR) & inside
    ground = cv2.erode(near.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    ball = int(inside.sum())
    if not levels[common] or ground.sum() < GROUND * ball:
        return False
    cells = _cell(across) * CELLS + _cell(down)
    shown = [plane[ground & (cells == cell)] for cell in range(CELLS**2)]
    means = [float(one.mean()) for one in shown if len(one) > ENOUGH * ball]
    return len(means) >= FEWEST and max(means) - min(means) < SHADE


def _reduced(
    plane: Picture, spot: Spot
) -> tuple[Picture, NDArray[np.float64], NDArray[np.float64]]:
    """Return a small copy, and how far each pixel lies from the ball's middle, in its radii."""
    scale = min(1.0, WORKING / spot.radius)
    small = plane if scale == 1 else cv2.resize(
        plane, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )  # fmt: skip
    rows, columns = np.indices(small.shape)
    x, y = ((each + 0.5) * scale - 0.5 for each in spot.centre)
    radius = spot.radius * scale
    across, down = np.asarray((columns - x) / radius), np.asarray((rows - y) / radius)
    return np.asarray(small, np.uint8), across, down


def _cell(off: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.clip(((off + WITHIN) / (2 * WITHIN) * CELLS).astype(np.int64), 0, CELLS - 1)
