"""Every possible line of a format, numbered, so that a set of numbers is a place in a table."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bingo.engine.layouts import choices
from bingo.rules import shapes
from bingo.rules.formats import Format


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Gives each line, a number of each column of one of some choices of columns, its own place.

    The place is `offsets[choice]` plus the sum of `strides[choice]` × numbers over the columns,
    a column without a number counting 0; from 0 to below `total`. Equal sets have equal places,
    and only they. `strides` is (choices, columns).
    """

    offsets: NDArray[np.int64]
    strides: NDArray[np.int32]
    total: int

    def places(self, numbers: NDArray[np.uint8], choices: NDArray[np.integer]) -> NDArray[np.int64]:
        """Give the places of lines (..., columns), 0 for no number, and their choices (...)."""
        strides = self.strides.take(choices.astype(np.intp), axis=0)
        sums = np.einsum("...c,...c->...", strides, numbers.astype(np.int32))
        places: NDArray[np.int64] = sums + self.offsets[choices]
        return places


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a card without blanks: `cells` (lines, columns) and each one's `choice`.

    A line's cells are given by column as row × columns + column.
    """

    cells: NDArray[np.intp]
    choices: NDArray[np.intp]
    ranks: Ranks

    def places(self, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Give the place of each line of cards (cards, rows, columns), (cards, lines)."""
        numbers = cards.reshape(len(cards), -1)[:, self.cells]
        return self.ranks.places(numbers, np.broadcast_to(self.choices, numbers.shape[:2]))


@cache
def lines(format: Format) -> Lines:
    """Number the rows and diagonals of a format without blanks (R14); free cells hold none."""
    found = shapes.lines(format)
    cells = [sorted(line, key=lambda cell: cell[1]) for line in found]
    held = np.array([[cell not in format.free for cell in line] for line in cells])
    different, of_line = np.unique(held, axis=0, return_inverse=True)
    at = [[row * format.columns + column for row, column in line] for line in cells]
    return Lines(np.array(at, dtype=np.intp), of_line.reshape(-1), _ranks(format, different))


@cache
def rows(format: Format) -> Ranks:
    """Number the rows of a format with blanks, whose `choices` of columns `layouts` gives (R14)."""
    return _ranks(format, choices(format))


def _ranks(format: Format, columns: NDArray[np.bool_]) -> Ranks:
    offsets = np.zeros(len(columns), dtype=np.int64)
    strides = np.zeros(columns.shape, dtype=np.int32)
    total = 0
    for at, choice in enumerate(columns):
        size = 1
        offset = total
        for column in np.flatnonzero(choice)[::-1]:
            pool = format.pools[column]
            strides[at, column] = size
            offset -= size * pool.start
            size *= len(pool)
        offsets[at] = offset
        total += size
    return Ranks(offsets, strides, total)
