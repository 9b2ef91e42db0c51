"""Operators for every number in every cell, made once and looked up for every card."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from draws.documents.cards.box import Box
from draws.documents.cards.places import Places
from draws.documents.cards.press import CAPITALS

FIGURES, CORNERS = kit.BOLD, kit.SEMIBOLD
LEAST = 0.7  # points of a cell that a blank leaves free, so that lines show between blanks


@dataclass(frozen=True, slots=True)
class Table:
    """Operators by cell, the top row first, then by what is in the cell."""

    cells: tuple[Mapping[int | None, str], ...]

    def of(self, rows: Card) -> str:
        """Give a card's operators; KeyError or ValueError where it is none of the format."""
        cells = zip(self.cells, chain.from_iterable(rows), strict=True)
        return "".join([cell[number] for cell, number in cells])


@dataclass(frozen=True, slots=True)
class Blanks:
    """A rectangle for each cell, the top row first."""

    cells: tuple[str, ...]

    def of(self, rows: Card) -> str:
        """Give the rectangles of a card's blank cells; ValueError where it is no card."""
        cells = zip(self.cells, chain.from_iterable(rows), strict=True)
        return "".join([cell for cell, number in cells if number is None])


def at(x: float, y: float, text: str, narrow: float = 1) -> str:
    """Show figures, in the font that is set, from a point of the page."""
    return f"{narrow:g} 0 0 1 {x:.2f} {y:.2f} Tm({text})Tj "


def size(places: Places, format: Format) -> float:
    """Give the size of the largest figures that leave room for a mark round the widest number."""
    cell = places.grid.cells(format.rows, format.columns)[0][0]
    widest: float = max(stringWidth(str(number), FIGURES, 1) for number in format.numbers)
    return min(cell.height * 0.62 / CAPITALS, cell.width * places.share / places.narrow / widest)


def numbers(grid: Box, format: Format, places: Places) -> Table:
    """Give the table of numbers, each in the middle of its cell."""
    figures, narrow = size(places, format), places.narrow
    wide = {number: stringWidth(str(number), FIGURES, figures) for number in format.numbers}

    def show(cell: Box, number: int) -> str:
        x, y = cell.centre
        left, foot = x - wide[number] * narrow / 2, y - CAPITALS * figures / 2
        return at(left, foot, str(number), narrow)

    return Table(
        tuple(
            {**dict.fromkeys(empty, ""), **{number: show(cell, number) for number in pool}}
            for cell, pool, empty in _cells(grid, format)
        )
    )


def corner_size(grid: Box, format: Format) -> float:
    """Give the size of the small number beside a symbol."""
    return grid.height / format.rows * 0.19 / CAPITALS


def corners(grid: Box, format: Format) -> Table:
    """Give the table of numbers that stand small beside their symbols (R80)."""
    high = corner_size(grid, format) * CAPITALS
    return Table(
        tuple(
            {number: at(cell.x + high * 0.5, cell.top - high * 1.5, str(number)) for number in pool}
            for cell, pool, _empty in _cells(grid, format)
        )
    )


def blanks(grid: Box, format: Format) -> Blanks:
    """Give the rectangles of cells that a card may leave blank."""
    return Blanks(tuple(_rectangle(cell) for cell, _pool, _empty in _cells(grid, format)))


def symbols(grid: Box, format: Format, forms: Mapping[int, str], side: float) -> Table:
    """Give the table of symbols, each right of its number; `forms` shows one `side` wide."""
    figures = corner_size(grid, format)
    corner = stringWidth("00", CORNERS, figures) + CAPITALS * figures

    def show(cell: Box, number: int) -> str:
        width = min(cell.height * 0.98, cell.width - corner)
        x = min(cell.centre[0] + corner / 2, cell.right - width / 2) - width / 2
        y = cell.centre[1] - width / 2
        scale = width / side
        return f"q {scale:.4f} 0 0 {scale:.4f} {x:.2f} {y:.2f} cm {forms[number]} Q "

    return Table(
        tuple(
            {number: show(cell, number) for number in pool}
            for cell, pool, _empty in _cells(grid, format)
        )
    )


def _cells(grid: Box, format: Format) -> Iterator[tuple[Box, range, tuple[None, ...]]]:
    """Give each cell, the numbers it may hold, and None where it may be empty."""
    for row, line in enumerate(grid.cells(format.rows, format.columns)):
        for column, cell in enumerate(line):
            may = format.per_row < format.columns or (row, column) in format.free
            yield cell, format.pools[column], (None,) if may else ()


def _rectangle(cell: Box) -> str:
    inner = cell.inset(LEAST / 2)
    return f"{inner.x:.2f} {inner.y:.2f} {inner.width:.2f} {inner.height:.2f} re "
