"""The shapes of a card: the cells of its rows, columns, diagonals, corners and of the whole of it."""

from collections.abc import Iterable

from bingo.rules.cards import Card
from bingo.rules.formats import Cell, Format

Cells = frozenset[Cell]


def rows(format: Format) -> tuple[Cells, ...]:
    """Give the cells of each row, top row first; of a format with blanks, blanks included."""
    return tuple(
        frozenset((row, column) for column in range(format.columns)) for row in range(format.rows)
    )


def columns(format: Format) -> tuple[Cells, ...]:
    """Give the cells of each column, from the left."""
    return tuple(
        frozenset((row, column) for row in range(format.rows)) for column in range(format.columns)
    )


def diagonals(format: Format) -> tuple[Cells, ...]:
    """Give the falling and the rising diagonal; none where the card is not square (R66, R74, R84)."""
    if format.rows != format.columns:
        return ()
    side = range(format.rows)
    return (
        frozenset((at, at) for at in side),
        frozenset((at, format.rows - 1 - at) for at in side),
    )


def corners(format: Format) -> Cells:
    """Give the four corners; none where the card is not square (R74 b, R84 c)."""
    if format.rows != format.columns:
        return frozenset()
    ends = (0, format.rows - 1)
    return frozenset((row, column) for row in ends for column in ends)


def whole(format: Format) -> Cells:
    """Give every cell."""
    return frozenset().union(*rows(format))


def lines(format: Format) -> tuple[Cells, ...]:
    """Give rows and diagonals: no two of a series may hold the same numbers (R14)."""
    return (*rows(format), *diagonals(format))


def numbers(card: Card, cells: Iterable[Cell]) -> frozenset[int]:
    """Give the numbers of these cells; a blank and a free cell hold none."""
    held = (card[row][column] for row, column in cells)
    return frozenset(number for number in held if number is not None)
