"""A trained network, and what it says of one picture of a ball: each number's share, and how sure."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.facing import NumberPlace

# From 1.29 on the library tells its maker of every network that is loaded, unless this stands there
# before it is: what a hall does is nobody's business.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

Scores = NDArray[np.float64]

NUMBERS = 100  # 0 to 99
TENS = 11  # 0 to 9, and none
UNITS = 10


class Network:
    """Looks at many pictures at once, on one core."""

    def __init__(self, model: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )

    @property
    def characters(self) -> list[str]:
        """Return the characters that a recogniser of text tells apart, in the order of its scores."""
        return list(self._session.get_modelmeta().custom_metadata_map["character"].splitlines())

    def look(self, pictures: NDArray[np.float32]) -> Scores:
        """Return the scores (n, …) for pictures (n, 3, height, width)."""
        (scores,) = self._session.run(None, {self._session.get_inputs()[0].name: pictures})
        return np.asarray(scores, np.float64)


@dataclass(frozen=True, slots=True)
class Glance:
    """What one picture says.

    `number` and `runner_up` are the two likeliest, 0 to 99, whether or not a set has them; their
    shares are 0 to 1, and how legible anything was goes into both. `angle` is how far the number
    is turned clockwise, in degrees; `marked` how surely there is a mark at its foot, and `headed`
    at its head, which only a look all round tells. `weights` gives every number's share (100,).
    `glare` is how much beside the number is blown out, 0 to 1; `sharp` how steep its edges are, as
    a part of what lies between print and paper for every pixel of the reader's. `places` are where
    something stands, `each` every number's share there (places, 100).
    """

    number: int | None
    confidence: float
    runner_up: int | None
    second: float
    angle: float
    marked: float
    weights: Scores
    glare: float = 0.0
    sharp: float = 1.0
    places: tuple[NumberPlace, ...] = ()
    each: Scores | None = None
    headed: float = 0.0


def number_shares(scores: Scores, whole: NDArray[np.float64], *, zeros: bool) -> Scores:
    """Return each number's share (n, 100) of a look; where zeros are printed 06 is as good as 6.

    `whole` (n,) is how far a figure that stands alone can be trusted to be all of the number.
    """
    tens, units = _shares(scores[:, :TENS]), _shares(scores[:, TENS : TENS + UNITS])
    found = np.einsum("nt,nu->ntu", tens[:, : TENS - 1], units).reshape(-1, NUMBERS)
    found[:, :10] = whole[:, None] * tens[:, TENS - 1 :] * units + found[:, :10] * zeros
    return np.asarray(found)


def _shares(scores: Scores) -> Scores:
    risen = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(risen / risen.sum(axis=1, keepdims=True))


def sureness(scores: Scores) -> Scores:
    """Return scores as sureness, 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-scores)))
