"""The card on till paper: everything below each other, in black."""

from collections.abc import Mapping

from reportlab.lib.units import mm

from bingo.rules.formats import Format
from draws.documents.cards import squares
from draws.documents.cards.box import Box
from draws.documents.cards.places import EMPTY, CodePlace, Places, under_label
from draws.documents.cards.values import CodeName

PAPER: float = 80 * mm
WIDTH: float = 72 * mm
DOT = mm / 8  # till printers have 203 dots an inch
BAR, SQUARE = 3 * DOT, 5 * DOT
CODE: Mapping[CodeName, float] = {
    "barcode": 17 * mm,
    "qr": (squares.SIDE + 2 * squares.QUIET) * SQUARE,
    "none": 0.0,
}
HEADS: float = 9 * mm
# Of a narrow cell's width, figures take all that marks do not need; of a wide one they leave its
# edges to textures. Narrower figures are higher ones.
NARROW_CELL = (0.84, 0.78)
WIDE_CELL = (0.62, 0.85)
ABOVE: float = 43.7 * mm  # hall, series, number, price
BELOW: float = 4 * mm


def length(format: Format, code: CodeName) -> float:
    """Give how long a slip is for one card, in points."""
    return ABOVE + _heads(format) + _numbers(format) + CODE[code] + BELOW


def places(format: Format, code: CodeName) -> Places:
    """Give the places of a card WIDTH wide and `length` high."""
    whole = Box(0, 0, WIDTH, length(format, code))
    above, heads, grid, field, _ = whole.down(
        ABOVE, _heads(format), _numbers(format), CODE[code] + 1.5 * mm, None
    )
    _, hall, licence, book, _, row, _, facts, _, told, _ = above.down(
        2 * mm, 5.4 * mm, 3.4 * mm, 3 * mm, 1.2 * mm, 13 * mm, 1 * mm, 5.6 * mm, 1.8 * mm,
        6.4 * mm, None,
    )  # fmt: skip
    letter, _, series, _, numbers = row.across(13 * mm, 2 * mm, 27 * mm, 1 * mm, None)
    number, _, of = numbers.down(8.6 * mm, 1.2 * mm, None)
    label, identification = under_label(series)
    price, names = facts.across(38 * mm, None)
    share, narrow = NARROW_CELL if format.columns > 5 else WIDE_CELL
    return Places(
        size=(whole.width, whole.height),
        panel=EMPTY,
        hall=hall,
        licence=licence,
        book=book,
        letter=letter,
        label=label,
        series=identification,
        number=number,
        of=of,
        price=price,
        names=names,
        aligned=1,
        told=told,
        upright=False,
        grid=grid.inset(0.8, 0),
        heads=heads.inset(0.8, 0) if format.letters else EMPTY,
        code=_code(field.down(1.5 * mm, None)[1], code),
        share=share,
        narrow=narrow,
    )


def _heads(format: Format) -> float:
    return HEADS if format.letters else 0.0


def _numbers(format: Format) -> float:
    """Cells are higher than wide where columns are many, wider than high where they are few."""
    cell = WIDTH / format.columns
    return format.rows * (1.5 * cell if format.columns > format.rows else 0.8 * cell)


def _code(field: Box, code: CodeName) -> CodePlace | None:
    if code == "none":
        return None
    if code == "barcode":
        return CodePlace(field, (field.down(None, 4.8 * mm)[1],), BAR, DOT)
    square, _, text = field.across(field.height, 3 * mm, None)
    _, first, second, _ = text.down(text.height / 2 - 7 * mm, 7 * mm, 7 * mm, None)
    return CodePlace(square, (first, second), SQUARE, DOT)
