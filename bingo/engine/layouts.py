"""Every way in which a card with blanks can be filled: which cells of which rows hold numbers."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from bingo.rules.formats import Format

# A column's height, at most three numbers, in a packed height vector.
BITS = 2
HEIGHT = 2**BITS - 1


@dataclass(frozen=True, slots=True, eq=False)
class Layouts:
    """All layouts of a format, those of equal heights side by side.

    `rows` (layouts, rows): each row's place in `choices(format)`. `first` and `count`, by packed
    heights: where the layouts with these numbers a column begin, and how many they are.
    """

    rows: NDArray[np.uint8]
    first: NDArray[np.int32]
    count: NDArray[np.int32]


@cache
def choices(format: Format) -> NDArray[np.bool_]:
    """Give every choice of `per_row` columns that a row's numbers can stand in, (choices, columns)."""
    held = np.zeros((comb(format.columns, format.per_row), format.columns), dtype=np.bool_)
    for at, columns in enumerate(combinations(range(format.columns), format.per_row)):
        held[at, list(columns)] = True
    return held


def packed(heights: NDArray[np.integer | np.bool_]) -> NDArray[np.int32]:
    """Give heights (..., columns) as one number each, column 0 in the lowest two bits."""
    places = np.arange(heights.shape[-1], dtype=np.int32) * BITS
    codes: NDArray[np.int32] = (heights.astype(np.int32) << places).sum(axis=-1, dtype=np.int32)
    return codes


@cache
def layouts(format: Format, counts: tuple[int, int]) -> Layouts:
    """Find all layouts of `format` with least to most numbers a column (R14, BOE I).

    143,640 with one or two a column of a card of 90, 735,210 with one to three.
    """
    heights = _summed(packed(choices(format)), format.rows)
    legal = np.flatnonzero(_allowed(format.columns, counts)[heights.ravel()])
    codes = heights.ravel()[legal]
    order = legal[np.argsort(codes, kind="stable")]
    count = np.bincount(codes, minlength=2 ** (BITS * format.columns)).astype(np.int32)
    return Layouts(
        rows=np.stack(np.unravel_index(order, heights.shape), axis=1).astype(np.uint8),
        first=(np.cumsum(count) - count).astype(np.int32),
        count=count,
    )


def _summed(codes: NDArray[np.int32], rows: int) -> NDArray[np.int32]:
    """The packed heights of every choice of `rows` masks, an axis a row."""
    heights = codes
    for _row in range(rows - 1):
        heights = np.add.outer(heights, codes)
    return heights


def _allowed(columns: int, counts: tuple[int, int]) -> NDArray[np.bool_]:
    """For every packed height vector whether each column holds least to most."""
    codes = np.arange(2 ** (BITS * columns), dtype=np.int32)
    allowed = np.ones(len(codes), dtype=np.bool_)
    for column in range(columns):
        height = codes >> (BITS * column) & HEIGHT
        allowed &= (counts[0] <= height) & (height <= counts[1])
    return allowed
