"""A hall's own figures of the card of 75 (R73 b, R76)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import formats, rulebooks
from bingo.rules import patterns as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Pattern
from halls import permissions
from halls.models import Hall, Person
from halls.services import journal

LONGEST_NAME = 40


@transaction.atomic
def save(
    *,
    hall: Hall,
    name: str,
    drawing: Sequence[str],
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Pattern:
    """Keep a figure under a name; `drawing` is five rows of X and ., top row first.

    Raises Refusal: not_allowed, key_reused, format_not_in_rulebook, pattern_name_missing,
    pattern_name_too_long, pattern_name_used, pattern_drawing_used, or what `patterns.read` refuses.
    """
    permissions.require(by, "pattern_saved", hall=hall.pk)
    rulebooks.get(hall.rulebook).column_count(formats.SEVENTY_FIVE)
    drawn = "/".join(rules.draw(rules.read(drawing)))
    _require_name(name)
    hall = journal.lock(hall.pk)
    data = {"name": name, "drawing": drawn}
    if journal.earlier(hall, kind="pattern_saved", by=by, key=key, inputs=data):
        return Pattern.objects.get(hall=hall, name=name)
    if Pattern.objects.filter(hall=hall, name=name).exists():
        raise Refusal("pattern_name_used", name=name)
    if same := Pattern.objects.filter(hall=hall, drawing=drawn).first():
        raise Refusal("pattern_drawing_used", name=same.name)
    entry = journal.append(hall, Fact("pattern_saved", data), by=by, at=at, key=key)
    return Pattern.objects.create(hall=hall, saved_at=entry.at, **data)


def _require_name(name: str) -> None:
    if not name.strip():
        raise Refusal("pattern_name_missing")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("pattern_name_too_long", most=LONGEST_NAME)
