"""Record a hall's own figures of the card of 75, and name the figure a game plays for (R73 b, R76)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from django.db import transaction
from django.utils import translation

from bingo.rules import formats, patterns, rulebooks
from bingo.rules.formats import SEVENTY_FIVE
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.cards import labels
from draws.models import Pattern
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall

LONGEST_NAME = 40


@transaction.atomic
def save(*, hall: Hall, name: str, drawing: Sequence[str], **who: Unpack[Who]) -> Pattern:
    """Keep a figure under a name; `drawing` is five rows of X and ., top row first.

    Raises Refusal: not_allowed, key_reused, format_not_in_rulebook, pattern_name_missing,
    pattern_name_too_long, pattern_name_used, pattern_drawing_used, or what `patterns.read` refuses.
    """
    rulebooks.get(hall.rulebook).column_count(formats.SEVENTY_FIVE)
    drawn = "/".join(patterns.draw(patterns.read(drawing)))
    _require_name(name)
    data = {"name": name, "drawing": drawn}
    hall, done = begin_command(hall.pk, "pattern_saved", inputs=data, **who)
    if done:
        return Pattern.objects.get(hall=hall, name=name)
    if Pattern.objects.filter(hall=hall, name=name).exists():
        raise Refusal("pattern_name_used", name=name)
    if same := _drawn_alike(hall, drawing):
        raise Refusal("pattern_drawing_used", name=same.name)
    entry = journal_services.append(hall, Fact("pattern_saved", data), **who)
    return Pattern.objects.create(hall=hall, saved_at=entry.at, **data)


def _require_name(name: str) -> None:
    if not name.strip():
        raise Refusal("pattern_name_missing")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("pattern_name_too_long", most=LONGEST_NAME)


def figure_name(hall: Hall, pattern: Sequence[str], *, language: str | None = None) -> str:
    """Return the name that the hall has kept for a figure, or the one that every hall knows it by.

    Empty where it has none, or the game is for the whole card. `language` is that of a named
    figure, by default the reader's; the hall's own name is told as it was written.
    """
    if not pattern:
        return ""
    if own := _drawn_alike(hall, pattern):
        return own.name
    return gallery_name(pattern, language=language or translation.get_language())


def gallery_name(pattern: Sequence[str], *, language: str | None) -> str:
    """Return the name by which every hall knows a figure, empty where there is none."""
    if not pattern:
        return ""
    with translation.override(language):
        return next((str(called) for called in _named(pattern)), "")


def _drawn_alike(hall: Hall, drawing: Sequence[str]) -> Pattern | None:
    # The free centre may be drawn or not: it is the same figure.
    found = Pattern.objects.filter(hall=hall, drawing__in=patterns.drawings(drawing))
    return found.order_by("-pk").first()


def _named(pattern: Sequence[str]) -> list[object]:
    bare = patterns.read(pattern) - SEVENTY_FIVE.free
    return [
        labels.PATTERN_NAMES[one.code]
        for one in patterns.GALLERY
        if one.cells - SEVENTY_FIVE.free == bare
    ]
