"""What a hall has decided for itself: what holds now, and every decision before."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from bingo.rules import policies as rules
from halls.models import Hall, Policy


def in_force(hall: Hall) -> rules.Policy:
    """Give the newest policy of a hall, or the defaults; the next session opens with it."""
    return rules.of({"policy": decided(hall)})


def decided(hall: Hall) -> dict[str, Any] | None:
    """Give the newest policy as the journal has it; None when the hall has set none."""
    newest = history(hall).first()
    return newest.entry.data if newest else None


def history(hall: Hall) -> QuerySet[Policy]:
    """Give every policy of a hall with its entry, newest first."""
    found = Policy.objects.filter(hall=hall).select_related("entry__by", "entry__hall")
    return found.order_by("-entry__number")
