"""The card three rows high on a sheet: what it is at the left, its numbers at the right."""

from collections.abc import Callable, Mapping

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from bingo.pdf import kit
from draws.documents.cards.box import Box
from draws.documents.cards.places import (
    BORDER,
    FINE,
    HALL,
    SMALL,
    SQUARE,
    SQUARE_FIELD,
    WIDE_BAR,
    CodePlace,
    Places,
    bars_over_digits,
    under_label,
)
from draws.documents.cards.values import CodeName

SERIES = 14 * mm  # for the identification beside the number
LEAST = 7.0  # points of an identification


def places(size: tuple[float, float], code: CodeName, identification: str = "") -> Places:
    """Give the places of a card of `size` points; a long identification has a line of its own."""
    panel = Box(0, 0, *size).inset(BORDER)
    info, _, book, _, told, _, grid = panel.inset(2.2 * mm, 1.6 * mm).across(
        50 * mm, 0.9 * mm, FINE, 0.7 * mm, 5 * mm, 0.9 * mm, None
    )
    hall, _, licence, _, row, _, rest = info.down(
        HALL, 0.5 * mm, SMALL, 1.4 * mm, 10.6 * mm, 1.3 * mm, None
    )
    letter, _, words = row.across(10.6 * mm, 1.6 * mm, None)
    fits = stringWidth(identification, kit.SEMIBOLD, LEAST) <= SERIES
    label, series, number, of = (_beside if fits else _above)(words)
    price, names, place = ARRANGED[code](rest)
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
    return *under_label(series), number, of


def _above(words: Box) -> tuple[Box, Box, Box, Box]:
    """The series in a line, the card's number and how many there are in another below."""
    series, _, numbers = words.down(4 * mm, 0.8 * mm, None)
    label, identification = series.across(8 * mm, None)
    number, _, of = numbers.across(16 * mm, 1.2 * mm, None)
    return label, identification, number, of


def _bars(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    facts, _, field = rest.down(5.8 * mm, 1 * mm, None)
    price, _, names = facts.across(26 * mm, 1.6 * mm, None)
    return price, names, bars_over_digits(field, WIDE_BAR)


def _square(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    facts, column = rest.across(None, SQUARE_FIELD)
    price, _, names, _, digits = facts.down(4.6 * mm, 1.1 * mm, None, 0.4 * mm, 6 * mm)
    first, second = digits.across(15 * mm, None)[0].down(3 * mm, 3 * mm)
    field = column.down((column.height - SQUARE_FIELD) / 2, SQUARE_FIELD, None)[1]
    return price, names, CodePlace(field, (first, second), SQUARE)


def _plain(rest: Box) -> tuple[Box, Box, CodePlace | None]:
    price, _, names, _ = rest.down(8 * mm, 1 * mm, 5 * mm, None)
    return price, names, None


ARRANGED: Mapping[CodeName, Callable[[Box], tuple[Box, Box, CodePlace | None]]] = {
    "barcode": _bars,
    "qr": _square,
    "none": _plain,
}
