"""Where everything stands on a card, whatever its shape."""

from dataclasses import dataclass

from reportlab.lib.units import inch, mm

from draws.documents.cards import bars, squares
from draws.documents.cards.box import Box

EMPTY = Box(0, 0, 0, 0)
BORDER = 1 * mm  # white at the cutting edge, so that a cut a little off hurts nothing
HALL, SMALL, FINE = 4.6 * mm, 2.8 * mm, 2.5 * mm  # lines of print

# A module of a code is a whole number of a printer's dots, and so is its place: sheets are printed
# with 300, 600 or 1200 dots an inch.
DOT = inch / 300
BAR, WIDE_BAR = 3 * DOT, 4 * DOT
SQUARE = 6 * DOT
BAR_FIELD = (bars.LENGTH + 2 * bars.QUIET) * BAR
SQUARE_FIELD = (squares.SIDE + 2 * squares.QUIET) * SQUARE


@dataclass(frozen=True, slots=True)
class CodePlace:
    """Where a code goes: its white `field`, the `lines` of its digits, the side of a `module`.

    The code lies above the lines that are within the field, at a multiple of `dot`.
    """

    field: Box
    lines: tuple[Box, ...]
    module: float
    dot: float = DOT


@dataclass(frozen=True, slots=True)
class Places:
    """The boxes of a card's parts, measured from its lower left corner.

    `names` holds the colour and which half it is, written from the left (`aligned` 0) or up to
    the right (1). `series` holds the identification, `label` the word for it. `told` is where a
    reprint and a demonstration are told; it and `book` are read upwards if `upright`. `heads` is
    empty where columns have no letters, `panel` where there is only black. The widest number takes
    `share` of its cell's width, its figures drawn `narrow` as wide as the typeface has them.
    """

    size: tuple[float, float]
    panel: Box
    hall: Box
    licence: Box
    book: Box
    letter: Box
    label: Box
    series: Box
    number: Box
    of: Box
    price: Box
    names: Box
    aligned: float
    told: Box
    upright: bool
    grid: Box
    heads: Box = EMPTY
    code: CodePlace | None = None
    share: float = 0.8
    narrow: float = 1


def under_label(series: Box) -> tuple[Box, Box]:
    """Give the places of the word for the series and, below it, of the identification."""
    label, identification = series.down(series.height * 0.4, None)
    return label, identification


def bars_over_digits(field: Box, module: float) -> CodePlace:
    """Give the place of a bar code with its digits below, all in one field."""
    return CodePlace(field, (field.down(None, 3.4 * mm, 0.4 * mm)[1],), module)
