"""One place on the page, ready to take whatever card comes to lie there."""

from __future__ import annotations

from dataclasses import dataclass, field

from draws.documents.cards import face, fragments, labels
from draws.documents.cards.box import Box
from draws.documents.cards.fragments import CORNERS, FIGURES, Blanks, Table
from draws.documents.cards.job import Job
from draws.documents.cards.labels import DIGITS, Label, Stamp
from draws.documents.cards.places import CodePlace
from draws.documents.cards.symbols import SIDE
from draws.documents.cards.values import Numbered


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

    numbers: Table
    blanks: Blanks | None
    symbols: Table | None
    label: Label
    stamp: Stamp | None
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
            shown = face.told(job, copy)
            strokes.art.append(f"q 1 0 0 1 {self.told.x:.2f} {self.told.y:.2f} cm {shown} Q ")


def slot(job: Job, at: Box) -> Slot:
    """Give the slot of a job whose lower left corner is that of `at`."""
    places, format = job.places, job.format
    grid = places.grid.moved(at.x, at.y)
    has_blanks = format.per_row < format.columns
    return Slot(
        numbers=fragments.corners(grid, format)
        if job.symbols
        else fragments.numbers(grid, format, places),
        blanks=fragments.blanks(grid, format) if has_blanks else None,
        symbols=fragments.symbols(grid, format, job.symbols, SIDE) if job.symbols else None,
        label=labels.label(places.number.moved(at.x, at.y), job.values.size),
        stamp=labels.stamp(job.code, _moved(places.code, at)) if places.code else None,
        told=places.told.moved(at.x, at.y),
    )


def fonts(job: Job, slot: Slot) -> tuple[str, str, str]:
    """Give the operators that set the fonts of numbers, names and digits."""
    numbers = (
        job.press.font(CORNERS, fragments.corner_size(job.places.grid, job.format))
        if job.symbols
        else job.press.font(FIGURES, fragments.size(job.places, job.format))
    )
    return (
        numbers,
        job.press.font(FIGURES, slot.label.size),
        job.press.font(DIGITS, slot.stamp.size) if slot.stamp else "",
    )


def _moved(place: CodePlace, at: Box) -> CodePlace:
    lines = tuple(line.moved(at.x, at.y) for line in place.lines)
    return CodePlace(place.field.moved(at.x, at.y), lines, place.module, place.dot)
