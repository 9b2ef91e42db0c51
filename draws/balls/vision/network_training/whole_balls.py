"""Train the networks that read a whole ball, turned upright: `second_look` is who asks them.

They see the ball in colour with what is beside it, so that they learn which of the prints in sight
are its own, and need nobody to tell them where on it a number stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from draws.balls.vision.network import TENS
from draws.balls.vision.network_training import samples
from draws.balls.vision.network_training.lessons import (
    IGNORED,
    LOST,
    WHOLE,
    reading_right,
    reading_wrong,
)
from draws.balls.vision.network_training.networks import READ, Subject, layer
from draws.balls.vision.network_training.samples import Gathered
from draws.balls.vision.second_look import NARROWEST, SIDE, WIDEST

WRONG = 0.35  # the share shown at a wrong angle
UPRIGHT, ASKEW = (
    13.0,
    30.0,
)  # degrees off within which a number is upright, and from which it is not
BESIDE = 0.10  # ball radii that the middle may be badly found by
HALF = (0.45, 0.68)  # heights of the digits from a number's middle to its side: one figure, two
OTHERS = 0.4  # the share of pictures that have another ball of the lesson laid behind them


class WholeBall(nn.Module):
    """Balls (n, 3, SIDE, SIDE) in; out (n, READ) as of `networks.Reader`."""

    def __init__(self) -> None:
        """Lay out the layers."""
        super().__init__()
        self.seen = nn.Sequential(
            layer(3, 16, 3), layer(16, 32, 3, stride=2), layer(32, 48, 3), layer(48, 72, 3, stride=2),
            layer(72, 96, 3), layer(96, 128, 3, stride=2), layer(128, 160, 3), nn.Flatten(),
        )  # fmt: skip
        self.told = nn.Sequential(
            nn.Linear(160 * (SIDE // 8) ** 2, 176), nn.ReLU(inplace=True), nn.Dropout(0.15),
            nn.Linear(176, READ),
        )  # fmt: skip

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the pictures."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


@dataclass(frozen=True, slots=True)
class WholeBatch:
    """One step of learning, its truth as in `lessons.ReadingBatch`; `pictures` (n, 3, SIDE, SIDE)."""

    pictures: Tensor
    tens: Tensor
    units: Tensor
    legible: Tensor
    marked: Tensor


def whole_batch(
    gathered: Gathered, chosen: NDArray[np.int64], rng: np.random.Generator
) -> WholeBatch:
    """Make a lesson of some of the pictures."""
    count = len(chosen)
    numbers, zeros = gathered.numbers[chosen].astype(np.int64), gathered.zeros[chosen]
    angles, others = gathered.angles[chosen].astype(float), gathered.others[chosen].astype(float)
    readable = numbers != samples.NO_NUMBER
    near = angles + rng.uniform(-UPRIGHT, UPRIGHT, count)
    upside = angles + 180 + rng.uniform(-25, 25, count)
    far = np.where(rng.random(count) < 0.35, upside, rng.uniform(0, 360, count))
    wrong = rng.random(count) < WRONG
    shown = np.where(readable & ~wrong, near, far)
    off = _apart(angles, shown)
    beside = ((_apart(others, shown[:, None]) < ASKEW) & (others < 720)).any(axis=1)
    twin = np.array([samples.turns(int(n), bool(z)) for n, z in zip(numbers, zeros, strict=True)])
    mirror = readable & twin & ~gathered.marked[chosen] & (off > 180 - ASKEW)

    wide = np.exp(rng.uniform(math.log(NARROWEST * 0.9), math.log(WIDEST * 1.1), count))
    place = gathered.places[chosen][:, :2, 2].astype(float)
    towards = np.where(rng.random(count) < 0.5, rng.random(count), 0.0)[:, None]
    middle = place * towards + rng.uniform(-BESIDE, BESIDE, (count, 2))
    half = gathered.talls[chosen] * np.where((numbers < 10) & ~zeros, *HALF)
    cut = np.abs(place - middle).max(axis=1) + half - wide
    hidden = gathered.hiddens[chosen]
    legible = readable & (off <= UPRIGHT) & (cut < 0.02) & (hidden < LOST)
    unsure = ~legible & (
        mirror | beside | (readable & (off < ASKEW) & (cut < 0.2) & (hidden < LOST))
    )
    unsure |= legible & (hidden > WHOLE)
    tens = np.where((numbers < 10) & ~zeros, TENS - 1, numbers // 10)
    return WholeBatch(
        turned_back(gathered.pictures[chosen], shown, middle, wide, rng),
        torch.from_numpy(np.where(legible, tens, IGNORED)),
        torch.from_numpy(np.where(legible, numbers % 10, IGNORED)),
        torch.from_numpy(np.where(unsure, -1.0, legible.astype(float))).float(),
        torch.from_numpy(np.where(legible, gathered.marked[chosen].astype(float), -1.0)).float(),
    )


def _apart(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.abs((first - second + 180) % 360 - 180))


def turned_back(
    pictures: NDArray[np.uint8],
    turned: NDArray[np.float64],
    middle: NDArray[np.float64],
    wide: NDArray[np.float64],
    rng: np.random.Generator,
) -> Tensor:
    """Turn each picture back by its angle, as near as `wide` ball radii, in another light."""
    torch.manual_seed(int(rng.integers(2**31)))
    balls = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
    radius = 2 * samples.RADIUS / samples.SIDE
    grid = _grid(turned, middle * radius, wide * radius)
    seen = _recoloured(_sampled(balls, grid))
    count = len(pictures)
    if rng.random() < OTHERS / 0.6:
        # Another ball lies behind and beside, with its own print: what is read must be the ball's.
        turn, far = torch.rand(count) * 2 * math.pi, torch.rand(count) * 0.6 + 1.35
        at = torch.stack([far * torch.cos(turn), far * torch.sin(turn)], 1).numpy()
        roll = np.asarray(torch.rand(count) * 360)
        beside = _sampled(balls.roll(1, 0), _grid(roll, at, np.full(count, 1.0)))
        soft = torch.sigmoid((radius * 1.02 - grid.norm(dim=3)) * 40)[:, None]
        soft = torch.where(torch.rand(count, 1, 1, 1) < 0.6, soft, torch.ones(()))
        seen = seen * soft + _recoloured(beside) * (1 - soft)
    if rng.random() < 0.3:
        seen = functional.avg_pool2d(seen, 3, 1, 1)
    if rng.random() < 0.2:
        y, x = (int(each) for each in rng.integers(0, SIDE - 9, 2))
        seen[:, :, y : y + 9, x : x + 9] = torch.rand(1)
    seen = seen + torch.randn_like(seen) * torch.rand(count, 1, 1, 1) * 0.05
    return evened(seen)


def evened(pictures: Tensor) -> Tensor:
    """Return pictures as the networks see them: about 0, whatever the light (see `second_look`)."""
    spread = pictures.std((1, 2, 3), keepdim=True, correction=0)
    return (pictures - pictures.mean((1, 2, 3), keepdim=True)) / (spread + 0.05)


def _grid(
    turned: NDArray[np.float64], middle: NDArray[np.float64], wide: NDArray[np.float64]
) -> Tensor:
    cos, sin = np.cos(np.radians(turned)) * wide, np.sin(np.radians(turned)) * wide
    moved = np.stack(
        [np.stack([cos, -sin, middle[:, 0]], 1), np.stack([sin, cos, middle[:, 1]], 1)], 1
    )
    size = [len(turned), 3, SIDE, SIDE]
    return functional.affine_grid(torch.from_numpy(moved).float(), size, align_corners=False)


def _sampled(balls: Tensor, grid: Tensor) -> Tensor:
    return functional.grid_sample(balls, grid, padding_mode="border", align_corners=False)


def _recoloured(seen: Tensor) -> Tensor:
    """Change colours and contrast, and turn some into negatives: shapes matter, not colours."""
    count = len(seen)
    if torch.rand(1) < 0.5:
        seen = seen[:, torch.randperm(3)]
    plain, kept = seen.mean(1, keepdim=True), torch.rand(count, 1, 1, 1)
    seen = seen * kept + plain * (1 - kept)
    middle = seen.mean((1, 2, 3), keepdim=True)
    seen = (seen - middle) * (torch.rand(count, 1, 1, 1) + 0.5) + middle
    negative = (torch.rand(count, 1, 1, 1) < 0.1).float()
    return seen * (1 - negative) + (1 - seen) * negative


WHOLE_BALL = Subject(whole_batch, reading_wrong, reading_right, fastest=3e-3)
