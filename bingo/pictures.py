"""Pictures: prepare a photograph for keeping, and measure the contrast of our colours.

A photograph, or a picture for the wall, is kept upright, small enough, and without metadata. The
contrast is that of WCAG 2.2, 1.4.3, for the colours of our style sheets.
"""

from __future__ import annotations

import re
from io import BytesIO
from math import cos, radians, sin
from pathlib import Path

from PIL import Image, ImageOps

from bingo.rules.refusal import Refusal

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
    """Return the contrast of two colours, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def themes(style_sheet: str) -> tuple[dict[str, Colour], dict[str, Colour]]:
    """Return the colours that a style sheet names, in the light and in the dark."""
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
    return _clamp(red), _clamp(green), _clamp(blue)


def _clamp(channel: float) -> float:
    return min(1.0, max(0.0, channel))


def _luminance(one: Colour) -> float:
    red, green, blue = one
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LARGEST_FILE = 12_000_000  # bytes, as telephones take them
MOST_PIXELS = 60_000_000
LEAST_SIDE = 120  # pixels
CARD, WALL = 1280, 1920  # pixels of the longer side
MOST_DRAWN = 16_000_000  # pixels of a PNG, which cannot be made smaller as it is read
QUALITIES = (85, 70, 50)


def prepared(file: bytes, *, largest: int, longest: int = CARD, drawn: bool = False) -> bytes:
    """Return a photograph as a JPEG of at most `largest` bytes, turned upright, without where it was taken.

    `longest` its longer side in pixels; `drawn`: a PNG is taken too.

    Raises Refusal: photograph_too_large, not_a_photograph.
    """
    if len(file) > LARGEST_FILE:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    try:
        with Image.open(BytesIO(file), formats=["JPEG", "PNG"] if drawn else ["JPEG"]) as found:
            _require_sides(found)
            found.draft("RGB", (longest, longest))
            upright = ImageOps.exif_transpose(found).convert("RGB")
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError):
        raise Refusal("not_a_photograph") from None
    upright.thumbnail((longest, longest))
    bare = Image.frombytes("RGB", upright.size, upright.tobytes())  # of points alone
    for quality in QUALITIES:
        out = BytesIO()
        bare.save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() <= largest:
            return out.getvalue()
    raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)


def opened(path: Path, *, longest: int) -> Image.Image:
    """Return a picture of a file, turned as it was taken; a JPEG about `longest` pixels at most.

    Raises ValueError for what is no picture, is too large, or lacks a part.
    """
    try:
        with Image.open(path) as found:
            found.draft("RGB", (longest, longest))
            upright = ImageOps.exif_transpose(found)
            if upright.mode.startswith("I"):
                # Grey in 16 bits: Pillow would cut off what is more than eight hold.
                upright = upright.convert("I").point(lambda level: level / 256).convert("L")
            return upright.convert("RGB")
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, EOFError) as error:
        raise ValueError(path) from error


def _require_sides(found: Image.Image) -> None:
    wide, high = found.size
    most = MOST_DRAWN if found.format == "PNG" else MOST_PIXELS
    if wide * high > most:
        raise Refusal("photograph_too_large", most=LARGEST_FILE // 1_000_000)
    if min(wide, high) < LEAST_SIDE:
        raise Refusal("not_a_photograph")
