"""Values that pass between a camera and its listeners: frames, spots, readings, faults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]  # (height, width, 3) blue-green-red, or (height, width) grey
Reals = npt.NDArray[np.float32]

Fault = Literal[
    "no_signal", "frozen", "dark", "out_of_focus", "moved", "covered", "wrong_rate"
]  # fmt: skip
FAULTS: tuple[Fault, ...] = (
    "no_signal", "frozen", "dark", "covered", "moved", "out_of_focus", "wrong_rate",
)  # fmt: skip
Kind = Literal["empty", "ball", "partial", "several", "other"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: `at` in seconds since its start, `index` counted from 0."""

    picture: Picture
    at: float
    index: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a ball is, in pixels of the frame."""

    x: float
    y: float
    radius: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, across and down."""
        return self.x, self.y

    @classmethod
    def median(cls, spots: Iterable[Spot]) -> Spot:
        """Return the middle of several, each of its three parts by itself."""
        x, y, radius = np.median([(spot.x, spot.y, spot.radius) for spot in spots], axis=0)
        return cls(float(x), float(y), float(radius))


@dataclass(frozen=True, slots=True)
class Sight:
    """What the exit area holds: `spot` only for a single whole ball."""

    kind: Kind
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class BallReading:
    """A ball that came to rest: a number, or the reason why none is given.

    `confidence` from 0 to 1; `candidates` best first; `at` the seconds of the reading, `rested`
    those of the ball's rest; `picture` a JPEG of the exit area.
    """

    number: int | None
    confidence: float
    runner_up: int | None
    candidates: tuple[tuple[int, float], ...]
    reason: str
    at: float
    frame: int
    rested: float
    picture: bytes
    file: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """A fault of the camera that began (`on`) or ended."""

    fault: Fault
    on: bool
    at: float
    frame: int


Event = BallReading | Health
