"""Layouts of a card: square or wide on a sheet, or on till paper.

A square card names what it is at the top, with its numbers below; a wide one, three rows high, at
the left, with its numbers at the right. On till paper everything stands below each other, in black.
"""

from collections.abc import Callable, Mapping

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from bingo.rules.formats import Format
from draws.cards.printing import codes
from draws.cards.printing.codes import EMPTY, HALL, SMALL, SQUARE_FIELD, Box, CodePlace, Places
from draws.cards.printing.values import CodeName


def square_card_places(size: tuple[float, float], format: Format, code: CodeName) -> Places:
    """Return the places of a card of `size` points."""
    panel = Box(0, 0, *size).inset(codes.BORDER)
    head, _, body, foot = panel.inset(2.4 * mm, 0).down(
        1.8 * mm + 22.4 * mm, 1.4 * mm, None, 6 * mm
    )
    left, _, right = head.down(1.8 * mm, None)[1].across(None, 2 * mm, codes.BAR_FIELD + 1.2 * mm)
    hall, _, licence, _, row, _, facts = left.down(
        HALL, 0.3 * mm, SMALL, 1 * mm, 7.4 * mm, 0.8 * mm, None
    )
    letter, _, series = row.across(7.4 * mm, 1.6 * mm, None)
    label, identification = codes.under_label(series)
    price, _, names = facts.across(24 * mm, 1.6 * mm, None)
    number, of, place = SQUARE_CARD_ARRANGED[code](right)
    heads, grid = body.down(7.4 * mm, None) if format.letters else (EMPTY, body)
    book, told = foot.inset(0, 0.5 * mm).across(None, 40 * mm)
    return Places(
        size=size,
        panel=panel,
        hall=hall,
        licence=licence,
        book=book.inset(0, 1.2 * mm),
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
        grid=grid,
        heads=heads,
        code=place,
    )


def _square_card_bars(right: Box) -> tuple[Box, Box, CodePlace | None]:
    number, of, field = _square_card_above(right)
    return number, of, codes.bars_over_digits(field, codes.BAR)


def _square(right: Box) -> tuple[Box, Box, CodePlace | None]:
    numbers, _, column = right.across(None, 1.6 * mm, SQUARE_FIELD)
    number, of, _ = _square_card_above(numbers)
    field, _, first, second, _ = column.down(SQUARE_FIELD, 1 * mm, 3 * mm, 3 * mm, None)
    return number, of, CodePlace(field, (first, second), codes.SQUARE)


def _square_card_plain(right: Box) -> tuple[Box, Box, CodePlace | None]:
    number, of, _ = _square_card_above(right)
    return number, of, None


def _square_card_above(box: Box) -> tuple[Box, Box, Box]:
    """The card's number, the cards of the series, and what is left below."""
    number, _, of, _, left = box.down(7.6 * mm, 0.8 * mm, SMALL, 0.9 * mm, None)
    return number, of, left


SQUARE_CARD_ARRANGED: Mapping[CodeName, Callable[[Box], tuple[Box, Box, CodePlace | None]]] = {
    "barcode": _square_card_bars,
    "qr": _square,
    "none": _square_card_plain,
}


SERIES = 14 * mm  # for the identification beside the number
LEAST = 7.0  # points of an identification


def wide_card_places(size: tuple[float, float], code: CodeName, identification: str = "") -> Places:
    """Return the places of a card of `size` points; a long identification has a line of its own."""
    panel = Box(0, 0, *size).inset(codes.BORDER)
    info, _, book, _, told, _, grid = panel.inset(2.2 * mm, 1.6 * mm).across(
        50 * mm, 0.9 * mm, codes.FINE, 0.7 * mm, 5 * mm, 0.9 * mm, None
    )
    hall, _, licence, _, row, _, rest = info.down(
        HALL, 0.5 * mm, SMALL, 1.4 * mm, 10.6 * mm, 1.3 * mm, None
    )
    letter, _, words = row.across(10.6 * mm, 1.6 * mm, None)
    fits = stringWidth(identification, kit.SEMIBOLD, LEAST) <= SERIES
    label, series, number, of = (_beside if fits else _wide_card_above)(words)
    price, names, place = WIDE_CARD_ARRANGED[code](rest)
    return Places(
        size=size,
        panel=panel,
        hall=hall,
        licence=licence,
        book=book,
        letter=letter,
        label=label,
        series=series,
        number=number,
        of=of,
        price=price,
        names=names,
        aligned=1 if code == "barcode" else 0,
        told=told,
        upright=True,
        grid=grid,
        code=place,
    )


def _beside(words: Box) -> tuple[Box, Box, Box, Box]:
    """The series at the left, the card's number large at the right."""
    series, _, numbers = words.across(SERIES, 1 * mm, None)
    number, _, of = numbers.down(7.2 * mm, 0.9 * mm, None)
    return *codes.under_label(series), number, of


def _wide_card_above(words: Box) -> tuple[Box, Box, Box, Box]:
    """The series in a line, the card's number and how many there are in another below."""
    series, _, numbers = words.down(4 * mm, 0.8 * mm, None)
    label, identification = series.across(8 * mm, None)
    number, _, of = numbers.across(16 * mm, 1.2 * mm, None)
    return label, identification, number, of


def _wide_card_bars(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    facts, _, field = rest.down(5.8 * mm, 1 * mm, None)
    price, _, names = facts.across(26 * mm, 1.6 * mm, None)
    return price, names, codes.bars_over_digits(field, codes.WIDE_BAR)


def _wide_card_square(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    facts, column = rest.across(None, SQUARE_FIELD)
    price, _, names, _, digits = facts.down(4.6 * mm, 1.1 * mm, None, 0.4 * mm, 6 * mm)
    first, second = digits.across(15 * mm, None)[0].down(3 * mm, 3 * mm)
    field = column.down((column.height - SQUARE_FIELD) / 2, SQUARE_FIELD, None)[1]
    return price, names, CodePlace(field, (first, second), codes.SQUARE)


def _wide_card_plain(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    price, _, names, _ = rest.down(8 * mm, 1 * mm, 5 * mm, None)
    return price, names, None


WIDE_CARD_ARRANGED: Mapping[CodeName, Callable[[Box], tuple[Box, Box, CodePlace | None]]] = {
    "barcode": _wide_card_bars,
    "qr": _wide_card_square,
    "none": _wide_card_plain,
}


PAPER: float = 80 * mm
WIDTH: float = 72 * mm
DOT = mm / 8  # till printers have 203 dots an inch
BAR, SQUARE = 3 * DOT, 5 * DOT
CODE: Mapping[CodeName, float] = {
    "barcode": 17 * mm,
    "qr": (codes.SIDE + 2 * codes.QR_QUIET) * SQUARE,
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
    """Return how long a slip is for one card, in points."""
    return ABOVE + _heads(format) + _numbers(format) + CODE[code] + BELOW


def roll_card_places(format: Format, code: CodeName) -> Places:
    """Return the places of a card WIDTH wide and `length` high."""
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
    label, identification = codes.under_label(series)
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
