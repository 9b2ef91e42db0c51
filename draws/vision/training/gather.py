"""Renders the pictures to learn from, on every core, into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from draws.vision.training.samples import SIDE, samples

CHUNK = 2_000
MOST_OTHERS = 6
NONE = 1000.0  # no angle


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was rendered.

    `pictures` (n, SIDE, SIDE, 3); `numbers`, `angles`, `marked`, `zeros` (n,); `others`
    (n, MOST_OTHERS), `places` (n, 3, 3), `talls` and `hiddens` (n,) as in a sample.
    """

    pictures: NDArray[np.uint8]
    numbers: NDArray[np.int16]
    angles: NDArray[np.float32]
    marked: NDArray[np.bool_]
    zeros: NDArray[np.bool_]
    others: NDArray[np.float32]
    places: NDArray[np.float32]
    talls: NDArray[np.float32]
    hiddens: NDArray[np.float32]


def gather(count: int, *, seed: int, fonts: Sequence[Path], cores: int) -> Gathered:
    """Render `count` pictures; the same seed, fonts and count give the same pictures."""
    pictures = np.empty((count, SIDE, SIDE, 3), np.uint8)
    numbers = np.empty(count, np.int16)
    angles = np.empty(count, np.float32)
    marked = np.empty(count, np.bool_)
    zeros = np.empty(count, np.bool_)
    others = np.full((count, MOST_OTHERS), NONE, np.float32)
    places, talls = np.empty((count, 3, 3), np.float32), np.empty(count, np.float32)
    hiddens = np.empty(count, np.float32)
    starts = range(0, count, CHUNK)
    asked = [
        (seed, number, fonts, min(CHUNK, count - start)) for number, start in enumerate(starts)
    ]
    with ProcessPoolExecutor(cores) as workers:
        for start, part in zip(starts, workers.map(_chunk, asked), strict=True):
            end = start + len(part.numbers)
            pictures[start:end], numbers[start:end] = part.pictures, part.numbers
            angles[start:end], marked[start:end] = part.angles, part.marked
            zeros[start:end], others[start:end] = part.zeros, part.others
            places[start:end], talls[start:end] = part.places, part.talls
            hiddens[start:end] = part.hiddens
    return Gathered(pictures, numbers, angles, marked, zeros, others, places, talls, hiddens)


def _chunk(asked: tuple[int, int, Sequence[Path], int]) -> Gathered:
    seed, number, fonts, count = asked
    found = samples(np.random.default_rng([seed, number]), fonts, count)
    others = np.full((count, MOST_OTHERS), NONE, np.float32)
    for row, sample in zip(others, found, strict=True):
        seen = sample.others[:MOST_OTHERS]
        row[: len(seen)] = seen
    return Gathered(
        np.stack([sample.picture for sample in found]),
        np.array([sample.number for sample in found], np.int16),
        np.array([sample.angle for sample in found], np.float32),
        np.array([sample.marked for sample in found], np.bool_),
        np.array([sample.zero for sample in found], np.bool_),
        others,
        np.array([np.eye(3) if one.place is None else one.place for one in found], np.float32),
        np.array([sample.tall for sample in found], np.float32),
        np.array([sample.hidden for sample in found], np.float32),
    )
