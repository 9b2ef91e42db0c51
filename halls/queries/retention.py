"""For how many days a hall keeps things: what holds on a day, what was decided, what was removed."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from bingo.rules import retention as rules
from halls.models import Hall, Removal, Retention
from halls.queries import policies


def in_force(hall: Hall, *, on: date) -> rules.Days:
    """Give the days by kind on a day of the hall's; 0 keeps for good."""
    found = Retention.objects.filter(hall=hall).order_by("entry__number")
    pictures = policies.in_force(hall).picture_days
    return rules.in_force([one.decision for one in found], on=on, pictures=pictures)


def day(hall: Hall, at: datetime) -> date:
    """Give the day it is in the hall."""
    return at.astimezone(ZoneInfo(hall.time_zone)).date()


def history(hall: Hall) -> QuerySet[Retention]:
    """Give every decision of a hall with its entry, the newest first."""
    found = Retention.objects.filter(hall=hall).select_related("entry__by", "entry__hall")
    return found.order_by("-entry__number")


def removals(hall: Hall) -> QuerySet[Removal]:
    """Give what was removed, the newest first, without the lists."""
    found = Removal.objects.filter(hall=hall).select_related("entry__hall").defer("listed")
    return found.order_by("-number")


def unfinished(hall: Hall) -> QuerySet[Removal]:
    """Give the removals of which something may still be there, the oldest first."""
    found = Removal.objects.filter(hall=hall, finished_at__isnull=True).select_related("entry")
    return found.order_by("number")
