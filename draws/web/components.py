"""The page of components: what every page is made of, in one place.

Colours with their contrast, type, keys, notices.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import URLPattern

from bingo import pictures
from draws.web.page import Context, Page, PageRequest
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
    """Return each colour with what it stands on, its contrast in both themes, and the least."""
    sheet = (settings.BASE_DIR / "static/css/tokens.css").read_text()
    light, dark = pictures.themes(sheet)
    return [
        {
            "front": front,
            "back": back,
            "least": least,
            "light": pictures.ratio(light[front], light[back]),
            "dark": pictures.ratio(dark[front], dark[back]),
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
