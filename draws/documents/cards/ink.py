"""What a face is drawn with: the colours of a sheet, or the black of till paper."""

import colorsys
from dataclasses import dataclass

from draws.documents.cards.palette import Colour

# L* of the four columns of a card of 80: apart in grey, black figures at least 12:1 on each.
TONES = (97, 92, 86, 80)
TURNS = (-40, -14, 14, 40)  # degrees of hue from the face's colour
SOFT = 0.5  # at the most, of a colour's saturation: more would outshine the face

HUES = (52, 130, 205, 335)  # yellow, green, blue, pink, on faces that have no hue
VIVID = 0.9


@dataclass(frozen=True, slots=True)
class Ink:
    """Paper under figures, blank cells, letters and lines, each #rrggbb; till paper has no greys."""

    tint: str
    shade: str
    strong: str
    black_only: bool = False


BLACK = Ink("#ffffff", "#ffffff", "#000000", black_only=True)


def of(colour: Colour) -> Ink:
    """Give the inks of a coloured face."""
    return Ink(colour.tint, colour.shade, colour.strong)


def tones(ink: Ink) -> tuple[str, ...]:
    """Give a colour for each of four columns (R64), neighbours of the face's own (R18).

    White and grey have no neighbours: there they are four hues.
    """
    hue, _light, saturation = colorsys.rgb_to_hls(*parts(ink.tint))
    if not saturation:
        return tuple(
            _of_lightness(hue / 360, VIVID, lightness)
            for hue, lightness in zip(HUES, TONES, strict=True)
        )
    return tuple(
        _of_lightness((hue + turn / 360) % 1, min(saturation, SOFT), lightness)
        for turn, lightness in zip(TURNS, TONES, strict=True)
    )


def lighter(colour: str, share: float) -> str:
    """Give a colour with `share` of it replaced by white."""
    return _written(*(part + (1 - part) * share for part in parts(colour)))


def parts(colour: str) -> tuple[float, float, float]:
    """Give red, green, blue of #rrggbb, each 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance, 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """CIE L*, 0 to 100: equal steps look equal."""
    root: float = luminance(colour) ** (1 / 3)
    return 116 * root - 16


def _of_lightness(hue: float, saturation: float, wanted: float) -> str:
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        found = lightness(_written(*colorsys.hls_to_rgb(hue, middle, saturation)))
        low, high = (middle, high) if found < wanted else (low, middle)
    return _written(*colorsys.hls_to_rgb(hue, high, saturation))


def _written(red: float, green: float, blue: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))
