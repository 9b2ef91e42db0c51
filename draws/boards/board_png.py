"""Draw the hall's board as a picture: numbers drawn, last ball, prices and prizes (R24, R28, R29).

The pen takes board measures and draws enlarged strokes, in the board's colours.
"""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from bingo.money_and_dates import Writing
from bingo.pdf import kit

# Dark, so that a hall of screens does not light the room; amber and ivory differ in grey too.
NIGHT, TILE, FAINT, QUIET = "#0b1016", "#18212b", "#66727f", "#93a0ad"
PALE, LIT, AMBER = "#f4f1e8", "#e9e3d0", "#ffb627"
DARK = "#10161d"
CUTS = {"regular": "Regular", "semibold": "Semibold", "bold": "Bold"}

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws on a picture `scale` times as large as the board it is measured by."""

    on: ImageDraw.ImageDraw
    scale: int

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        colour: str,
        *,
        anchor: str = "mm",
        weight: str = "regular",
        room: float | None = None,
    ) -> None:
        """A line of text, made smaller where it would be wider than `room`.

        Centred on the height of its capitals and figures, not of its font's box.
        """
        if room is not None:
            size = self.fitting(text, size, weight, room)
        font = _font(weight, int(size * self.scale))
        x, y = self._scaled(at)
        rise = font.getbbox("0", anchor="ls")[1]
        self.on.text((x, y - rise / 2), text, colour, font=font, anchor=anchor[0] + "s")

    def fitting(self, text: str, size: float, weight: str, room: float) -> float:
        """`size`, or the smaller one at which `text` is no wider than `room`."""
        wide = _font(weight, int(size * self.scale)).getlength(text) / self.scale
        return size if wide <= room else size * room / wide

    def line(self, begin: Point, end: Point, colour: str, width: int) -> None:
        """A straight line."""
        self.on.line((self._scaled(begin), self._scaled(end)), colour, width * self.scale)

    def tile(self, box: Box, colour: str, *, radius: int = 12) -> None:
        """A filled rectangle with round corners."""
        left, top, right, bottom = (edge * self.scale for edge in box)
        self.on.rounded_rectangle((left, top, right, bottom), radius * self.scale, colour)

    def ball(self, centre: Point, radius: float, colour: str) -> None:
        """A filled circle."""
        self.on.ellipse(self._round(centre, radius), colour)

    def ring(self, centre: Point, radius: float, colour: str, *, width: int = 3) -> None:
        """A circle's outline."""
        box = self._round(centre, radius)
        self.on.ellipse(box, outline=colour, width=width * self.scale)

    def _scaled(self, at: Point) -> Point:
        return at[0] * self.scale, at[1] * self.scale

    def _round(self, centre: Point, radius: float) -> Box:
        x, y = self._scaled(centre)
        reach = radius * self.scale
        return x - reach, y - reach, x + reach, y + reach


@lru_cache(maxsize=64)
def _font(weight: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(kit.typeface_path(CUTS[weight]), size)


WIDTH, HEIGHT = 1920, 1080
SCALE = 2  # drawn twice as large and reduced: Pillow's own edges are jagged
EDGE = 56
GRID = (EDGE, 150, 1268, 838)  # left, top, right, bottom
SIDE = (1324, 150, WIDTH - EDGE, 838)
STRIP_TOP, STRIP_BOTTOM = 882, HEIGHT - 40
# Columns as hall boards have them: tens for 90 and 80, the letters' fifteens for 75.
COLUMNS = {90: 10, 80: 10, 75: 15, 30: 6}


@dataclass(frozen=True, slots=True)
class BoardValues:
    """What the hall may see now; amounts in minor units, `drawn` in the order announced.

    `phase` is text in the reader's language; `jackpot` is None where there is none.
    """

    hall: str
    game: int | None
    phase: str
    highest: int
    drawn: tuple[int, ...]
    price: int
    cards_sold: int
    line: int
    bingo: int
    jackpot: int | None
    language: str
    currency: str


def draw_board(values: BoardValues) -> bytes:
    """A PNG of 1920 × 1080 in the language that is active."""
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), NIGHT)
    pen = Pen(ImageDraw.Draw(image), SCALE)
    _top(pen, values)
    _grid(pen, values)
    _side(pen, values)
    _strip(pen, values)
    out = BytesIO()
    image.reduce(SCALE).save(out, "PNG", compress_level=6)
    return out.getvalue()


def _top(pen: Pen, values: BoardValues) -> None:
    middle = 86
    pen.text((EDGE, middle), values.hall, 44, PALE, anchor="lm", weight="semibold", room=900)
    phase = values.phase
    if values.game is not None:
        phase = " · ".join((_("Game %(number)s") % {"number": values.game}, values.phase))
    pen.text((WIDTH - EDGE, middle), phase, 40, AMBER, anchor="rm", room=860)
    pen.line((EDGE, 126), (WIDTH - EDGE, 126), TILE, 2)


def _grid(pen: Pen, values: BoardValues) -> None:
    columns = COLUMNS.get(values.highest, 10)
    rows = -(-values.highest // columns)
    left, top, right, bottom = GRID
    gap = 10
    width = (right - left - gap * (columns - 1)) / columns
    height = (bottom - top - gap * (rows - 1)) / rows
    drawn, last = set(values.drawn), values.drawn[-1] if values.drawn else None
    for number in range(1, values.highest + 1):
        row, column = divmod(number - 1, columns)
        x, y = left + column * (width + gap), top + row * (height + gap)
        fill, ink = _colours(number, drawn, last)
        pen.tile((x, y, x + width, y + height), fill)
        size = min(height * 0.66, width * 0.56)
        weight = "bold" if number in drawn else "regular"
        pen.text((x + width / 2, y + height / 2), str(number), size, ink, weight=weight)


def _colours(number: int, drawn: set[int], last: int | None) -> tuple[str, str]:
    if number == last:
        return AMBER, DARK
    return (LIT, DARK) if number in drawn else (TILE, FAINT)


def _side(pen: Pen, values: BoardValues) -> None:
    left, top, right, bottom = SIDE
    middle = (left + right) / 2
    radius = 212
    centre = (middle, top + radius + 6)
    pen.ball(centre, radius, AMBER if values.drawn else TILE)
    if values.drawn:
        pen.text(centre, str(values.drawn[-1]), 268, DARK, weight="bold")
    counted = _("%(count)s of %(highest)s balls") % {
        "count": len(values.drawn),
        "highest": values.highest,
    }
    pen.text((middle, top + 2 * radius + 58), counted, 44, PALE, weight="semibold", room=520)
    pen.text((middle, bottom - 142), _("Previous balls"), 27, QUIET, room=520)
    earlier = values.drawn[-5:-1][::-1]
    for place in range(4):
        x = left + (place + 0.5) * (right - left) / 4
        pen.ring((x, bottom - 56), 54, QUIET if place < len(earlier) else TILE)
        if place < len(earlier):
            pen.text((x, bottom - 56), str(earlier[place]), 56, PALE, weight="semibold")


def _strip(pen: Pen, values: BoardValues) -> None:
    writing = Writing(values.language, values.currency)
    facts = [
        (_("Card price"), writing.money(values.price)),
        (_("Cards sold"), writing.whole(values.cards_sold)),
        (_("Line"), writing.money(values.line)),
        (_("Bingo"), writing.money(values.bingo)),
    ]
    if values.jackpot is not None:
        facts.append((_("Jackpot"), writing.money(values.jackpot)))
    pen.tile((EDGE, STRIP_TOP, WIDTH - EDGE, STRIP_BOTTOM), TILE, radius=18)
    width = (WIDTH - 2 * EDGE) / len(facts)
    size = min(pen.fitting(value, 54, "semibold", width - 40) for _name, value in facts)
    for place, (name, value) in enumerate(facts):
        x = EDGE + place * width
        if place:
            pen.line((x, STRIP_TOP + 28), (x, STRIP_BOTTOM - 28), QUIET, 1)
        pen.text((x + width / 2, STRIP_TOP + 44), name, 29, QUIET, room=width - 40)
        pen.text((x + width / 2, STRIP_TOP + 104), value, size, PALE, weight="semibold")
