"""The pen a board is drawn with: board measures in, enlarged strokes out, and its colours."""

from dataclasses import dataclass
from functools import lru_cache

from PIL import ImageDraw, ImageFont

from bingo.pdf import typeface

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
    return ImageFont.truetype(typeface.path(CUTS[weight]), size)
