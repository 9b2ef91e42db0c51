"""The card as high as wide on a sheet: what it is at the top, its numbers below."""

from collections.abc import Callable, Mapping

from reportlab.lib.units import mm

from bingo.rules.formats import Format
from draws.documents.cards.box import Box
from draws.documents.cards.places import (
    BAR,
    BAR_FIELD,
    BORDER,
    EMPTY,
    HALL,
    SMALL,
    SQUARE,
    SQUARE_FIELD,
    CodePlace,
    Places,
    bars_over_digits,
    under_label,
)
from draws.documents.cards.values import CodeName


def places(size: tuple[float, float], format: Format, code: CodeName) -> Places:
    """Give the places of a card of `size` points."""
    panel = Box(0, 0, *size).inset(BORDER)
    head, _, body, foot = panel.inset(2.4 * mm, 0).down(
        1.8 * mm + 22.4 * mm, 1.4 * mm, None, 6 * mm
    )
    left, _, right = head.down(1.8 * mm, None)[1].across(None, 2 * mm, BAR_FIELD + 1.2 * mm)
    hall, _, licence, _, row, _, facts = left.down(
        HALL, 0.3 * mm, SMALL, 1 * mm, 7.4 * mm, 0.8 * mm, None
    )
    letter, _, series = row.across(7.4 * mm, 1.6 * mm, None)
    label, identification = under_label(series)
    price, _, names = facts.across(24 * mm, 1.6 * mm, None)
    number, of, place = ARRANGED[code](right)
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


def _bars(right: Box) -> tuple[Box, Box, CodePlace | None]:
    number, of, field = _above(right)
    return number, of, bars_over_digits(field, BAR)


def _square(right: Box) -> tuple[Box, Box, CodePlace | None]:
    numbers, _, column = right.across(None, 1.6 * mm, SQUARE_FIELD)
    number, of, _ = _above(numbers)
    field, _, first, second, _ = column.down(SQUARE_FIELD, 1 * mm, 3 * mm, 3 * mm, None)
    return number, of, CodePlace(field, (first, second), SQUARE)


def _plain(right: Box) -> tuple[Box, Box, CodePlace | None]:
    number, of, _ = _above(right)
    return number, of, None


def _above(box: Box) -> tuple[Box, Box, Box]:
    """The card's number, the cards of the series, and what is left below."""
    number, _, of, _, left = box.down(7.6 * mm, 0.8 * mm, SMALL, 0.9 * mm, None)
    return number, of, left


ARRANGED: Mapping[CodeName, Callable[[Box], tuple[Box, Box, CodePlace | None]]] = {
    "barcode": _bars,
    "qr": _square,
    "none": _plain,
}
