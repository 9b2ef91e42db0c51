"""How large a series can be before a line, a column or a card must come twice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import comb, prod

from bingo.rules import shapes
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.shapes import Cells

# Where the two are equally narrow, the first is told.
LINES, CENTRE_LINES, COLUMNS, CARDS = "lines", "centre_lines", "columns", "cards"


def require(size: int, *, format: Format, rulebook: Rulebook, columns: bool = False) -> None:
    """Refuse a series that cannot be, before anything is drawn (R14).

    Refusals, in this order: format_not_in_rulebook; series_size_not_positive; columns_not_a_line
    (the format's columns hold blanks); series_too_large (`size`, `limit`, `bound` as of `limit`).
    """
    rulebook.column_count(format)
    if size < 1:
        raise Refusal("series_size_not_positive", size=size)
    most, bound = limit(format, columns)
    if size > most:
        raise Refusal("series_too_large", size=size, limit=most, bound=bound)


@cache
def limit(format: Format, columns: bool = False) -> tuple[int, str]:
    """Give how many cards a series can have at most, and the bound that says so.

    "lines": rows and diagonals; "centre_lines": those through a free cell, which hold a number
    less; "columns": asked for unique with `columns`; "cards". Refusal columns_not_a_line.
    """
    if columns and not format.full:
        raise Refusal("columns_not_a_line", format=format.highest)
    return min(_bounds(format, columns=columns), key=lambda bound: bound[0])


def _bounds(format: Format, *, columns: bool) -> Iterator[tuple[int, str]]:
    if not format.full:
        yield _ways(format, [1] * format.columns, format.per_row) // format.rows, LINES
    else:
        yield from _line_bounds(format, shapes.lines(format))
    if columns:
        for column in shapes.columns(format):
            yield _different(format, _heights(format, column)), COLUMNS
    most = [format.rows - format.free_in(column) for column in range(format.columns)]
    yield _ways(format, most, format.per_card), CARDS


def _line_bounds(format: Format, lines: Sequence[Cells]) -> Iterator[tuple[int, str]]:
    """Lines that take as many numbers of each column draw on the same stock of sets."""
    names = {
        _heights(format, line): CENTRE_LINES if line & format.free else LINES for line in lines
    }
    for heights, times in Counter(_heights(format, line) for line in lines).items():
        yield _different(format, heights) // times, names[heights]


def _heights(format: Format, cells: Cells) -> tuple[int, ...]:
    """How many numbers of each column these cells hold."""
    held = Counter(column for _row, column in cells - format.free)
    return tuple(held[column] for column in range(format.columns))


def _different(format: Format, heights: Sequence[int]) -> int:
    """How many sets hold so many numbers of each column."""
    return prod(comb(len(pool), height) for pool, height in zip(format.pools, heights, strict=True))


def _ways(format: Format, most: Sequence[int], numbers: int) -> int:
    """How many sets of `numbers` numbers hold at most `most` of each column."""
    ways = [1] + [0] * numbers
    for pool, cap in zip(format.pools, most, strict=True):
        ways = [
            sum(
                ways[total - taken] * comb(len(pool), taken) for taken in range(min(cap, total) + 1)
            )
            for total in range(numbers + 1)
        ]
    return ways[numbers]
