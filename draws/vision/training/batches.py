"""What the network is taught with: gathered pictures turned upright, or wrongly on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from draws.vision.marks import other_way_up
from draws.vision.network import RADIUS, SIDE, TENS, disc
from draws.vision.training import samples
from draws.vision.training.gather import Gathered

SIZE = 128
WRONG = 0.4  # the share shown at a wrong angle
UPRIGHT = 18.0  # degrees: the search turns by 30, so the best is never further off than 15
ASKEW = 30.0  # degrees from which on an angle is wrong
IGNORED = -100  # what torch's cross entropy leaves out


@dataclass(frozen=True, slots=True)
class Batch:
    """One step of learning.

    `pictures` (n, 3, SIDE, SIDE); `tens` and `units` IGNORED where nothing is to be read;
    `upright` and `marked` 0 or 1, below 0 where not to be judged.
    """

    pictures: Tensor
    tens: Tensor
    units: Tensor
    upright: Tensor
    marked: Tensor


def batches(gathered: Gathered, rng: np.random.Generator) -> Iterator[Batch]:
    """Give every picture once, in any order."""
    order = rng.permutation(len(gathered.numbers))
    for start in range(0, len(order) - SIZE + 1, SIZE):
        yield _batch(gathered, np.sort(order[start : start + SIZE]), rng)


def _batch(gathered: Gathered, chosen: np.ndarray, rng: np.random.Generator) -> Batch:
    numbers = gathered.numbers[chosen].astype(np.int64)
    angles = gathered.angles[chosen].astype(np.float64)
    others = gathered.others[chosen]
    readable = numbers != samples.NO_NUMBER
    wrong = rng.random(len(chosen)) < WRONG
    shown = _shown(rng, angles, wrong, readable)
    zeros = gathered.zeros[chosen]
    twin = np.array([_turns(int(n), bool(zero)) for n, zero in zip(numbers, zeros, strict=True)])
    away = np.abs(_off(shown, angles))
    # Other prints that happen to stand upright, and numbers legible both ways, are not to blame.
    beside = (np.abs(_off(shown[:, None], others)) < ASKEW).any(axis=1) & (others < 720).any(axis=1)
    unmarked = ~gathered.marked[chosen]
    mirror = twin & unmarked & (away > 180 - ASKEW)
    legible = readable & ~wrong
    upright = np.where(legible, 1.0, np.where(beside | mirror, -1.0, 0.0))
    tens = np.where((numbers < 10) & ~zeros, TENS - 1, numbers // 10)
    marked = np.where(legible, gathered.marked[chosen].astype(float), -1.0)
    return Batch(
        _turned(gathered.pictures[chosen], shown, rng),
        torch.from_numpy(np.where(legible, tens, IGNORED)),
        torch.from_numpy(np.where(legible, numbers % 10, IGNORED)),
        torch.from_numpy(upright).float(),
        torch.from_numpy(marked).float(),
    )


def _turns(number: int, zero: bool) -> bool:
    """Tell whether a number is legible upside down; with a zero before it or not."""
    return number > 0 and other_way_up(number, zeros=zero or number % 10 == 0) is not None


def _shown(
    rng: np.random.Generator, angles: np.ndarray, wrong: np.ndarray, readable: np.ndarray
) -> np.ndarray:
    """Give the angle each picture is turned back by: its own, or a wrong one, often upside down."""
    count = len(angles)
    near = angles + rng.uniform(-UPRIGHT, UPRIGHT, count)
    far = angles + rng.choice([-1, 1], count) * rng.uniform(ASKEW, 180, count)
    upside = angles + 180 + rng.uniform(-UPRIGHT, UPRIGHT, count)
    mistaken = np.where(rng.random(count) < 0.35, upside, far)
    return np.asarray(np.where(readable & ~wrong, near, mistaken))


def _off(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.asarray((first - second + 180) % 360 - 180)


def _turned(pictures: np.ndarray, angles: np.ndarray, rng: np.random.Generator) -> Tensor:
    """Turn each picture back by its angle and cut it to what the network sees."""
    seen = torch.from_numpy(pictures).permute(0, 3, 1, 2).float()
    count = len(pictures)
    # As RADIUS in SIDE is to samples.RADIUS in samples.SIDE, give or take a badly found circle.
    zoom = (SIDE / RADIUS) / (samples.SIDE / samples.RADIUS) * rng.uniform(0.93, 1.07, count)
    turn = np.radians(angles)
    shift = rng.uniform(-0.05, 0.05, (count, 2))
    rows = np.zeros((count, 2, 3), np.float32)
    rows[:, 0, 0], rows[:, 0, 1] = zoom * np.cos(turn), -zoom * np.sin(turn)
    rows[:, 1, 0], rows[:, 1, 1] = zoom * np.sin(turn), zoom * np.cos(turn)
    rows[:, :, 2] = shift
    grid = functional.affine_grid(
        torch.from_numpy(rows), [count, 3, SIDE, SIDE], align_corners=False
    )
    return _evened(_recoloured(functional.grid_sample(seen, grid, align_corners=False), rng))


def _recoloured(pictures: Tensor, rng: np.random.Generator) -> Tensor:
    """Swap the colours of some and turn others into negatives: shapes matter, not colours."""
    swap = rng.random() < 0.5
    pictures = pictures[:, torch.from_numpy(rng.permutation(3))] if swap else pictures
    negative = torch.from_numpy(rng.random(len(pictures)) < 0.2)
    pictures[negative] = 255 - pictures[negative]
    return pictures


def _evened(pictures: Tensor) -> Tensor:
    inside = torch.from_numpy(disc())
    within = pictures[:, :, inside].flatten(1)
    mean, spread = within.mean(dim=1), within.std(dim=1, unbiased=False)
    even: Tensor = (pictures - mean[:, None, None, None]) / (spread[:, None, None, None] + 4.0)
    return even * inside
