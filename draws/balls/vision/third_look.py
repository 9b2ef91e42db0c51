"""Look a third time at a ball that two looks left in doubt, with a recogniser of printed text.

It is the only network here that the project did not teach: PP-OCRv6 small, made for photographs of
words, which the package rapidocr carries. Nothing else of that package is used. It takes a second,
reads a line of figures where the first look finds print, and knows nothing of balls: what it says is
one more voice among those of both looks (`verdict`). Where the package is missing, two looks it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.facing import TALL, NumberPlace, frame, with_figure
from draws.balls.vision.network import NUMBERS, Network, Scores

Picture = NDArray[np.uint8]

PACKAGE, FILE = "rapidocr", "rapidocr/models/PP-OCRv6_rec_small.onnx"
HIGH, WIDE = 48, 64  # pixels of what the recogniser is shown; its height is its maker's
# Heights of the digits from a number's middle to the upper edge: it may touch them, or leave room.
REACHES = (0.45, 0.62, 0.85)
NUDGES = (-8.0, 0.0, 8.0)  # degrees by which a place is turned besides
WHOLE = (0.5, 0.7)  # ball radii, likewise, of a number in the middle of a ball
TURNS = np.arange(0.0, 360.0, 15.0)  # degrees of the ball
AT_ONCE = 24  # pictures
FINE = 1.3  # pixels to one of the recogniser's, from which a picture is made smaller first
FIGURES = "0123456789"
MARKS = "._-,'~`:;|"  # what a mark, a ring or a scratch beside a number may be taken for
CLEAREST = 5  # pictures of which a number's share is the mean


def model() -> Path | None:
    """Return the recogniser's file, None where the package or the file is not there."""
    try:
        file = Path(str(metadata.distribution(PACKAGE).locate_file(FILE)))
    except metadata.PackageNotFoundError:
        return None
    return file if file.is_file() else None


def is_missing() -> bool:
    """Return whether balls are read by two looks alone."""
    return model() is None


class ThirdLook:
    """Reads figures where print stands; not to be shared between threads.

    `zeros`: the balls read 06, not 6.
    """

    def __init__(self, file: Path, *, zeros: bool = False) -> None:
        """Load the recogniser."""
        self._network, self._zeros = Network(file), zeros
        # The first column is that of no character.
        known = {each: column for column, each in enumerate(self._network.characters, start=1)}
        self._figures = [known[each] for each in FIGURES]
        self._marks = [known[each] for each in MARKS if each in known]

    def look(
        self,
        picture: Picture,
        places: Sequence[NumberPlace],
        *,
        centre: tuple[float, float],
        radius: float,
    ) -> Scores:
        """Return each number's share (100,) on the ball at this centre and radius, in pixels."""
        seen = _shown(picture, places, centre, radius)
        read = [self._read(seen[at : at + AT_ONCE]) for at in range(0, len(seen), AT_ONCE)]
        return without_parts(np.sort(np.concatenate(read), axis=0)[-CLEAREST:].mean(axis=0))

    def _read(self, seen: NDArray[np.float32]) -> Scores:
        told = self._network.look(seen)
        between = told[:, :, 0] + told[:, :, self._marks].sum(axis=2)
        alone, pairs = spelled(told[:, :, self._figures], between)
        shares = pairs.reshape(-1, NUMBERS)
        shares[:, :10] = alone + shares[:, :10] * self._zeros
        return shares


def without_parts(shares: Scores) -> Scores:
    """Return shares (100,), that of a figure alone the less, the likelier it is one of two.

    Of a 36 a narrow look sees a clear 3.
    """
    found = shares.copy()
    for figure in range(10):
        found[figure] *= 1 - max(shares[more] for more in with_figure(figure))
    return found


def spelled(figures: Scores, between: Scores) -> tuple[Scores, Scores]:
    """Return how likely lines of text are one figure (n, 10), and two (n, 10, 10).

    `figures` (n, steps, 10) and `between` (n, steps) are how likely each step of a line shows a
    figure, or what stands between figures. A figure may take several steps; two that are alike have
    something between them (connectionist temporal classification).
    """
    count = len(figures)
    none, one, one_over = np.ones(count), np.zeros((count, 10)), np.zeros((count, 10))
    two, two_over = np.zeros((count, 10, 10)), np.zeros((count, 10, 10))
    unlike = 1 - np.eye(10)
    for step in range(figures.shape[1]):
        figure, gap = figures[:, step], between[:, step]
        two_over = (two_over + two) * gap[:, None, None]
        two = (two + one_over[:, :, None] + one[:, :, None] * unlike) * figure[:, None]
        one_over = (one_over + one) * gap[:, None]
        one = (one + none[:, None]) * figure
        none = none * gap
    return one + one_over, two + two_over


def _shown(
    picture: Picture, places: Sequence[NumberPlace], centre: tuple[float, float], radius: float
) -> NDArray[np.float32]:
    """Return what the recogniser is shown (n, 3, HIGH, WIDE), -1 to 1: each place from both sides."""
    sides = [side for place in places for side in (place, place.upside_down)]
    looks = [
        (NumberPlace(side.angle + turn, side.towards, side.tall), reach * _clipped(side.tall))
        for side in sides
        for turn in NUDGES
        for reach in REACHES
    ]
    middle = [
        (NumberPlace(float(turn), (0.0, 0.0), 1.0), reach) for reach in WHOLE for turn in TURNS
    ]
    seen = [_line(picture, place, reach, centre, radius) for place, reach in (*looks, *middle)]
    return np.ascontiguousarray(np.stack(seen).transpose(0, 3, 1, 2) / 127.5 - 1, np.float32)


def _clipped(tall: float) -> float:
    return min(max(tall, TALL[0]), TALL[1])


def _line(
    picture: Picture, place: NumberPlace, reach: float, centre: tuple[float, float], radius: float
) -> NDArray[np.float32]:
    """Return a place as a line of text (HIGH, WIDE, 3), `reach` ball radii from its middle to its top."""
    step = 2 * reach / HIGH  # ball radii to a pixel
    x, y = np.meshgrid(
        (np.arange(WIDE) + 0.5 - WIDE / 2) * step, (np.arange(HIGH) + 0.5 - HIGH / 2) * step
    )
    up = np.sqrt(np.clip(1 - x * x - y * y, 0.0, None))
    seen = np.stack([x, y, up], axis=-1) @ frame(place).T
    fine = step * radius > FINE
    scale = 1 / (step * radius) if fine else 1.0
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    across, down = (
        ((seen[..., axis] * radius + centre[axis] + 0.5) * scale - 0.5).astype(np.float32)
        for axis in (0, 1)
    )
    how = cv2.INTER_LINEAR if fine else cv2.INTER_CUBIC
    return np.asarray(
        cv2.remap(small, across, down, how, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
