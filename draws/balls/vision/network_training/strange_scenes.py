"""Training samples as photographs show balls: among others, printed all over, behind perspex, striped.

The usual samples (`samples.py`) are of sets that a hall might buy, one ball before a camera. These
are of whatever rolls and bears a number: wooden barrels, pool balls with a band and a small panel,
lotto balls with prints all round, seen small or large, among other balls that bear numbers too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.network_training import samples
from draws.balls.vision.network_training.samples import NO_NUMBER, RADIUS, SIDE, TrainingSample
from draws.balls.vision.rendering import ball, lens, style
from draws.balls.vision.rendering.style import Style

Picture = NDArray[np.uint8]
Plane = NDArray[np.float32]
Rng = np.random.Generator

SIZES = (34, 44, 60, 80, 110)  # pixels a ball is wide before the picture is scaled
COINS = 0.04  # the share of samples that are coins: round, with a number that is no print
WIDEST = 40.0  # degrees off the viewer up to which a print is read
WORDS = ("BINGO", "LOTO", "LOTTO", "TOP", "1978", "No.")


@dataclass(frozen=True, slots=True)
class Surface:
    """What a ball is made of beside its prints; shares and lengths in ball radii.

    `band` is a colour and its half-width round an axis, beyond which the ball is `beyond`;
    `grain` in levels; `flat` is a barrel's end, which light falls on evenly.
    """

    grain: float
    axis: NDArray[np.float64] | None
    width: float
    beyond: tuple[int, int, int]
    flat: bool
    stickers: int


def samples_of(rng: Rng, fonts: Sequence[Path], count: int) -> list[TrainingSample]:
    """Return `count` samples; one in twenty shows nothing that could be read."""
    found: list[TrainingSample] = []
    while len(found) < count:
        if rng.random() < COINS:
            found.append(TrainingSample(coin(rng, fonts), NO_NUMBER, 0.0, marked=False))
            continue
        look, surface = _look(rng, fonts)
        number = int(rng.integers(1, 10 if rng.random() < samples.LONE else 100))
        bare = rng.random() < 0.05
        for _pose in range(samples.POSES):
            tumbled = rng.random() < 0.15
            turned = style.tumbling(rng) if tumbled else style.facing(rng, WIDEST)
            found.append(_seen(rng, look, surface, None if bare else number, turned, fonts))
    return found[:count]


def _look(rng: Rng, fonts: Sequence[Path]) -> tuple[Style, Surface]:
    """Return a set's look: a usual one, or with prints as small or as large as balls bear."""
    look = style.random_style(
        rng, fonts, marks=bool(rng.random() < 0.6), zeros=0.04, wear=samples.WEAR
    )
    kind = rng.random()
    if kind < 0.25:  # a small panel, as on pool balls
        look = replace(look, cap=style.WHITES[int(rng.integers(4))], ink=style.DARKS[0])
        look = replace(
            look, prints=style.prints(rng, 2), ring=None if rng.random() < 0.6 else (20, 20, 20)
        )
        look = replace(look, cap_radius=float(rng.uniform(0.3, 0.48)), height=0.9)
    elif kind < 0.5:  # printed large, straight onto the ball
        look = replace(
            look, cap=None, ring=None, height=float(rng.uniform(0.6, 1.15)), cap_radius=0.95
        )
        look = replace(look, prints=style.prints(rng, int(rng.choice([1, 1, 2, 6]))))
    elif kind < 0.75:  # printed all round
        look = replace(look, prints=_around(rng, int(rng.integers(4, 12))))
        look = replace(look, cap_radius=float(rng.uniform(0.36, 0.6)), height=0.9)
    band = rng.random() < 0.3
    axis = rng.normal(size=3)
    surface = Surface(
        grain=float(rng.uniform(4, 22)) if rng.random() < 0.18 else 0.0,
        axis=axis / np.linalg.norm(axis) if band else None,
        width=float(rng.uniform(0.35, 0.8)),
        beyond=style.WHITES[int(rng.integers(4))] if rng.random() < 0.6 else _colour(rng),
        flat=bool(rng.random() < 0.15),
        stickers=int(rng.choice([0, 0, 0, 1, 2, 4])),
    )
    return look, surface


def _colour(rng: Rng) -> tuple[int, int, int]:
    blue, green, red = (int(each) for each in rng.integers(0, 256, 3))
    return blue, green, red


def _around(rng: Rng, count: int) -> NDArray[np.float64]:
    """Return prints (n, 3, 3) all round a ball, each turned at will, none on another."""
    found = [np.eye(3)]
    for _try in range(40):
        outward = rng.normal(size=3)
        outward /= np.linalg.norm(outward)
        if len(found) < count and all(outward @ one[:, 2] < 0.45 for one in found):
            found.append(style.looking(outward) @ style.roll(rng.uniform(0, 2 * math.pi)))
    return np.stack(found)


def _seen(
    rng: Rng,
    look: Style,
    surface: Surface,
    number: int | None,
    rotation: NDArray[np.float64],
    fonts: Sequence[Path],
) -> TrainingSample:
    size = int(rng.choice(SIZES))
    picture, hidden = _picture(rng, look, surface, number, rotation, size, fonts)
    places = sorted(rotation @ look.prints, key=lambda place: -place[2, 2])
    offs = [math.degrees(math.acos(min(1.0, float(place[2, 2])))) for place in places]
    turns = [style.angle_of(place) for place in places]
    near = sum(off < samples.VISIBLE for off in offs)
    if number is None:
        return TrainingSample(picture, NO_NUMBER, 0.0, marked=False)
    if offs[0] > WIDEST:
        return TrainingSample(picture, NO_NUMBER, 0.0, marked=False, others=tuple(turns[:near]))
    return TrainingSample(
        picture, number, turns[0], look.is_marked(number), tuple(turns[1:near]),
        zero=look.zeros and number < 10, place=places[0], tall=ball.tallness(look, number),
        hidden=hidden,
    )  # fmt: skip


def _picture(
    rng: Rng,
    look: Style,
    surface: Surface,
    number: int | None,
    rotation: NDArray[np.float64],
    size: int,
    fonts: Sequence[Path],
) -> tuple[Picture, float]:
    """Return a ball among what is beside it, and the share of its print that light washes out."""
    side = round(size * SIDE / (2 * RADIUS))
    page = _background(rng, side)
    crowd = int(rng.choice([0, 0, 1, 2, 4]))
    infront = crowd and rng.random() < 0.4
    for each in range(crowd):
        if not (infront and each == 0):
            _beside(rng, page, size, fonts, far=(0.9, 1.15))
    width = round(size * rng.uniform(0.94, 1.06))
    bare = _unlit(rng, look, surface, number, rotation, width)
    light = ball.light(look, size=width, rng=rng)
    if surface.flat:
        light = replace(light, shade=light.shade * 0.15 + 0.85 * float(light.shade.max()))
    left, top = (round(each) for each in (side - width) / 2 + rng.uniform(-0.05, 0.05, 2) * size)
    samples.place(page, light.on(bare), ball.cover(width), (left, top))
    if infront:
        _beside(rng, page, size, fonts, far=(0.85, 1.1))
    if rng.random() < 0.15:
        _perspex(rng, page)
    camera = lens.random_lens(rng, size=size)
    reflected = lens.reflections((side, side), camera, rng)
    hidden = 0.0
    if number is not None:
        nearest = max(rotation @ look.prints, key=lambda one: float(one[2, 2]))
        printed = samples.Print(look, number, nearest)
        hidden = samples.washed_out(printed, bare, light, camera, reflected, (left, top))
    taken = lens.through(page, camera, reflected, rng)
    how = cv2.INTER_AREA if side > SIDE else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(taken, (SIDE, SIDE), interpolation=how), np.uint8), hidden


def coins_and_balls(rng: Rng, fonts: Sequence[Path], count: int) -> list[TrainingSample]:
    """Return samples to tell coins from balls by, as many of either."""
    half = count // 2
    coins = [
        TrainingSample(coin(rng, fonts), samples.COIN, 0.0, marked=False) for _one in range(half)
    ]
    return coins + samples_of(rng, fonts, count - half)


def coin(rng: Rng, fonts: Sequence[Path]) -> Picture:
    """Return a coin before something, through a lens: (SIDE, SIDE, 3)."""
    radius = round(RADIUS * rng.uniform(0.9, 1.05))
    page = _background(rng, SIDE)
    body = ball.paint_coin(rng, fonts, size=2 * radius, words=WORDS)
    samples.place(page, body, ball.cover(2 * radius), (SIDE // 2 - radius, SIDE // 2 - radius))
    camera = lens.random_lens(rng, size=2 * radius)
    return lens.through(page, camera, lens.reflections((SIDE, SIDE), camera, rng), rng)


def _unlit(
    rng: Rng,
    look: Style,
    surface: Surface,
    number: int | None,
    rotation: NDArray[np.float64],
    width: int,
) -> Plane:
    """Return a ball's colours (width, width, 3) with its band, grain and stickers, then its prints."""
    bare = np.empty((width, width, 3), np.float32)
    bare[:] = look.body
    across, down, outward, _alpha = ball.sphere(width)
    if surface.axis is not None:
        axis = rotation @ surface.axis
        off = np.abs(across * axis[0] + down * axis[1] + outward * axis[2])
        bare[off > surface.width] = surface.beyond
    if surface.grain:
        lines = rng.normal(
            0, surface.grain, (int(rng.integers(2, 5)), int(rng.integers(15, 50)), 1)
        )
        grain = cv2.resize(lines.astype(np.float32), (width, width), interpolation=cv2.INTER_LINEAR)
        bare += grain[..., None]
    for _sticker in range(surface.stickers):
        ball.lay(bare, _sticker_of(rng, look), style.tumbling(rng))
    if number is not None:
        ball.print_all(bare, look, number, rotation)
    return bare


def _sticker_of(rng: Rng, look: Style) -> Picture:
    """Return something that is no number (DECAL, DECAL, 4): bars, a word, a star of lines."""
    side = ball.DECAL
    drawn = np.zeros((side, side, 4), np.uint8)
    ink = (*(look.ink if rng.random() < 0.6 else _colour(rng)), 255)
    middle = side // 2
    kind = rng.integers(3)
    if kind == 0:
        at = middle - 24
        while at < middle + 24:
            thick = int(rng.integers(1, 4))
            cv2.rectangle(drawn, (at, middle - 14), (at + thick, middle + 14), ink, -1)
            at += thick + int(rng.integers(1, 4))
    elif kind == 1:
        word = WORDS[int(rng.integers(len(WORDS)))]
        scale = float(rng.uniform(0.3, 0.6))
        cv2.putText(
            drawn, word, (middle - 30, middle), cv2.FONT_HERSHEY_DUPLEX, scale, ink, 1, cv2.LINE_AA
        )
    else:
        for turn in np.arange(5) * (2 * math.pi / 5):
            end = (round(middle + 16 * math.cos(turn)), round(middle + 16 * math.sin(turn)))
            cv2.line(drawn, (middle, middle), end, ink, 3, cv2.LINE_AA)
    return drawn


def _background(rng: Rng, side: int) -> Picture:
    """Return what is behind: even, in patches, or lights out of focus."""
    few = int(rng.choice([1, 2, 3, 6, 12]))
    spots = rng.uniform(0, 255, (few, few, 3)).astype(np.float32)
    page = np.asarray(cv2.resize(spots, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)
    if rng.random() < 0.25:
        for _light in range(int(rng.integers(2, 9))):
            at = tuple(int(each) for each in rng.integers(0, side, 2))
            lit = page.copy()
            cv2.circle(
                lit,
                at,
                int(rng.uniform(0.05, 0.25) * side) + 1,
                rng.uniform(60, 255, 3).tolist(),
                -1,
            )
            page = page * 0.5 + lit * 0.5
    return np.clip(page, 0, 255).astype(np.uint8)


def _beside(
    rng: Rng, page: Picture, size: int, fonts: Sequence[Path], *, far: tuple[float, float]
) -> None:
    """Put another ball, with a number of its own, where it touches or hides a part of this one."""
    other, surface = _look(rng, fonts)
    width = round(size * rng.uniform(0.85, 1.15))
    bare = _unlit(rng, other, surface, int(rng.integers(1, 91)), style.facing(rng, 70), width)
    towards, off = rng.uniform(0, 2 * math.pi), size * rng.uniform(*far)
    at = (page.shape[0] - width) / 2 + off * np.array([math.cos(towards), math.sin(towards)])
    painted = ball.light(other, size=width, rng=rng).on(bare)
    samples.place(page, painted, ball.cover(width), (round(at[0]), round(at[1])))


def _perspex(rng: Rng, page: Picture) -> None:
    """Lay a haze over a picture, and the edges of what it is seen through."""
    side = page.shape[0]
    haze = float(rng.uniform(0.0, 0.35))
    veil = page.astype(np.float32) * (1 - haze) + 235 * haze
    for _edge in range(int(rng.integers(1, 4))):
        (x0, y0), (x1, y1) = rng.uniform(-0.1, 1.1, (2, 2)) * side
        lit = veil.copy()
        cv2.line(
            lit,
            (int(x0), int(y0)),
            (int(x1), int(y1)),
            (245, 245, 245),
            max(1, side // 40),
            cv2.LINE_AA,
        )
        veil = veil * 0.4 + lit * 0.6
    page[:] = np.clip(veil, 0, 255).astype(np.uint8)
