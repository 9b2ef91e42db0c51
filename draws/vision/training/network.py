"""The network that reads one ball: small enough to look at it from all sides within a blink."""

from __future__ import annotations

from torch import Tensor, nn

from draws.vision.network import SIDE, TENS, UNITS


class Reader(nn.Module):
    """Pictures (n, 3, SIDE, SIDE) in; out (n, TENS + UNITS + 2).

    The scores of the tens (the last one for none), of the units, of being upright and legible,
    and of a mark at the foot; raw, before softmax and sigmoid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            _layer(3, 16, 5, stride=2),
            _layer(16, 32, 3),
            nn.MaxPool2d(2),
            _layer(32, 64, 3),
            nn.MaxPool2d(2),
            _layer(64, 96, 3),
            _layer(96, 64, 3),
            nn.Flatten(),
        )
        places = (SIDE // 8) ** 2
        self.told = nn.Sequential(
            nn.Dropout(0.1),
            nn.Linear(64 * places, 128),
            nn.ReLU(inplace=True),
            nn.Linear(128, TENS + UNITS + 2),
        )

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the pictures."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


def _layer(into: int, out: int, size: int, *, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )
