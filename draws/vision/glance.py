"""Reading one picture of one ball: looked at from all round, and how sure one may be."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from draws.vision.network import MODEL, TENS, UNITS, Network, turned

Picture = NDArray[np.uint8]
Scores = NDArray[np.float64]

STEP = 30.0  # degrees between two looks of the search; the network reads what is 18 askew
FINE = 12.0  # degrees to either side of the best looks, where they are looked at again
BEST = 3  # looks worth a second one
NUMBERS = 100


@dataclass(frozen=True, slots=True)
class Glance:
    """What one picture says.

    `number` and `runner_up` are the two likeliest, 0 to 99, whether or not a set has them; their
    shares are 0 to 1, and how legible anything was goes into both. `angle` is how far the number
    is turned clockwise, in degrees; `marked` how surely there is a mark at its foot. `weights`
    gives every number's share (100,).
    """

    number: int | None
    confidence: float
    runner_up: int | None
    second: float
    angle: float
    marked: float
    weights: Scores


class Eye:
    """Reads balls with one network; not to be shared between threads.

    `zeros`: the balls read 06, not 6. Who says so of a set that has none would have 90, upside
    down, doubted for nothing; who keeps silent of one that has would have 06 read as 90.
    """

    def __init__(self, model: Path | None = None, *, zeros: bool = False) -> None:
        self._network = Network(model or MODEL)
        self._zeros = zeros

    def look(
        self,
        picture: Picture,
        *,
        centre: tuple[float, float],
        radius: float,
        near: float | None = None,
    ) -> Glance:
        """Read the ball at this centre and radius, in pixels, of a picture (h, w, 3) in BGR.

        `near`, an angle found before, has only its neighbourhood searched.
        """
        if near is None:
            angles = np.arange(0.0, 360.0, STEP)
            scores = self._look(picture, angles, centre, radius)
            best = angles[np.argsort(-_clarity(scores))[:BEST]]
        else:
            angles = np.array([near])
            scores = self._look(picture, angles, centre, radius)
            best = angles
        again = np.concatenate([best - FINE, best + FINE])
        scores = np.concatenate([scores, self._look(picture, again, centre, radius)])
        return _glance(scores, np.concatenate([angles, again]) % 360, zeros=self._zeros)

    def _look(
        self, picture: Picture, angles: Scores, centre: tuple[float, float], radius: float
    ) -> Scores:
        shown = turned(picture, angles, centre=centre, radius=radius)
        return self._network.look(shown).astype(np.float64)


def _clarity(scores: Scores) -> Scores:
    """Give how clearly each look (n, …) shows some number upright, 0 to 1."""
    tens = _shares(scores[:, :TENS]).max(axis=1)
    units = _shares(scores[:, TENS : TENS + UNITS]).max(axis=1)
    return np.asarray(_sureness(scores[:, TENS + UNITS]) * tens * units)


def _glance(scores: Scores, angles: Scores, *, zeros: bool) -> Glance:
    tens = _shares(scores[:, :TENS])
    units = _shares(scores[:, TENS : TENS + UNITS])
    upright = _sureness(scores[:, TENS + UNITS])
    numbers = upright[:, None] * _numbers(tens, units, zeros=zeros)
    # A number is as likely as its clearest look; what nobody saw clearly is likely nothing.
    weights = numbers.max(axis=0)
    first, second = np.argsort(-weights)[:2]
    look = int(numbers[:, first].argmax())
    return Glance(
        number=int(first),
        confidence=float(weights[first]),
        runner_up=int(second),
        second=float(weights[second]),
        angle=float(angles[look]),
        marked=float(_sureness(scores[look : look + 1, TENS + UNITS + 1])[0]),
        weights=weights,
    )


def _numbers(tens: Scores, units: Scores, *, zeros: bool) -> Scores:
    """Give each number's share (n, 100) of a look; where zeros are printed 06 is as good as 6."""
    found = np.einsum("nt,nu->ntu", tens[:, : TENS - 1], units).reshape(-1, NUMBERS)
    found[:, :10] = tens[:, TENS - 1 :] * units + found[:, :10] * zeros
    return np.asarray(found)


def _shares(scores: Scores) -> Scores:
    risen = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(risen / risen.sum(axis=1, keepdims=True))


def _sureness(scores: Scores) -> Scores:
    return np.asarray(1 / (1 + np.exp(-scores)))
