"""The codes of a card (bars and QR) and the places of everything on it.

`Box` is a rectangle of a page, and how it is divided. Bars are Code 128, set C: pairs of digits
(ISO/IEC 15417). A QR code is version 1, level H: sixteen digits put together from those that segno
makes.

With version, level and mask fixed, each module of a QR code is the exclusive or of what the bits
of its data contribute (Reed-Solomon, mask and placement are linear over GF(2)). So segno draws
one code for each bit of the data, once, and every other code is their sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import segno
from reportlab.lib.units import inch, mm


@dataclass(frozen=True, slots=True)
class Box:
    """Left, bottom, width and height in points; y grows upwards, as in PDF."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, sides: float, ends: float | None = None) -> Box:
        """Return the box without `sides` at left and right and `ends` above and below."""
        ends = sides if ends is None else ends
        return Box(self.x + sides, self.y + ends, self.width - 2 * sides, self.height - 2 * ends)

    def moved(self, x: float, y: float) -> Box:
        """Return the box elsewhere."""
        return Box(self.x + x, self.y + y, self.width, self.height)

    def across(self, *widths: float | None) -> list[Box]:
        """Divide from left to right; the one None takes what is left."""
        boxes, x = [], self.x
        for width in _filled(widths, self.width):
            boxes.append(Box(x, self.y, width, self.height))
            x += width
        return boxes

    def down(self, *heights: float | None) -> list[Box]:
        """Divide from the top down; the one None takes what is left."""
        boxes, top = [], self.top
        for height in _filled(heights, self.height):
            top -= height
            boxes.append(Box(self.x, top, self.width, height))
        return boxes

    def cells(self, rows: int, columns: int) -> list[list[Box]]:
        """Divide into equal cells, the top row first."""
        return [
            row.across(*[self.width / columns] * columns)
            for row in self.down(*[self.height / rows] * rows)
        ]


def _filled(parts: tuple[float | None, ...], whole: float) -> list[float]:
    left = whole - sum(part for part in parts if part is not None)
    return [left if part is None else part for part in parts]


# Widths of bar, space, bar, space, bar, space of the values 0 to 105, as the standard lists them.
WIDTHS = (
    212222, 222122, 222221, 121223, 121322, 131222, 122213, 122312, 132212, 221213, 221312, 231212,
    112232, 122132, 122231, 113222, 123122, 123221, 223211, 221132, 221231, 213212, 223112, 312131,
    311222, 321122, 321221, 312212, 322112, 322211, 212123, 212321, 232121, 111323, 131123, 131321,
    112313, 132113, 132311, 211313, 231113, 231311, 112133, 112331, 132131, 113123, 113321, 133121,
    313121, 211331, 231131, 213113, 213311, 213131, 311123, 311321, 331121, 312113, 312311, 332111,
    314111, 221411, 431111, 111224, 111422, 121124, 121421, 141122, 141221, 112214, 112412, 122114,
    122411, 142112, 142211, 241211, 221114, 413111, 241112, 134111, 111242, 121142, 121241, 114212,
    124112, 124211, 411212, 421112, 421211, 212141, 214121, 412121, 111143, 111341, 131141, 114113,
    114311, 411113, 411311, 113141, 114131, 311141, 411131, 211412, 211214, 211232,
)  # fmt: skip
START, STOP = 105, 2331112
SYMBOL = 11
PAIRS = 8
LENGTH = (PAIRS + 2) * SYMBOL + 13  # modules from the first bar to the last
BARS_QUIET = 10  # modules kept white at each side


def _rectangles(digits: int, at: int) -> str:
    """Bars as rectangles one high, in modules from the first bar of the code."""
    widths = [int(digit) for digit in str(digits)]
    edges = [0, *accumulate(widths)]
    return "".join(f"{at + edges[bar]} 0 {widths[bar]} 1 re " for bar in range(0, len(widths), 2))


# By value, for each place of the code: what it is put together from.
_START = _rectangles(WIDTHS[START], 0)
_VALUES = tuple(
    tuple(_rectangles(widths, place * SYMBOL) for widths in WIDTHS) for place in range(PAIRS + 2)
)
_STOP = _rectangles(STOP, (PAIRS + 2) * SYMBOL)


def bars_rectangles(code: str) -> str:
    """Return a code of sixteen digits as PDF rectangles, LENGTH modules wide and one high."""
    a, b, c, d = int(code[:2]), int(code[2:4]), int(code[4:6]), int(code[6:8])
    e, f, g, h = int(code[8:10]), int(code[10:12]), int(code[12:14]), int(code[14:])
    check = (START + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h) % 103
    _, one, two, three, four, five, six, seven, eight, last = _VALUES
    return (
        f"{_START}{one[a]}{two[b]}{three[c]}{four[d]}"
        f"{five[e]}{six[f]}{seven[g]}{eight[h]}{last[check]}{_STOP}"
    )


SIDE = 21
QR_QUIET = 4  # modules kept white at each side
ROW = 3  # bytes a row takes, of which the last three bits are empty
MASK = 3
GROUPS = (3, 3, 3, 3, 3, 1)  # digits are coded by threes, in ten bits; the last in four


def qr_rectangles(code: str) -> str:
    """Return a code of sixteen digits as PDF rectangles, SIDE modules wide and high."""
    base, groups = _contributions()
    a, b, c, d, e, f = groups
    modules = (
        base
        ^ a[int(code[:3])]
        ^ b[int(code[3:6])]
        ^ c[int(code[6:9])]
        ^ d[int(code[9:12])]
        ^ e[int(code[12:15])]
        ^ f[int(code[15])]
    )
    drawn = zip(_runs(), modules.to_bytes(SIDE * ROW, "big"), strict=True)
    return "".join([byte[value] for byte, value in drawn])


@cache
def _contributions() -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Return the code of sixteen zeros, and what each value of each group of digits changes in it."""
    base = _made("0" * 16)
    groups, before = [], 0
    for digits in GROUPS:
        bits = [
            base ^ _made(f"{'0' * before}{1 << bit:0{digits}}{'0' * (16 - before - digits)}")
            for bit in range((10**digits - 1).bit_length())
        ]
        values = [0]
        for value in range(1, 10**digits):
            lowest = (value & -value).bit_length() - 1
            values.append(values[value & (value - 1)] ^ bits[lowest])
        groups.append(tuple(values))
        before += digits
    return base, tuple(groups)


def _made(digits: str) -> int:
    """Return segno's code as an integer: rows from the top, ROW bytes each, dark is 1."""
    made = segno.make(digits, version=1, error="h", mask=MASK, mode="numeric", boost_error=False)
    rows = ("".join(map(str, row)).ljust(ROW * 8, "0") for row in made.matrix)
    return int("".join(rows), 2)


@cache
def _runs() -> tuple[tuple[str, ...], ...]:
    """Give, by byte of the code and by its value, the dark runs as rectangles."""
    return tuple(
        tuple(_byte(value, place % ROW * 8, SIDE - 1 - place // ROW) for value in range(256))
        for place in range(SIDE * ROW)
    )


def _byte(value: int, x: int, y: int) -> str:
    runs = f"{value:08b}".split("0")
    drawn = []
    for run in runs:
        if run:
            drawn.append(f"{x} {y} {len(run)} 1 re ")
        x += len(run) + 1
    return "".join(drawn)


EMPTY = Box(0, 0, 0, 0)
BORDER = 1 * mm  # white at the cutting edge, so that a cut a little off hurts nothing
HALL, SMALL, FINE = 4.6 * mm, 2.8 * mm, 2.5 * mm  # lines of print

# A module of a code is a whole number of a printer's dots, and so is its place: sheets are printed
# with 300, 600 or 1200 dots an inch.
DOT = inch / 300
BAR, WIDE_BAR = 3 * DOT, 4 * DOT
SQUARE = 6 * DOT
BAR_FIELD = (LENGTH + 2 * BARS_QUIET) * BAR
SQUARE_FIELD = (SIDE + 2 * QR_QUIET) * SQUARE


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
    """Return the places of the word for the series and, below it, of the identification."""
    label, identification = series.down(series.height * 0.4, None)
    return label, identification


def bars_over_digits(field: Box, module: float) -> CodePlace:
    """Return the place of a bar code with its digits below, all in one field."""
    return CodePlace(field, (field.down(None, 3.4 * mm, 0.4 * mm)[1],), module)
