"""Training samples: rendered balls as cameras might see them, and what is no readable ball.

They are rendered on every core into arrays. `washed_out` says how much of a print light takes away:
half an 8 in a lamp's reflection is a 3 to anybody.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.facing import other_way_up
from draws.balls.vision.rendering import ball, lens, style
from draws.balls.vision.rendering.ball import Light
from draws.balls.vision.rendering.lens import Lens
from draws.balls.vision.rendering.style import Style

Plane = NDArray[np.float32]

FAINT = 0.3  # a contrast, as a part of what most of the print has, that is washed out
USUAL = 75  # the percentile of the contrasts that most of it has
REACH = 0.95  # digits' heights from a print's middle to its farthest corner
ALIKE = 0.3  # of the way from ink to ground up to which a pixel is ink


@dataclass(frozen=True, slots=True)
class Print:
    """A number at one of its places on a ball, (3, 3) as in `rendering.style`."""

    look: Style
    number: int
    place: NDArray[np.float64]


def washed_out(
    printed: Print,
    bare: Plane,
    light: Light,
    camera: Lens,
    reflected: Plane,
    corner: tuple[int, int],
) -> float:
    """Return the share of a print that light washes out, 0 where it cannot be seen.

    `bare` (size, size, 3) and `light` as the ball was painted, its corner at (left, top) of the
    picture to which lamps add `reflected` (h, w).
    """
    look = printed.look
    ink, ground = (np.asarray(each, np.float32) for each in (look.ink, look.cap or look.body))
    apart = float(np.abs(ink - ground).max())
    down, across = np.nonzero(_ink(printed, bare, ink, apart))
    if not len(down):
        return 0.0
    shade, shine = (each[down, across, None] for each in (light.shade, light.shine))
    below = np.clip(down + corner[1], 0, reflected.shape[0] - 1)
    beside = np.clip(across + corner[0], 0, reflected.shape[1] - 1)
    lamps = reflected[below, beside, None]
    tint = np.asarray(camera.tint, np.float32) * np.float32(camera.light)
    inked, plain = (
        np.clip(np.clip(each * shade + shine, 0, 255) * tint + lamps, 0, 255)
        for each in (ink, ground)
    )
    left = np.abs(inked - plain).max(axis=1) / (apart * shade[:, 0])
    return float((left < FAINT * np.percentile(left, USUAL)).mean())


def _ink(printed: Print, bare: Plane, ink: Plane, apart: float) -> NDArray[np.bool_]:
    """Tell which pixels of a ball are the ink of this print (size, size)."""
    radius = bare.shape[0] / 2
    middle = radius * (1 + printed.place[:2, 2])
    reach = REACH * ball.tallness(printed.look, printed.number) * radius
    down, across = np.indices(bare.shape[:2])
    within = np.hypot(across - middle[0], down - middle[1]) < reach
    return np.asarray(within & (np.abs(bare - ink).max(axis=2) < ALIKE * apart))


Picture = NDArray[np.uint8]

SIDE = 96  # pixels of a sample
RADIUS = 42.0  # pixels of its ball
POSES = 3  # pictures of one ball
READABLE = 38.0  # degrees off the viewer up to which a print must be read
VISIBLE = 68.0  # degrees from which on a print tells nothing
NO_NUMBER = -1
COIN = -2  # in `coins_and_balls` alone: to all others it is no number either
ZEROS = 0.08  # the share of sets that print 06
LONE = 0.18  # the share of numbers of one figure, which are harder to read than those of two
WEAR = 0.5  # the most there is; beyond, an 8 may be a 3


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """A picture and its truth.

    `picture` (SIDE, SIDE, 3); number or NO_NUMBER, clockwise angle in degrees,
    whether the foot is marked, the angles of the other prints that can be made out, and whether
    a zero stands before the number. `place` (3, 3) is where the number stands, as in
    `rendering.style`, and `tall` how tall its digits are, in ball radii; `hidden` is the share of
    its print that light has washed out.
    """

    picture: Picture
    number: int
    angle: float
    marked: bool
    others: tuple[float, ...] = ()
    zero: bool = False
    place: NDArray[np.float64] | None = None
    tall: float = 0.0
    hidden: float = 0.0


def samples(rng: np.random.Generator, fonts: Sequence[Path], count: int) -> list[TrainingSample]:
    """Return `count` samples, one in eight of them of nothing that could be read."""
    found: list[TrainingSample] = []
    while len(found) < count:
        if rng.random() < 0.06:
            found += [_nothing(rng, fonts)]
            continue
        found += _ball(rng, fonts)
    return found[:count]


def turns(number: int, zero: bool) -> bool:
    """Return whether a number is legible upside down; with a zero before it or not."""
    return number > 0 and other_way_up(number, zeros=zero or number % 10 == 0) is not None


def _ball(rng: np.random.Generator, fonts: Sequence[Path]) -> list[TrainingSample]:
    look = style.random_style(
        rng, fonts, format=int(rng.choice([90, 90, 75])), marks=bool(rng.random() < 0.75),
        zeros=ZEROS, wear=WEAR,
    )  # fmt: skip
    number = int(rng.integers(1, 10 if rng.random() < (0.5 if look.zeros else LONE) else 100))
    return [_seen(rng, look, number, _pose(rng)) for _pose_number in range(POSES)]


def _pose(rng: np.random.Generator) -> NDArray[np.float64]:
    return style.tumbling(rng) if rng.random() < 0.12 else style.facing(rng, READABLE)


def _seen(
    rng: np.random.Generator, look: Style, number: int, rotation: NDArray[np.float64]
) -> TrainingSample:
    picture, hidden = _picture(rng, look, number, rotation)
    places = sorted(rotation @ look.prints, key=lambda place: -place[2, 2])
    offs = [math.degrees(math.acos(min(1.0, place[2, 2]))) for place in places]
    turns = [style.angle_of(place) for place in places]
    if offs[0] <= READABLE:
        others = tuple(turn for off, turn in zip(offs[1:], turns[1:], strict=True) if off < VISIBLE)
        return TrainingSample(
            picture, number, turns[0], look.is_marked(number), others,
            zero=look.zeros and number < 10, place=places[0], tall=ball.tallness(look, number),
            hidden=hidden,
        )  # fmt: skip
    # Between readable and hopeless it is nobody's fault either way; `others` keeps it out.
    seen = tuple(turn for off, turn in zip(offs, turns, strict=True) if off < VISIBLE)
    return TrainingSample(picture, NO_NUMBER, 0.0, marked=False, others=seen)


def _picture(
    rng: np.random.Generator, look: Style, number: int | None, rotation: NDArray[np.float64]
) -> tuple[Picture, float]:
    """Return a ball before something, a little off the middle and off its size, through a lens.

    Its second value is the share of its print that light has washed out.
    """
    size = int(rng.choice([56, 72, 88, 110]))  # some cameras see it small
    scale = SIDE / (2 * RADIUS)
    side = round(size * scale)
    page = _background(rng, side)
    if rng.random() < 0.35:
        _neighbour(rng, page, look, size)
    width = round(size * rng.uniform(0.95, 1.06))
    bare = ball.unlit(look, number, rotation=rotation, size=width)
    light = ball.light(look, size=width, rng=rng)
    left, top = (round(each) for each in (side - width) / 2 + rng.uniform(-0.05, 0.05, 2) * size)
    place(page, light.on(bare), ball.cover(width), (left, top))
    camera = lens.random_lens(rng, size=size)
    reflected = lens.reflections((side, side), camera, rng)
    hidden = 0.0
    if number is not None:
        printed = Print(look, number, max(rotation @ look.prints, key=lambda one: float(one[2, 2])))
        hidden = washed_out(printed, bare, light, camera, reflected, (left, top))
    taken = lens.through(page, camera, reflected, rng)
    how = cv2.INTER_AREA if side > SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(taken, (SIDE, SIDE), interpolation=how), np.uint8), hidden


def place(
    page: Picture, body: Picture, alpha: NDArray[np.float32], corner: tuple[int, int]
) -> None:
    """Put a ball's square onto a page, its corner at (left, top); what lies outside is cut off."""
    size, (left, top) = body.shape[0], corner
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + size, page.shape[1]), min(top + size, page.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    cover = alpha[y0 - top : y1 - top, x0 - left : x1 - left, None]
    under = page[y0:y1, x0:x1]
    over = body[y0 - top : y1 - top, x0 - left : x1 - left]
    page[y0:y1, x0:x1] = (under + (over.astype(np.float32) - under) * cover).astype(np.uint8)


def _background(rng: np.random.Generator, side: int) -> Picture:
    few = int(rng.choice([2, 3, 5, 9]))
    spots = rng.uniform(0, 255, (few, few, 3)).astype(np.float32)
    if rng.random() < 0.5:
        spots = spots.mean(axis=2, keepdims=True).repeat(3, axis=2) * np.float32(
            rng.uniform(0.3, 1)
        )
    return np.clip(cv2.resize(spots, (side, side), interpolation=cv2.INTER_CUBIC), 0, 255).astype(
        np.uint8
    )


def _neighbour(rng: np.random.Generator, page: Picture, look: Style, size: int) -> None:
    """Put another ball of the set beside where this one comes to lie."""
    body, alpha = ball.paint(
        look, int(rng.integers(1, 91)), rotation=style.facing(rng, 60), size=size, rng=rng
    )
    towards = rng.uniform(0, 2 * math.pi)
    off = np.array([math.cos(towards), math.sin(towards)]) * size * rng.uniform(0.97, 1.1)
    left, top = (round(each) for each in (page.shape[0] - size) / 2 + off)
    place(page, body, alpha, (left, top))


def _nothing(rng: np.random.Generator, fonts: Sequence[Path]) -> TrainingSample:
    kind = rng.integers(3)
    look = style.random_style(rng, fonts)
    if kind == 0:
        picture, _hidden = _picture(rng, look, None, style.tumbling(rng))
    elif kind == 1:
        page = _background(rng, SIDE)
        camera = lens.random_lens(rng, size=64)
        picture = lens.through(page, camera, lens.reflections((SIDE, SIDE), camera, rng), rng)
    else:
        page, _hidden = _picture(rng, look, int(rng.integers(1, 91)), style.facing(rng, 40))
        picture = _covered(rng, page)
    return TrainingSample(picture, NO_NUMBER, 0.0, marked=False)


def _covered(rng: np.random.Generator, page: Picture) -> Picture:
    """Lay a finger, or something like it, over the middle of a picture."""
    skin = tuple(int(level) for level in rng.uniform([60, 80, 110], [170, 200, 240]))
    start, end = rng.uniform(-0.2, 1.2, (2, 2)) * SIDE
    middle = np.array([SIDE / 2, SIDE / 2]) + rng.uniform(-6, 6, 2)
    points = np.array([start, middle, end], np.int32)
    return np.asarray(
        cv2.polylines(page.copy(), [points], False, skin, int(rng.uniform(0.45, 0.8) * SIDE)),
        np.uint8,
    )


CHUNK = 2_000
MOST_OTHERS = 6
NONE = 1000.0  # no angle


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was rendered.

    `pictures` (n, SIDE, SIDE, 3); `numbers`, `angles`, `marked`, `zeros` (n,); `others`
    (n, MOST_OTHERS), `places` (n, 3, 3), `talls` and `hiddens` (n,) as in a sample.
    """

    pictures: NDArray[np.uint8]
    numbers: NDArray[np.int16]
    angles: NDArray[np.float32]
    marked: NDArray[np.bool_]
    zeros: NDArray[np.bool_]
    others: NDArray[np.float32]
    places: NDArray[np.float32]
    talls: NDArray[np.float32]
    hiddens: NDArray[np.float32]


Source = Callable[[np.random.Generator, Sequence[Path], int], list[TrainingSample]]


def gather(
    count: int, *, seed: int, fonts: Sequence[Path], cores: int, source: Source = samples
) -> Gathered:
    """Render `count` pictures; the same seed, fonts and count give the same pictures."""
    # Room for all at once: they would not fit twice.
    whole = Gathered(
        np.empty((count, SIDE, SIDE, 3), np.uint8), np.empty(count, np.int16),
        np.empty(count, np.float32), np.empty(count, np.bool_), np.empty(count, np.bool_),
        np.empty((count, MOST_OTHERS), np.float32), np.empty((count, 3, 3), np.float32),
        np.empty(count, np.float32), np.empty(count, np.float32),
    )  # fmt: skip
    starts = range(0, count, CHUNK)
    asked = [
        (source, seed, number, fonts, min(CHUNK, count - start))
        for number, start in enumerate(starts)
    ]
    with ProcessPoolExecutor(cores) as workers:
        for start, part in zip(starts, workers.map(_chunk, asked), strict=True):
            for each in fields(Gathered):
                getattr(whole, each.name)[start : start + CHUNK] = getattr(part, each.name)
    return whole


def first(whole: Gathered, count: int) -> Gathered:
    """Return the first `count` of what was rendered."""
    return Gathered(*(getattr(whole, each.name)[:count] for each in fields(Gathered)))


def joined(one: Gathered, other: Gathered) -> Gathered:
    """Return all of both."""
    return Gathered(
        *(
            np.concatenate([getattr(one, each.name), getattr(other, each.name)])
            for each in fields(Gathered)
        )
    )


def _chunk(asked: tuple[Source, int, int, Sequence[Path], int]) -> Gathered:
    source, seed, number, fonts, count = asked
    found = source(np.random.default_rng([seed, number]), fonts, count)
    others = np.full((count, MOST_OTHERS), NONE, np.float32)
    for row, sample in zip(others, found, strict=True):
        seen = sample.others[:MOST_OTHERS]
        row[: len(seen)] = seen
    return Gathered(
        np.stack([sample.picture for sample in found]),
        np.array([sample.number for sample in found], np.int16),
        np.array([sample.angle for sample in found], np.float32),
        np.array([sample.marked for sample in found], np.bool_),
        np.array([sample.zero for sample in found], np.bool_),
        others,
        np.array([np.eye(3) if one.place is None else one.place for one in found], np.float32),
        np.array([sample.tall for sample in found], np.float32),
        np.array([sample.hidden for sample in found], np.float32),
    )
