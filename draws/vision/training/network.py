"""The two networks as they are taught: small enough to look many times within a blink."""

from __future__ import annotations

from torch import Tensor, nn

from draws.vision import facing, turning
from draws.vision.network import TENS, UNITS

PLACED = 5  # upright, how far askew, the middle's two parts, how tall
READ = TENS + UNITS + 2


class Locator(nn.Module):
    """Balls (n, 3, 48, 48) in; out (n, PLACED), the first raw, the others as `locating` scales them."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            _layer(3, 16, 5, stride=2),
            _layer(16, 32, 3),
            nn.MaxPool2d(2),
            _layer(32, 56, 3),
            nn.MaxPool2d(2),
            _layer(56, 80, 3),
            _layer(80, 48, 3),
            nn.Flatten(),
        )
        self.told = _told(48 * (turning.SIDE // 8) ** 2, 64, PLACED)

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the balls."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


class Reader(nn.Module):
    """Reads a number that faces it.

    Numbers (n, 1, 40, 40) in; out (n, READ): the raw scores of the tens (the last one for none),
    of the units, of being upright, whole and legible, and of a mark at the foot.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            _layer(1, 24, 5, stride=2),
            _layer(24, 40, 3),
            nn.MaxPool2d(2),
            _layer(40, 64, 3),
            _layer(64, 64, 3),
            nn.MaxPool2d(2),
            _layer(64, 64, 3),
            nn.Flatten(),
        )
        self.told = _told(64 * (facing.SIDE // 8) ** 2, 72, READ)

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the numbers."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


def _told(places: int, width: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(0.1), nn.Linear(places, width), nn.ReLU(inplace=True), nn.Linear(width, out)
    )


def _layer(into: int, out: int, size: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )
