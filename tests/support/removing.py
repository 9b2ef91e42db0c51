"""What the tests of removing share with others."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from halls import sessions
from halls.models import Role
from halls.retention import set_days
from tests.support.evening import Evening, tonight

EVERY = 2.9  # days from one session to the next


def after(days: float) -> datetime:
    return timezone.now() + timedelta(days=days)


def lived(evening: Evening, days: float) -> None:
    """Let a session be held every few days from where the hall stands now, as halls do."""
    evening.hall.refresh_from_db()
    begun = evening.hall.head_at or timezone.now()
    by = evening.person(Role.HALL_MANAGER)
    for night in range(1, int(days / EVERY) + 1):
        at = begun + timedelta(days=night * EVERY)
        held = sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(at), by=by, at=at
        )
        sessions.close_session(session=held, by=by, at=at + timedelta(hours=1))


def keep_for(evening: Evening, **days: int) -> None:
    days = {"pictures": 0, "looks": 0, "prints": 0, "stills": 0, "admissions": 0} | days
    today = evening.hall.day(timezone.now())
    who = evening.who(Role.HALL_MANAGER)
    set_days(hall=evening.hall, days=days, valid_from=today, **who)
