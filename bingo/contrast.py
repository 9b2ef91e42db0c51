"""How well one colour is read on another (WCAG 2.2, 1.4.3), for the colours of our style sheets."""

from __future__ import annotations

import re
from math import cos, radians, sin

Colour = tuple[float, float, float]  # linear sRGB, 0 to 1

WORDS: dict[str, Colour] = {"white": (1.0, 1.0, 1.0), "black": (0.0, 0.0, 0.0)}
OKLCH = re.compile(r"oklch\(\s*([\d.]+)%\s+([\d.]+)\s+([\d.]+)\s*\)")
TOKEN = re.compile(r"^\s*--([a-z-]+):\s*(.+?);", re.MULTILINE)
PAIR = re.compile(r"light-dark\((.+), ((?:oklch|var)\(.+\)|\w+)\)")


def colour(written: str) -> Colour:
    """Read an opaque colour: a word or oklch(). ValueError where it is neither."""
    if written in WORDS:
        return WORDS[written]
    found = OKLCH.fullmatch(written)
    if found is None:
        raise ValueError(written)
    lightness, chroma, hue = (float(part) for part in found.groups())
    return _linear(lightness / 100, chroma * cos(radians(hue)), chroma * sin(radians(hue)))


def ratio(one: Colour, other: Colour) -> float:
    """Give the contrast of two colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def themes(style_sheet: str) -> tuple[dict[str, Colour], dict[str, Colour]]:
    """Give the colours that a style sheet names, in the light and in the dark."""
    first: dict[str, str] = {}
    for name, value in TOKEN.findall(style_sheet):
        first.setdefault(name, value)  # print and more contrast, further down, are no themes
    return _theme(first, 1), _theme(first, 2)


def _theme(written: dict[str, str], side: int) -> dict[str, Colour]:
    found = {}
    for name, value in written.items():
        pair = PAIR.fullmatch(value)
        chosen = pair.group(side) if pair else value
        if named := re.fullmatch(r"var\(--([a-z-]+)\)", chosen):
            chosen = written[named.group(1)]
        try:
            found[name] = colour(chosen)
        except ValueError:
            continue  # a length, a font, a shadow
    return found


def _linear(lightness: float, a: float, b: float) -> Colour:
    """Oklab to linear sRGB (B. Ottosson's matrices), cut off at what a screen can show."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    return _shown(red), _shown(green), _shown(blue)


def _shown(channel: float) -> float:
    return min(1.0, max(0.0, channel))


def _luminance(one: Colour) -> float:
    red, green, blue = one
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
