"""The formats of cards that the rules know (90, 80, 75, 30), as data.

The format of 30 may bear symbols in place of numbers, thirty in their fixed order (R80). Such a
game is called, shown and keyed by symbols; the numbers they stand for are what is drawn, compared
and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bingo.rules.refusal import Refusal

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of card: `rows` x `columns` cells, `per_row` of them in each row not blank.

    `pools` holds, a column, the numbers that may stand in it; together they are 1 to `highest`.
    `ascending` tells whether each column's numbers grow downwards. `strip` is how many cards are
    made together, holding every number once; 1 where cards are made alone. `free` are the cells
    (row, column), from 0, that hold no number and always count as marked; `letters` stand above
    the columns.
    """

    highest: int
    rows: int
    columns: int
    per_row: int
    pools: tuple[range, ...]
    ascending: bool
    strip: int = 1
    free: frozenset[Cell] = frozenset()
    letters: str = ""

    @property
    def numbers(self) -> range:
        """Every number of the game, 1 to `highest`."""
        return range(1, self.highest + 1)

    @property
    def full(self) -> bool:
        """Whether every cell holds a number or is free: no blanks, so columns can be lines."""
        return self.per_row == self.columns

    @property
    def per_card(self) -> int:
        """How many numbers a card holds; free cells hold none."""
        return self.rows * self.per_row - len(self.free)

    def row_count(self, row: int) -> int:
        """How many numbers that row, from 0, holds."""
        return self.per_row - sum(at == row for at, _column in self.free)

    def free_in(self, column: int) -> int:
        """How many free cells that column, from 0, has."""
        return sum(at == column for _row, at in self.free)

    def column_of(self, number: int) -> int:
        """Return the column, counted from 0, a number belongs to; Refusal number_out_of_range."""
        for column, pool in enumerate(self.pools):
            if number in pool:
                return column
        raise Refusal("number_out_of_range", number=number, highest=self.highest)


# R14: 3 rows, 9 columns, 5 numbers a row; columns 1-9, 10-19, ... and 80-90.
NINETY = Format(
    highest=90,
    rows=3,
    columns=9,
    per_row=5,
    pools=(range(1, 10), *(range(ten, ten + 10) for ten in range(10, 80, 10)), range(80, 91)),
    ascending=True,
    strip=6,
)

# R64-R65: 4 rows, 4 columns, all numbered; columns 1-20, 21-40, 41-60 and 61-80.
EIGHTY = Format(
    highest=80,
    rows=4,
    columns=4,
    per_row=4,
    pools=tuple(range(first, first + 20) for first in range(1, 81, 20)),
    ascending=False,
)

# R70-R72: 5 rows, 5 columns of 15 under the letters of BINGO; the centre holds no number.
SEVENTY_FIVE = Format(
    highest=75,
    rows=5,
    columns=5,
    per_row=5,
    pools=tuple(range(first, first + 15) for first in range(1, 76, 15)),
    ascending=False,
    free=frozenset({(2, 2)}),
    letters="BINGO",
)

# R81-R82: 3 rows, 3 columns, all numbered; columns 1-10, 11-20 and 21-30.
THIRTY = Format(
    highest=30,
    rows=3,
    columns=3,
    per_row=3,
    pools=tuple(range(first, first + 10) for first in range(1, 31, 10)),
    ascending=False,
)

FORMATS: Mapping[int, Format] = MappingProxyType(
    {format.highest: format for format in (NINETY, EIGHTY, SEVENTY_FIVE, THIRTY)}
)


def get_format(highest: int) -> Format:
    """Return the format whose highest number is `highest`; Refusal unknown_format."""
    if highest not in FORMATS:
        raise Refusal("unknown_format", format=highest)
    return FORMATS[highest]


# Code n - 1 stands for number n, for good: cards that are printed say so.
CODES = (
    "sun", "cloud", "snowflake", "mountain", "palm",
    "flower", "apple", "cherries", "banana", "corn",
    "fish", "cat", "snail", "butterfly", "crab",
    "snake", "rabbit", "elephant", "giraffe", "penguin",
    "key", "house", "boat", "umbrella", "guitar",
    "bicycle", "clock", "scissors", "teapot", "chair",
)  # fmt: skip


def code(number: int) -> str:
    """Return the code of the symbol that stands for a number; Refusal number_out_of_range."""
    if number not in THIRTY.numbers:
        raise Refusal("number_out_of_range", number=number, highest=THIRTY.highest)
    return CODES[number - 1]


def symbol_named(number: int) -> dict[str, Any]:
    """Return what an entry says of a ball of a game of symbols besides its number."""
    return {"symbol": code(number)} if number in THIRTY.numbers else {}


def marked(symbols: bool) -> dict[str, Any]:
    """Return what an entry says of a game or a card with symbols; nothing where there are none."""
    return {"symbols": True} if symbols else {}


def require_format(format: int, *, symbols: bool) -> None:
    """Refuse symbols in place of other numbers than those of 30: symbols_only_for_30."""
    if symbols and format != THIRTY.highest:
        raise Refusal("symbols_only_for_30")
