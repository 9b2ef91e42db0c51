"""The page of components: what every page is made of, in one place.

Colours with their contrast, type, keys, notices. The contrast is that of WCAG 2.2, 1.4.3, for the
colours of our style sheets.
"""

from __future__ import annotations

import re
from math import cos, radians, sin
from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import URLPattern

from draws.web.page_classes import Context, Page, PageRequest
from halls.models import Role

WORDS, EDGES = 4.5, 3.0  # WCAG 2.2: 1.4.3 for words, 1.4.11 for edges of controls
PAIRS = (
    ("ink", "ground", WORDS),
    ("ink", "surface", WORDS),
    ("ink-soft", "surface", WORDS),
    ("ink-soft", "surface-sunk", WORDS),
    ("accent", "surface", WORDS),
    ("on-accent", "accent", WORDS),
    ("gold", "surface", WORDS),
    ("on-gold", "gold", WORDS),
    ("ok", "ok-wash", WORDS),
    ("warning", "warning-wash", WORDS),
    ("danger", "danger-wash", WORDS),
    ("on-danger", "danger", WORDS),
    ("info", "info-wash", WORDS),
    ("on-called", "called", WORDS),
    ("ball-ink", "ivory", WORDS),
    ("edge-strong", "surface", EDGES),
    ("focus", "ground", EDGES),
)
KINDS = ("ok", "info", "warning", "error")
ICONS = (
    "ok", "error", "warning", "info", "ball", "card", "till", "acta", "board", "voice", "stop",
    "go", "print", "person", "leave", "language", "theme",
)  # fmt: skip

Colour = tuple[float, float, float]  # linear sRGB, 0 to 1

NAMED: dict[str, Colour] = {"white": (1.0, 1.0, 1.0), "black": (0.0, 0.0, 0.0)}
OKLCH = re.compile(r"oklch\(\s*([\d.]+)%\s+([\d.]+)\s+([\d.]+)\s*\)")
TOKEN = re.compile(r"^\s*--([a-z-]+):\s*(.+?);", re.MULTILINE)
PAIR = re.compile(r"light-dark\((.+), ((?:oklch|var)\(.+\)|\w+)\)")


def colour(written: str) -> Colour:
    """Read an opaque colour: a word or oklch(). ValueError where it is neither."""
    if written in NAMED:
        return NAMED[written]
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


def pairs() -> list[dict[str, Any]]:
    """Return each colour with what it stands on, its contrast in both themes, and the least."""
    sheet = (settings.BASE_DIR / "static/css/tokens.css").read_text()
    light, dark = themes(sheet)
    return [
        {
            "front": front,
            "back": back,
            "least": least,
            "light": ratio(light[front], light[back]),
            "dark": ratio(dark[front], dark[back]),
        }
        for front, back, least in PAIRS
    ]


def components_context(_asked: PageRequest) -> Context:
    """Return the pieces to show, to whoever develops them. Raises Http404 in a hall."""
    if not settings.COMPONENTS:
        raise Http404
    return {"pairs": pairs(), "kinds": KINDS, "icons": ICONS}


def components_urls() -> list[URLPattern]:
    """Return the address of the page."""
    page = Page(
        "components",
        "components/",
        "web/components.html",
        components_context,
        readers=(Role.HALL_MANAGER,),
    )
    return page.urls()
