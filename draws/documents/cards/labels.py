"""The number of a card and its code, as operators for one place on the page."""

from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from bingo.rules import codes
from draws.documents.cards import bars, squares
from draws.documents.cards.box import Box
from draws.documents.cards.fragments import FIGURES, at
from draws.documents.cards.places import CodePlace
from draws.documents.cards.press import CAPITALS
from draws.documents.cards.values import CodeName

DIGITS = kit.SEMIBOLD
LARGEST = 34.0
AIR = 1.0 * 72 / 25.4  # white above a bar code, besides its field's own


@dataclass(frozen=True, slots=True)
class Label:
    """A card's number up to the right edge of its box, in figures of `size`, each `wide`."""

    right: float
    foot: float
    size: float
    wide: float

    def of(self, number: int) -> str:
        """Give the operators of a card's number."""
        text = str(number)
        return at(self.right - self.wide * len(text), self.foot, text)


def label(box: Box, highest: int) -> Label:
    """Give the label that is as large as the series' highest number allows."""
    wide = stringWidth("0" * len(str(highest)), FIGURES, 1)
    size = min(box.height / CAPITALS, box.width / wide, LARGEST)
    foot = box.y + (box.height - CAPITALS * size) / 2
    return Label(box.right, foot, size, stringWidth("0", FIGURES, size))


@dataclass(frozen=True, slots=True)
class Stamp:
    """A code and its digits; `place` opens the code's own measure in modules."""

    kind: CodeName
    place: str
    lines: tuple[tuple[float, float], ...]
    size: float

    def code(self, code: str) -> str:
        """Give the operators that draw a code."""
        draw = bars.rectangles if self.kind == "barcode" else squares.rectangles
        return f"{self.place}{draw(code)}f Q "

    def digits(self, code: str) -> str:
        """Give the operators that write its digits in clear, in one line or two."""
        text = codes.grouped(code)
        if len(self.lines) == 1:
            return at(*self.lines[0], text)
        return at(*self.lines[0], text[:9]) + at(*self.lines[1], text[10:])


def stamp(kind: CodeName, place: CodePlace) -> Stamp:
    """Give the stamp of a code that fills its field as far as whole dots allow."""
    written = " ".join(["0000"] * (4 // len(place.lines)))
    size = min(
        place.lines[0].height * 0.64 / CAPITALS,
        place.lines[0].width * 0.94 / stringWidth(written, DIGITS, 1),
    )
    wide = stringWidth(written, DIGITS, size)
    return Stamp(
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
    x = _snapped(field.x + (field.width - bars.LENGTH * module) / 2, place.dot)
    y = _snapped(place.lines[0].top, place.dot)
    high = field.top - AIR - y
    return f"q {module:.4f} 0 0 {high:.2f} {x:.4f} {y:.4f} cm "


def _square(place: CodePlace) -> str:
    field, module = place.field, place.module
    x = _snapped(field.x + (field.width - squares.SIDE * module) / 2, place.dot)
    y = _snapped(field.y + (field.height - squares.SIDE * module) / 2, place.dot)
    return f"q {module:.4f} 0 0 {module:.4f} {x:.4f} {y:.4f} cm "


def _snapped(value: float, dot: float) -> float:
    return round(value / dot) * dot
