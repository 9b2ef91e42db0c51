"""The shapes of card the rules know, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bingo.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of card: `rows` x `columns` cells, `per_row` numbers in each row.

    `pools` holds, a column, the numbers that may stand in it; together they are 1 to `highest`.
    `ascending` tells whether each column's numbers grow downwards.
    """

    highest: int
    rows: int
    columns: int
    per_row: int
    pools: tuple[range, ...]
    ascending: bool

    @property
    def numbers(self) -> range:
        """Every number of the game, 1 to `highest`."""
        return range(1, self.highest + 1)

    @property
    def per_card(self) -> int:
        """How many numbers a card holds."""
        return self.rows * self.per_row

    @property
    def strip(self) -> int:
        """How many cards together hold every number once; 1 where no number of cards does."""
        cards, remainder = divmod(self.highest, self.per_card)
        return 1 if remainder else cards

    def column_of(self, number: int) -> int:
        """Give the column, counted from 0, a number belongs to; Refusal number_out_of_range."""
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
)

FORMATS: Mapping[int, Format] = MappingProxyType({NINETY.highest: NINETY})


def get(highest: int) -> Format:
    """Give the format whose highest number is `highest`; Refusal unknown_format."""
    if highest not in FORMATS:
        raise Refusal("unknown_format", format=highest)
    return FORMATS[highest]
