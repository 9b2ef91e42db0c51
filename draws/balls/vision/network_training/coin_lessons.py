"""Train the network that tells a coin from a ball (`images.is_coin`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from draws.balls.vision.network_training import samples
from draws.balls.vision.network_training.networks import Subject, layer
from draws.balls.vision.network_training.samples import Gathered
from draws.balls.vision.network_training.whole_balls import turned_back


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
