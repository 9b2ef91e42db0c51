"""What the figure that a game of 75 is played for is called (R73 b, R76)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import translation

from bingo.rules import patterns
from bingo.rules.formats import SEVENTY_FIVE
from draws.documents import pattern_names
from draws.models import Pattern
from halls.models import Hall


def name(hall: Hall, pattern: Sequence[str], *, language: str | None = None) -> str:
    """Give the name that the hall has kept for a figure, or the one that every hall knows it by.

    Empty where it has none, or the game is for the whole card. `language` is that of a named
    figure, by default the reader's; the hall's own name is told as it was written.
    """
    if not pattern:
        return ""
    own = _own(hall, pattern)
    if own:
        return own
    with translation.override(language or translation.get_language()):
        return next((str(called) for called in _named(pattern)), "")


def _own(hall: Hall, pattern: Sequence[str]) -> str:
    # The free centre may be drawn or not: it is the same figure.
    drawings = {"/".join(patterns.draw(one)) for one in _drawn(pattern)}
    found = Pattern.objects.filter(hall=hall, drawing__in=drawings).order_by("-pk").first()
    return found.name if found else ""


def _drawn(pattern: Sequence[str]) -> tuple[frozenset[tuple[int, int]], ...]:
    cells = patterns.read(pattern)
    return cells | SEVENTY_FIVE.free, cells - SEVENTY_FIVE.free


def _named(pattern: Sequence[str]) -> list[object]:
    _whole, bare = _drawn(pattern)
    return [
        pattern_names.NAMES[one.code]
        for one in patterns.GALLERY
        if one.cells - SEVENTY_FIVE.free == bare
    ]
