"""Drawing operators for the numbers, label and code of a card, made once and used for every card.

There is one operator for each number in each cell. A slot is one place on the page, ready to take
any card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from bingo.rules import cards
from bingo.rules.cards import Card
from bingo.rules.formats import Format
from draws.cards.printing import codes, face
from draws.cards.printing.codes import Box, CodePlace, Places
from draws.cards.printing.face import SIDE
from draws.cards.printing.press import CAPITALS, Job
from draws.cards.printing.values import CodeName, Numbered

FIGURES, CORNERS = kit.BOLD, kit.SEMIBOLD
LEAST = 0.7  # points of a cell that a blank leaves free, so that lines show between blanks


@dataclass(frozen=True, slots=True)
class NumberOperators:
    """Operators by cell, the top row first, then by what is in the cell."""

    cells: tuple[Mapping[int | None, str], ...]

    def of(self, rows: Card) -> str:
        """Return a card's operators; KeyError or ValueError where it is none of the format."""
        cells = zip(self.cells, chain.from_iterable(rows), strict=True)
        return "".join([cell[number] for cell, number in cells])


@dataclass(frozen=True, slots=True)
class Blanks:
    """A rectangle for each cell, the top row first."""

    cells: tuple[str, ...]

    def of(self, rows: Card) -> str:
        """Return the rectangles of a card's blank cells; ValueError where it is no card."""
        cells = zip(self.cells, chain.from_iterable(rows), strict=True)
        return "".join([cell for cell, number in cells if number is None])


def fragment_at(x: float, y: float, text: str, narrow: float = 1) -> str:
    """Show figures, in the font that is set, from a point of the page."""
    return f"{narrow:g} 0 0 1 {x:.2f} {y:.2f} Tm({text})Tj "


def fragment_size(places: Places, format: Format) -> float:
    """Return the size of the largest figures that leave room for a mark round the widest number."""
    cell = places.grid.cells(format.rows, format.columns)[0][0]
    widest: float = max(stringWidth(str(number), FIGURES, 1) for number in format.numbers)
    return min(cell.height * 0.62 / CAPITALS, cell.width * places.share / places.narrow / widest)


def fragment_numbers(grid: Box, format: Format, places: Places) -> NumberOperators:
    """Return the table of numbers, each in the middle of its cell."""
    figures, narrow = fragment_size(places, format), places.narrow
    wide = {number: stringWidth(str(number), FIGURES, figures) for number in format.numbers}

    def show(cell: Box, number: int) -> str:
        x, y = cell.centre
        left, foot = x - wide[number] * narrow / 2, y - CAPITALS * figures / 2
        return fragment_at(left, foot, str(number), narrow)

    return _table(grid, format, show)


def _table(grid: Box, format: Format, show: Callable[[Box, int], str]) -> NumberOperators:
    """Return what shows each number that a cell may hold, and nothing where it may be empty."""
    return NumberOperators(
        tuple(
            {**dict.fromkeys(empty, ""), **{number: show(cell, number) for number in pool}}
            for cell, pool, empty in _cells(grid, format)
        )
    )


def corner_size(grid: Box, format: Format) -> float:
    """Return the size of the small number beside a symbol."""
    return grid.height / format.rows * 0.19 / CAPITALS


def corners(grid: Box, format: Format) -> NumberOperators:
    """Return the table of numbers that stand small beside their symbols (R80)."""
    high = corner_size(grid, format) * CAPITALS

    def show(cell: Box, number: int) -> str:
        return fragment_at(cell.x + high * 0.5, cell.top - high * 1.5, str(number))

    return _table(grid, format, show)


def blanks(grid: Box, format: Format) -> Blanks:
    """Return the rectangles of cells that a card may leave blank."""
    return Blanks(tuple(_rectangle(cell) for cell, _pool, _empty in _cells(grid, format)))


def symbols(grid: Box, format: Format, forms: Mapping[int, str], side: float) -> NumberOperators:
    """Return the table of symbols, each right of its number; `forms` shows one `side` wide."""
    figures = corner_size(grid, format)
    corner = stringWidth("00", CORNERS, figures) + CAPITALS * figures

    def show(cell: Box, number: int) -> str:
        width = min(cell.height * 0.98, cell.width - corner)
        x = min(cell.centre[0] + corner / 2, cell.right - width / 2) - width / 2
        y = cell.centre[1] - width / 2
        scale = width / side
        return f"q {scale:.4f} 0 0 {scale:.4f} {x:.2f} {y:.2f} cm {forms[number]} Q "

    return _table(grid, format, show)


def _cells(grid: Box, format: Format) -> Iterator[tuple[Box, range, tuple[None, ...]]]:
    """Return each cell, the numbers it may hold, and None where it may be empty."""
    for row, line in enumerate(grid.cells(format.rows, format.columns)):
        for column, cell in enumerate(line):
            may = format.per_row < format.columns or (row, column) in format.free
            yield cell, format.pools[column], (None,) if may else ()


def _rectangle(cell: Box) -> str:
    inner = cell.inset(LEAST / 2)
    return f"{inner.x:.2f} {inner.y:.2f} {inner.width:.2f} {inner.height:.2f} re "


DIGITS = kit.SEMIBOLD
LARGEST = 34.0
AIR = 1.0 * 72 / 25.4  # white above a bar code, besides its field's own


@dataclass(frozen=True, slots=True)
class NumberLabel:
    """A card's number up to the right edge of its box, in figures of `size`, each `wide`."""

    right: float
    foot: float
    size: float
    wide: float

    def of(self, number: int) -> str:
        """Return the operators of a card's number."""
        text = str(number)
        return fragment_at(self.right - self.wide * len(text), self.foot, text)


def card_label(box: Box, highest: int) -> NumberLabel:
    """Return the label that is as large as the series' highest number allows."""
    wide = stringWidth("0" * len(str(highest)), FIGURES, 1)
    size = min(box.height / CAPITALS, box.width / wide, LARGEST)
    foot = box.y + (box.height - CAPITALS * size) / 2
    return NumberLabel(box.right, foot, size, stringWidth("0", FIGURES, size))


@dataclass(frozen=True, slots=True)
class CodeStamp:
    """A code and its digits; `place` opens the code's own measure in modules."""

    kind: CodeName
    place: str
    lines: tuple[tuple[float, float], ...]
    size: float

    def code(self, code: str) -> str:
        """Return the operators that draw a code."""
        draw = codes.bars_rectangles if self.kind == "barcode" else codes.qr_rectangles
        return f"{self.place}{draw(code)}f Q "

    def digits(self, code: str) -> str:
        """Return the operators that write its digits in clear, in one line or two."""
        text = cards.grouped_code(code)
        if len(self.lines) == 1:
            return fragment_at(*self.lines[0], text)
        return fragment_at(*self.lines[0], text[:9]) + fragment_at(*self.lines[1], text[10:])


def stamp(kind: CodeName, place: CodePlace) -> CodeStamp:
    """Return the stamp of a code that fills its field as far as whole dots allow."""
    written = " ".join(["0000"] * (4 // len(place.lines)))
    size = min(
        place.lines[0].height * 0.64 / CAPITALS,
        place.lines[0].width * 0.94 / stringWidth(written, DIGITS, 1),
    )
    wide = stringWidth(written, DIGITS, size)
    return CodeStamp(
        kind=kind,
        place=_bars(place) if kind == "barcode" else _square(place),
        lines=tuple(
            (line.x + (line.width - wide) / 2, line.y + (line.height - CAPITALS * size) / 2)
            for line in place.lines
        ),
        size=size,
    )


def _bars(place: CodePlace) -> str:
    field, module = place.field, place.module
    x = _snapped(field.x + (field.width - codes.LENGTH * module) / 2, place.dot)
    y = _snapped(place.lines[0].top, place.dot)
    high = field.top - AIR - y
    return f"q {module:.4f} 0 0 {high:.2f} {x:.4f} {y:.4f} cm "


def _square(place: CodePlace) -> str:
    field, module = place.field, place.module
    x = _snapped(field.x + (field.width - codes.SIDE * module) / 2, place.dot)
    y = _snapped(field.y + (field.height - codes.SIDE * module) / 2, place.dot)
    return f"q {module:.4f} 0 0 {module:.4f} {x:.4f} {y:.4f} cm "


def _snapped(value: float, dot: float) -> float:
    return round(value / dot) * dot


@dataclass(slots=True)
class Strokes:
    """The operators of a page by what they share: one colour, one font, or nothing."""

    blanks: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    digits: list[str] = field(default_factory=list)
    art: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slot:
    """Tables and labels at one place; `told` is where a reprint or a demonstration says so."""

    numbers: NumberOperators
    blanks: Blanks | None
    symbols: NumberOperators | None
    label: NumberLabel
    stamp: CodeStamp | None
    told: Box

    def add(self, strokes: Strokes, card: Numbered, code: str, job: Job) -> None:
        """Add a card; KeyError or ValueError where its rows are none of the format."""
        number, rows, copy = card
        strokes.numbers.append(self.numbers.of(rows))
        strokes.names.append(self.label.of(number))
        if self.blanks:
            strokes.blanks.append(self.blanks.of(rows))
        if self.symbols:
            strokes.art.append(self.symbols.of(rows))
        if self.stamp:
            strokes.art.append(self.stamp.code(code))
            strokes.digits.append(self.stamp.digits(code))
        if copy or job.values.demonstration:
            shown = face.draw_status(job, copy)
            strokes.art.append(f"q 1 0 0 1 {self.told.x:.2f} {self.told.y:.2f} cm {shown} Q ")


def slot(job: Job, at: Box) -> Slot:
    """Return the slot of a job whose lower left corner is that of `at`."""
    places, format = job.places, job.format
    grid = places.grid.moved(at.x, at.y)
    has_blanks = format.per_row < format.columns
    return Slot(
        numbers=corners(grid, format) if job.symbols else fragment_numbers(grid, format, places),
        blanks=blanks(grid, format) if has_blanks else None,
        symbols=symbols(grid, format, job.symbols, SIDE) if job.symbols else None,
        label=card_label(places.number.moved(at.x, at.y), job.values.size),
        stamp=stamp(job.code, _moved(places.code, at)) if places.code else None,
        told=places.told.moved(at.x, at.y),
    )


def fonts(job: Job, slot: Slot) -> tuple[str, str, str]:
    """Return the operators that set the fonts of numbers, names and digits."""
    numbers = (
        job.press.font(CORNERS, corner_size(job.places.grid, job.format))
        if job.symbols
        else job.press.font(FIGURES, fragment_size(job.places, job.format))
    )
    return (
        numbers,
        job.press.font(FIGURES, slot.label.size),
        job.press.font(DIGITS, slot.stamp.size) if slot.stamp else "",
    )


def _moved(place: CodePlace, at: Box) -> CodePlace:
    lines = tuple(line.moved(at.x, at.y) for line in place.lines)
    return CodePlace(place.field.moved(at.x, at.y), lines, place.module, place.dot)
