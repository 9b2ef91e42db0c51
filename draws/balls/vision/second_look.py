"""Look a second time at a ball that the first look left in doubt: whole, in colour, all round.

The first look (`reader.py`) finds a number, cuts it out and reads it in black and white. This one
sees the ball as it lies among others, turned to 24 sides and from three distances, and reads it by
two networks taught apart. It takes some twenty times as long, and is asked only where the caller
would be: docs/reading-balls.md says what it reads that the first does not. A third network,
shown it whole too, tells a coin from a ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.network import (
    NUMBERS,
    TENS,
    UNITS,
    Glance,
    Network,
    Scores,
    number_shares,
    sureness,
)

Picture = NDArray[np.uint8]

SIDE = 64  # pixels of what a network sees
NARROWEST, WIDEST = 0.7, 1.05  # ball radii from the middle of what is seen to its edge
NETWORKS = tuple(Path(__file__).parent / f"whole{each}.onnx" for each in (1, 2))
TURNS = np.arange(0.0, 360.0, 15.0)  # degrees
DISTANCES = (1.0, 0.85, 0.72)  # ball radii, as NARROWEST and WIDEST
CLEAREST = 4  # views of which a number's share is the mean


@dataclass(frozen=True, slots=True)
class View:
    """What a network is shown: turned back by `angle` degrees, `wide` ball radii to its edge."""

    angle: float
    wide: float


VIEWS = tuple(View(float(angle), wide) for wide in DISTANCES for angle in TURNS)


COIN_NETWORK = Path(__file__).with_name("coin.onnx")
COIN_VIEWS = tuple(View(float(angle), WIDEST) for angle in range(0, 360, 45))
# Sureness from which it is a coin: of 300 rendered coins 98 % reach it, of 131 balls in doubt none.
LIKELY = 0.7


class SecondLook:
    """Reads whole balls; not to be shared between threads. `zeros`: the balls read 06, not 6."""

    def __init__(self, networks: Sequence[Path] = NETWORKS, *, zeros: bool = False) -> None:
        """Load the networks."""
        self._networks = [Network(each) for each in networks]
        self._zeros = zeros

    def look(
        self, picture: Picture, *, centre: tuple[float, float], radius: float, first: Glance
    ) -> list[Glance]:
        """Return what each network reads of the ball at this centre and radius, in pixels.

        `first` is the first look at it: what it says of the light holds for this one too.
        """
        seen = evened(views(picture, VIEWS, centre=centre, radius=radius))
        return [self._glance(network.look(seen), first) for network in self._networks]

    def angle_of(
        self, picture: Picture, number: int, *, centre: tuple[float, float], radius: float
    ) -> tuple[float, float]:
        """Return how far a ball of a known number is turned, in degrees, and how surely it is seen so."""
        seen = evened(views(picture, VIEWS, centre=centre, radius=radius))
        each = np.mean([self._shares(network.look(seen)) for network in self._networks], axis=0)
        best = int(each[:, number].argmax())
        return VIEWS[best].angle, float(each[best, number])

    def _shares(self, scores: Scores) -> Scores:
        whole = np.ones(len(scores))
        legible = sureness(scores[:, TENS + UNITS])[:, None]
        return np.asarray(number_shares(scores, whole, zeros=self._zeros) * legible, np.float64)

    def _glance(self, scores: Scores, first: Glance) -> Glance:
        each = self._shares(scores)
        clearest = np.sort(each, axis=0)[-CLEAREST:]
        weights = clearest.mean(axis=0)
        number, second = (int(number) for number in np.argsort(-weights)[:2])
        best = np.argsort(-each[:, number])[:CLEAREST]
        marked = sureness(scores[best, TENS + UNITS + 1])
        return Glance(
            number=number,
            confidence=float(weights[number]),
            runner_up=second,
            second=float(weights[second]),
            angle=VIEWS[best[0]].angle,
            marked=float(marked.mean()),
            weights=np.asarray(weights).reshape(NUMBERS),
            glare=first.glare,
            sharp=first.sharp,
            headed=first.headed,
        )


def is_coin(picture: Picture, *, centre: tuple[float, float], radius: float) -> bool:
    """Return whether a coin lies there and no ball: its number stands out of metal, and is no print."""
    seen = evened(views(picture, COIN_VIEWS, centre=centre, radius=radius))
    return bool(sureness(_coin_network().look(seen)).mean() > LIKELY)


@cache
def _coin_network() -> Network:
    return Network(COIN_NETWORK)


def views(
    picture: Picture, shown: Sequence[View], *, centre: tuple[float, float], radius: float
) -> NDArray[np.float32]:
    """Return a ball as it is to be seen (n, SIDE, SIDE, 3), 0 to 1, of a picture (h, w, 3) in BGR."""
    small, (x, y), size = _reduced(picture, centre, radius)
    seen = np.empty((len(shown), SIDE, SIDE, 3), np.float32)
    for place, view in zip(seen, shown, strict=True):
        step = 2 * view.wide * size / SIDE  # pixels of the picture to each that is seen
        cos, sin = np.cos(np.radians(view.angle)) * step, np.sin(np.radians(view.angle)) * step
        half = (SIDE - 1) / 2
        back = np.array([[cos, -sin, x - half * (cos - sin)], [sin, cos, y - half * (sin + cos)]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        place[:] = cv2.warpAffine(
            small, back, (SIDE, SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(seen / 255, np.float32)


def _reduced(
    picture: Picture, centre: tuple[float, float], radius: float
) -> tuple[Picture, tuple[float, float], float]:
    """Cut the ball out, made small enough that no thin stroke falls between two pixels."""
    reach = int(np.ceil(radius * WIDEST * 1.5))
    left, top = max(0, int(centre[0]) - reach), max(0, int(centre[1]) - reach)
    part = picture[top : int(centre[1]) + reach + 1, left : int(centre[0]) + reach + 1]
    middle = (centre[0] - left, centre[1] - top)
    scale = SIDE * 0.75 / radius
    if scale >= 1 or not part.size:
        return part, middle, radius
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    shifted = ((middle[0] + 0.5) * scale - 0.5, (middle[1] + 0.5) * scale - 0.5)
    return np.asarray(small, np.uint8), shifted, radius * scale


def evened(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return pictures (n, h, w, 3) as the networks see them (n, 3, h, w): about 0, whatever the light."""
    middle = seen.mean(axis=(1, 2, 3), keepdims=True)
    spread = seen.std(axis=(1, 2, 3), keepdims=True)
    even = ((seen - middle) / (spread + 0.05)).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(even, np.float32)
