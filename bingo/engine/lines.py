"""Lines and layouts as numbers, and the keys by which cards that come twice are found.

`Layouts` are the ways in which a card with blanks can be filled: which cells of which rows hold
numbers. `Lines` numbers every possible line of a format, so that a set of numbers is a place in a
table; `Register` holds which of them a series has taken. A card's key is one integer that says
whether two cards can hold the same numbers.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from bingo.rules import patterns
from bingo.rules.formats import NINETY, Format

# A column's height, at most three numbers, in a packed height vector.
LAYOUT_BITS = 2
HEIGHT = 2**LAYOUT_BITS - 1


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
    """Return every choice of `per_row` columns that a row's numbers can stand in, (choices, columns)."""
    held = np.zeros((comb(format.columns, format.per_row), format.columns), dtype=np.bool_)
    for at, columns in enumerate(combinations(range(format.columns), format.per_row)):
        held[at, list(columns)] = True
    return held


def packed(heights: NDArray[np.integer | np.bool_]) -> NDArray[np.int32]:
    """Return heights (..., columns) as one number each, column 0 in the lowest two bits."""
    places = np.arange(heights.shape[-1], dtype=np.int32) * LAYOUT_BITS
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
    count = np.bincount(codes, minlength=2 ** (LAYOUT_BITS * format.columns)).astype(np.int32)
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
    codes = np.arange(2 ** (LAYOUT_BITS * columns), dtype=np.int32)
    allowed = np.ones(len(codes), dtype=np.bool_)
    for column in range(columns):
        height = codes >> (LAYOUT_BITS * column) & HEIGHT
        allowed &= (counts[0] <= height) & (height <= counts[1])
    return allowed


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
        """Return the places of lines (..., columns), 0 for no number, and their choices (...)."""
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
        """Return the place of each line of cards (cards, rows, columns), (cards, lines)."""
        numbers = cards.reshape(len(cards), -1)[:, self.cells]
        return self.ranks.places(numbers, np.broadcast_to(self.choices, numbers.shape[:2]))


@cache
def all_lines(format: Format) -> Lines:
    """Number the rows and diagonals of a format without blanks (R14); free cells hold none."""
    found = patterns.shape_lines(format)
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


class Register:
    """A place for each of `total` lines, all free."""

    def __init__(self, total: int) -> None:
        self._taken = np.zeros(total, dtype=np.bool_)

    def take(self, lines: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Take all lines, (cards, lines of one), of the cards that repeat none; tell which those are.

        Cards that repeat a line of each other are both refused.
        """
        ordered = np.sort(lines, axis=None)
        shared = ordered[1:][ordered[1:] == ordered[:-1]]
        shared = shared[~self._taken[shared]]
        self._taken[shared] = True
        new: NDArray[np.bool_] = ~self._taken[lines].any(axis=1)
        self._taken[shared] = False
        self._taken[lines[new]] = True
        return new

    def free(self, lines: NDArray[np.integer]) -> None:
        """Give lines back that were taken."""
        self._taken[lines] = False


KEY_BITS = 56  # of a weight: the sum of a card's fits 64


@cache
def weights() -> NDArray[np.int64]:
    """Return each number's weight, 0 for a blank.

    Cards of equal numbers have equal keys, so none gets past. Others hardly ever have, and then
    only a card is drawn again that need not be.
    """
    drawn = [int.from_bytes(sha256(b"%d" % number).digest()) for number in NINETY.numbers]
    return np.array([0, *(weight >> 256 - KEY_BITS for weight in drawn)], dtype=np.int64)


def keys(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the sums of the weights of cards (cards, rows, columns), (cards,)."""
    by_cell = cards.reshape(len(cards), -1).T
    total = np.zeros(len(cards), dtype=np.int64)
    for numbers in by_cell:
        total += weights()[numbers]
    return total


def repeated_keys(keys: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places, ascending, of keys that stand at an earlier place too."""
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return np.zeros(0, dtype=np.intp)
    order = np.argsort(keys, kind="stable")
    return np.sort(order[1:][keys[order[1:]] == keys[order[:-1]]])
