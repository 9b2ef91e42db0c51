"""Training batches for the locator and the reader, right and wrong on purpose.

The locator learns from balls turned upright, or wrongly. The reader learns from numbers as they
stand, and from all that is none: askew, half in sight, too near. A network of its own learns to tell a coin from a ball (`second_look.is_coin`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from draws.balls.vision import facing
from draws.balls.vision.facing import REACH, SIDE, cut, evened
from draws.balls.vision.network import TENS, UNITS
from draws.balls.vision.network_training import samples
from draws.balls.vision.network_training.networks import Subject, layer
from draws.balls.vision.network_training.samples import Gathered
from draws.balls.vision.network_training.whole_balls import turned_back

LOCATING_WRONG = 0.45  # the share shown at a wrong angle
UPRIGHT = 20.0  # degrees: the search turns by 30, so the best is never further off than 15
LOCATING_ASKEW = 30.0  # degrees from which on an angle is wrong
USUAL = 0.55  # ball radii: what a tallness is told against

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LocatingBatch:
    """One step of learning.

    `pictures` (n, 3, SIDE, SIDE); `upright` 0 or 1, below 0 where not to be judged; `placed` (n, 4)
    what stands upright: how far askew, the middle's two parts, how tall, as the locator tells it.
    """

    pictures: Tensor
    upright: Tensor
    placed: Tensor


def locating_batch(
    gathered: Gathered, chosen: NDArray[np.int64], rng: np.random.Generator
) -> LocatingBatch:
    """Make a lesson of some of the pictures."""
    numbers = gathered.numbers[chosen].astype(np.int64)
    angles = gathered.angles[chosen].astype(np.float64)
    others = gathered.others[chosen].astype(np.float64)
    readable = numbers != samples.NO_NUMBER
    wrong = rng.random(len(chosen)) < LOCATING_WRONG
    shown = _turned_angles(rng, angles, wrong, readable)
    twin = np.array(
        [
            samples.turns(int(n), bool(z))
            for n, z in zip(numbers, gathered.zeros[chosen], strict=True)
        ]
    )
    askew = _off(angles, shown)
    # Other prints that happen to stand upright, and numbers legible both ways, are not to blame.
    beside = ((np.abs(_off(shown[:, None], others)) < LOCATING_ASKEW) & (others < 720)).any(axis=1)
    mirror = twin & ~gathered.marked[chosen] & (np.abs(askew) > 180 - LOCATING_ASKEW)
    legible = readable & ~wrong
    upright = np.where(legible, 1.0, np.where(beside | mirror, -1.0, 0.0))
    return LocatingBatch(
        _turned(gathered.pictures[chosen], shown, rng),
        torch.from_numpy(upright).float(),
        torch.from_numpy(_placed(gathered, chosen, shown, askew)).float(),
    )


def _placed(gathered: Gathered, chosen: NDArray[np.int64], shown: Reals, askew: Reals) -> Reals:
    """Return what the locator is to tell of each picture as it is shown (n, 4)."""
    out = gathered.places[chosen][:, :2, 2].astype(np.float64)
    turn = np.radians(shown)
    x = out[:, 0] * np.cos(turn) + out[:, 1] * np.sin(turn)
    y = -out[:, 0] * np.sin(turn) + out[:, 1] * np.cos(turn)
    tall = np.log(np.maximum(gathered.talls[chosen], 0.05) / USUAL)
    return np.stack([askew / UPRIGHT, x, y, tall], axis=1)


def locating_wrong(scores: Tensor, lesson: LocatingBatch) -> Tensor:
    """Return how wrong the locator is, of what may be judged."""
    judged = lesson.upright >= 0
    upright = functional.binary_cross_entropy_with_logits(scores[judged, 0], lesson.upright[judged])
    there = lesson.upright > 0
    placed = functional.smooth_l1_loss(scores[there, 1:], lesson.placed[there], beta=0.1)
    return upright + 3.0 * placed


def locating_right(scores: Tensor, lesson: LocatingBatch) -> float:
    """Return the share of balls judged rightly to be upright or not."""
    judged = lesson.upright >= 0
    return float(((scores[judged, 0] > 0) == (lesson.upright[judged] > 0.5)).float().mean())


def _turned_angles(
    rng: np.random.Generator, angles: Reals, wrong: NDArray[np.bool_], readable: NDArray[np.bool_]
) -> Reals:
    """Return the angle each picture is turned back by: its own, or a wrong one, often upside down."""
    count = len(angles)
    near = angles + rng.uniform(-UPRIGHT, UPRIGHT, count)
    far = angles + rng.choice([-1, 1], count) * rng.uniform(LOCATING_ASKEW, 180, count)
    upside = angles + 180 + rng.uniform(-UPRIGHT, UPRIGHT, count)
    mistaken = np.where(rng.random(count) < 0.35, upside, far)
    return np.asarray(np.where(readable & ~wrong, near, mistaken))


def _off(first: NDArray[np.float64], second: NDArray[np.float64]) -> Reals:
    return np.asarray((first - second + 180) % 360 - 180)


def _turned(pictures: NDArray[np.uint8], angles: Reals, rng: np.random.Generator) -> Tensor:
    """Turn each picture back by its angle and cut it to what the locator sees."""
    count = len(pictures)
    # A circle is not always found where it is, nor as large.
    radii = samples.RADIUS * rng.uniform(0.95, 1.05, count)
    middles = (samples.SIDE - 1) / 2 + samples.RADIUS * rng.uniform(-0.035, 0.035, (count, 2))
    shown = [
        cut(picture, np.array([angle]), centre=(float(x), float(y)), radius=float(radius))[0]
        for picture, angle, (x, y), radius in zip(pictures, angles, middles, radii, strict=True)
    ]
    return torch.from_numpy(evened(_recoloured(np.stack(shown), rng)))


def _recoloured(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Swap the colours of some and turn others into negatives: shapes matter, not colours."""
    if rng.random() < 0.5:
        pictures = pictures[..., rng.permutation(3)]
    negative = rng.random(len(pictures)) < 0.2
    pictures[negative] = 255 - pictures[negative]
    return pictures


READING_WRONG = 0.4  # the share shown as none
READING_ASKEW = 9.0  # degrees a place may be badly found by
BESIDE = 0.11  # heights of the digits likewise
SCALED = 0.11  # of the logarithm of their height
# No typeface is like another: each time a number is shown its strokes wave by some shares of what
# is seen, it leans, and it is wider or narrower.
WAVED, WAVES = 0.03, (1.5, 4.5)
LEANT, WIDENED = 0.1, 0.1
IGNORED = -100  # what torch's cross entropy leaves out
SMOOTHING = 0.02
# Shares of a print washed out by light up to which it is legible, and from which on it is not: an 8
# has lost its left half, and is a 3, at a quarter of a number's print.
WHOLE, LOST = 0.08, 0.2


@dataclass(frozen=True, slots=True)
class ReadingBatch:
    """One step of learning.

    `pictures` (n, 1, SIDE, SIDE); `tens` and `units` IGNORED where nothing is to be read;
    `legible` and `marked` 0 or 1, below 0 where not to be judged.
    """

    pictures: Tensor
    tens: Tensor
    units: Tensor
    legible: Tensor
    marked: Tensor


def reading_batch(
    gathered: Gathered, chosen: NDArray[np.int64], rng: np.random.Generator
) -> ReadingBatch:
    """Make a lesson of some of the pictures."""
    numbers = gathered.numbers[chosen].astype(np.int64)
    zeros = gathered.zeros[chosen]
    readable = numbers != samples.NO_NUMBER
    wrong = rng.random(len(chosen)) < READING_WRONG
    count = len(chosen)
    turn = rng.uniform(-READING_ASKEW, READING_ASKEW, count)
    beside = rng.uniform(-BESIDE, BESIDE, (count, 2))
    scale = np.exp(rng.uniform(-SCALED, SCALED, count))
    fault = rng.integers(0, 5, count)
    upside = wrong & (fault <= 1)
    turn = np.where(upside, 180 + turn, turn)
    askew = wrong & (fault == 2)
    turn = np.where(askew, rng.choice([-1, 1], count) * rng.uniform(28, 150, count), turn)
    away = wrong & (fault >= 3)
    towards, far = rng.uniform(0, 2 * math.pi, count), rng.uniform(0.42, 1.3, count)
    # Most are pushed sideways: what is left in sight is one figure of two.
    towards = np.where(rng.random(count) < 0.6, np.round(towards / math.pi) * math.pi, towards)
    pushed = np.stack([far * np.cos(towards), far * np.sin(towards)], axis=1)
    beside = np.where(away[:, None], pushed, beside)
    legible = readable & ~wrong & (gathered.hiddens[chosen] < LOST)
    halved = legible & (gathered.hiddens[chosen] > WHOLE)
    twin = np.array([samples.turns(int(n), bool(z)) for n, z in zip(numbers, zeros, strict=True)])
    unsure = readable & upside & twin & ~gathered.marked[chosen]
    tens = np.where((numbers < 10) & ~zeros, TENS - 1, numbers // 10)
    pictures = _faced(gathered, chosen, turn, beside, scale, rng)
    return ReadingBatch(
        pictures,
        torch.from_numpy(np.where(legible, tens, IGNORED)),
        torch.from_numpy(np.where(legible, numbers % 10, IGNORED)),
        torch.from_numpy(np.where(unsure | halved, -1.0, legible.astype(float))).float(),
        torch.from_numpy(np.where(legible, gathered.marked[chosen].astype(float), -1.0)).float(),
    )


def _faced(
    gathered: Gathered,
    chosen: NDArray[np.int64],
    turn: Reals,
    beside: Reals,
    scale: Reals,
    rng: np.random.Generator,
) -> Tensor:
    """Turn each ball until its number faces the viewer, as far as the place is known."""
    count = len(chosen)
    unknown = rng.uniform(0.25, 0.9, count)
    tall = np.where(gathered.talls[chosen] > 0, gathered.talls[chosen], unknown) * scale
    radii = samples.RADIUS * rng.uniform(0.96, 1.04, count)
    middles = (samples.SIDE - 1) / 2 + samples.SIDE / 2 * rng.uniform(-0.03, 0.03, (count, 2))
    seen = np.empty((count, SIDE, SIDE, 3), np.uint8)
    seen_from = _seen(
        gathered.places[chosen], _bent(count, rng), turn, beside * tall[:, None], tall
    )
    for row, (index, where) in enumerate(zip(chosen, seen_from, strict=True)):
        across, down = np.moveaxis(where * radii[row] + middles[row], -1, 0).astype(np.float32)
        seen[row] = facing.taken(
            gathered.pictures[index], across, down, reach=REACH * tall[row], radius=radii[row]
        )
    return torch.from_numpy(facing.plain(seen))


def _bent(count: int, rng: np.random.Generator) -> Reals:
    """Return squares of points (n, SIDE * SIDE, 2), from -1 to 1, each bent in its own way."""
    line = (np.arange(SIDE) + 0.5) * 2 / SIDE - 1
    square = np.stack(np.meshgrid(line, line), axis=-1).reshape(1, -1, 2)
    far, phase = rng.normal(0, WAVED, (count, 1, 2)), rng.uniform(0, 2 * math.pi, (count, 1, 2))
    bent = square + far * np.sin(rng.uniform(*WAVES, (count, 1, 2)) * square[..., ::-1] + phase)
    bent[..., 0] += rng.uniform(-LEANT, LEANT, (count, 1)) * square[..., 1]
    bent[..., 0] *= np.exp(rng.uniform(-WIDENED, WIDENED, (count, 1)))
    return np.asarray(bent)


def _seen(
    places: NDArray[np.float32], square: Reals, turn: Reals, shift: Reals, tall: Reals
) -> Reals:
    """Return where on each ball, in radii, each pixel of its number lies (n, SIDE, SIDE, 2).

    `square` (n, SIDE * SIDE, 2) is where the pixels are of what is seen, from -1 to 1.
    """
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    turned = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], axis=1)
    flat = REACH * square @ turned * tall[:, None, None] + shift[:, None]
    up = np.sqrt(np.clip(1 - (flat**2).sum(-1, keepdims=True), 0, None))
    found = np.concatenate([flat, up], axis=-1) @ places[:, :2].transpose(0, 2, 1)
    return np.asarray(found.reshape(-1, SIDE, SIDE, 2))


def reading_wrong(scores: Tensor, lesson: ReadingBatch) -> Tensor:
    """Return how wrong the reader is, of what may be judged."""
    tens = functional.cross_entropy(
        scores[:, :TENS], lesson.tens, ignore_index=IGNORED, label_smoothing=SMOOTHING
    )
    units = functional.cross_entropy(
        scores[:, TENS : TENS + UNITS],
        lesson.units,
        ignore_index=IGNORED,
        label_smoothing=SMOOTHING,
    )
    legible, marked = scores[:, TENS + UNITS], scores[:, TENS + UNITS + 1]
    return (
        tens
        + units
        + _cross_entropy(legible, lesson.legible)
        + 0.3 * _cross_entropy(marked, lesson.marked)
    )


def reading_right(scores: Tensor, lesson: ReadingBatch) -> float:
    """Return the share of the numbers read right."""
    told = lesson.tens != IGNORED
    tens = scores[told, :TENS].argmax(1) == lesson.tens[told]
    units = scores[told, TENS : TENS + UNITS].argmax(1) == lesson.units[told]
    return float((tens & units).float().mean())


def _cross_entropy(scores: Tensor, truth: Tensor) -> Tensor:
    judged = truth >= 0
    return functional.binary_cross_entropy_with_logits(scores[judged], truth[judged])


LOCATING = Subject(locating_batch, locating_wrong, locating_right, fastest=2e-3)
READING = Subject(reading_batch, reading_wrong, reading_right, fastest=4e-3)


class Coin(nn.Module):
    """Rounds (n, 3, SIDE, SIDE) in; out (n, 1) raw scores of being a coin."""

    def __init__(self) -> None:
        """Lay out the layers."""
        super().__init__()
        self.seen = nn.Sequential(
            layer(3, 16, 5, stride=2), layer(16, 32, 3), layer(32, 48, 3, stride=2),
            layer(48, 64, 3), layer(64, 64, 3, stride=2), nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )  # fmt: skip
        self.told = nn.Sequential(nn.Dropout(0.2), nn.Linear(256, 1))

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the pictures."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


@dataclass(frozen=True, slots=True)
class CoinBatch:
    """One step of learning: `pictures` (n, 3, SIDE, SIDE), `coin` (n, 1) 0 or 1."""

    pictures: Tensor
    coin: Tensor


def coin_batch(
    gathered: Gathered, chosen: NDArray[np.int64], rng: np.random.Generator
) -> CoinBatch:
    """Make a lesson of some of the pictures; coins are those marked as such."""
    count = len(chosen)
    turned, wide = rng.uniform(0, 360, count), np.exp(rng.uniform(-0.1, 0.2, count))
    middle = rng.uniform(-0.1, 0.1, (count, 2))
    seen = turned_back(gathered.pictures[chosen], turned, middle, wide, rng)
    coin = gathered.numbers[chosen] == samples.COIN
    return CoinBatch(seen, torch.from_numpy(coin[:, None].astype(np.float32)))


def coin_wrong(scores: Tensor, lesson: CoinBatch) -> Tensor:
    """Return how wrong the scores are."""
    return functional.binary_cross_entropy_with_logits(scores, lesson.coin)


def coin_right(scores: Tensor, lesson: CoinBatch) -> float:
    """Return the share that is told right."""
    return float(((scores > 0) == (lesson.coin > 0.5)).float().mean())


COIN = Subject(coin_batch, coin_wrong, coin_right, fastest=2e-3)
