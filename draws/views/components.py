"""What every page is made of, in one place: colours with their contrast, type, keys, notices."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import URLPattern

from bingo import contrast
from draws.views.page import Asked, Context, Page
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


def pairs() -> list[dict[str, Any]]:
    """Give each colour with what it stands on, its contrast in both themes, and the least."""
    sheet = (settings.BASE_DIR / "static/css/tokens.css").read_text()
    light, dark = contrast.themes(sheet)
    return [
        {
            "front": front,
            "back": back,
            "least": least,
            "light": contrast.ratio(light[front], light[back]),
            "dark": contrast.ratio(dark[front], dark[back]),
        }
        for front, back, least in PAIRS
    ]


def context(_asked: Asked) -> Context:
    """Give the pieces to show."""
    return {"pairs": pairs(), "kinds": KINDS, "icons": ICONS}


def urls() -> list[URLPattern]:
    """Give the address of the page."""
    page = Page(
        "components", "components/", "components.html", context, readers=(Role.HALL_MANAGER,)
    )
    return page.urls()
