"""Lessons in finding numbers: balls turned upright, or wrongly on purpose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from draws.vision.training import samples
from draws.vision.training.gather import Gathered
from draws.vision.turning import cut, evened

FASTEST = 2e-3  # the learning rate at its height
WRONG = 0.45  # the share shown at a wrong angle
UPRIGHT = 20.0  # degrees: the search turns by 30, so the best is never further off than 15
ASKEW = 30.0  # degrees from which on an angle is wrong
USUAL = 0.55  # ball radii: what a tallness is told against

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Batch:
    """One step of learning.

    `pictures` (n, 3, SIDE, SIDE); `upright` 0 or 1, below 0 where not to be judged; `placed` (n, 4)
    what stands upright: how far askew, the middle's two parts, how tall, as the locator tells it.
    """

    pictures: Tensor
    upright: Tensor
    placed: Tensor


def batch(gathered: Gathered, chosen: NDArray[np.int64], rng: np.random.Generator) -> Batch:
    """Make a lesson of some of the pictures."""
    numbers = gathered.numbers[chosen].astype(np.int64)
    angles = gathered.angles[chosen].astype(np.float64)
    others = gathered.others[chosen].astype(np.float64)
    readable = numbers != samples.NO_NUMBER
    wrong = rng.random(len(chosen)) < WRONG
    shown = _shown(rng, angles, wrong, readable)
    twin = np.array(
        [
            samples.turns(int(n), bool(z))
            for n, z in zip(numbers, gathered.zeros[chosen], strict=True)
        ]
    )
    askew = _off(angles, shown)
    # Other prints that happen to stand upright, and numbers legible both ways, are not to blame.
    beside = ((np.abs(_off(shown[:, None], others)) < ASKEW) & (others < 720)).any(axis=1)
    mirror = twin & ~gathered.marked[chosen] & (np.abs(askew) > 180 - ASKEW)
    legible = readable & ~wrong
    upright = np.where(legible, 1.0, np.where(beside | mirror, -1.0, 0.0))
    return Batch(
        _turned(gathered.pictures[chosen], shown, rng),
        torch.from_numpy(upright).float(),
        torch.from_numpy(_placed(gathered, chosen, shown, askew)).float(),
    )


def _placed(gathered: Gathered, chosen: NDArray[np.int64], shown: Reals, askew: Reals) -> Reals:
    """Give what the locator is to tell of each picture as it is shown (n, 4)."""
    out = gathered.places[chosen][:, :2, 2].astype(np.float64)
    turn = np.radians(shown)
    x = out[:, 0] * np.cos(turn) + out[:, 1] * np.sin(turn)
    y = -out[:, 0] * np.sin(turn) + out[:, 1] * np.cos(turn)
    tall = np.log(np.maximum(gathered.talls[chosen], 0.05) / USUAL)
    return np.stack([askew / UPRIGHT, x, y, tall], axis=1)


def wrong(scores: Tensor, lesson: Batch) -> Tensor:
    """Give how wrong the locator is, of what may be judged."""
    judged = lesson.upright >= 0
    upright = functional.binary_cross_entropy_with_logits(scores[judged, 0], lesson.upright[judged])
    there = lesson.upright > 0
    placed = functional.smooth_l1_loss(scores[there, 1:], lesson.placed[there], beta=0.1)
    return upright + 3.0 * placed


def right(scores: Tensor, lesson: Batch) -> float:
    """Give the share of balls judged rightly to be upright or not."""
    judged = lesson.upright >= 0
    return float(((scores[judged, 0] > 0) == (lesson.upright[judged] > 0.5)).float().mean())


def _shown(
    rng: np.random.Generator, angles: Reals, wrong: NDArray[np.bool_], readable: NDArray[np.bool_]
) -> Reals:
    """Give the angle each picture is turned back by: its own, or a wrong one, often upside down."""
    count = len(angles)
    near = angles + rng.uniform(-UPRIGHT, UPRIGHT, count)
    far = angles + rng.choice([-1, 1], count) * rng.uniform(ASKEW, 180, count)
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
