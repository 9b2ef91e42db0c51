"""What the tests of removing share with others."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from draws.balls import queries as balls_queries
from draws.complaints import services as complaints_services
from draws.custody import services as custody_services
from draws.games import services as games_services
from draws.models import Case, Complaint, Game, Reading
from draws.prizes import unclaimed
from draws.record.audit import audit
from draws.retention.services import remove, set_days
from halls import sessions
from halls.models import Hall, JournalEntry, Role, Session
from tests.support import complaints
from tests.support.evening import Evening, tonight
from tests.support.session_ends import ended

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


def hall() -> Hall:
    return Hall.objects.get()


def forget(*, hall: Hall, at: datetime) -> int:
    """Remove what is over, and return how many pictures that was."""
    made = remove(hall=hall, at=at)
    return int(made.entry.data["removed"]["pictures"]["count"]) if made else 0


def kept(*readings: Reading) -> list[bool]:
    """Whether the picture of each reading is there."""
    return [balls_queries.picture_path(reading.picture).exists() for reading in readings]


def entries() -> list[dict[str, Any]]:
    found = JournalEntry.objects.filter(kind="retention_applied").order_by("number")
    return list(found.values_list("data", flat=True))


def audit_codes() -> list[str]:
    """Return the codes of what the audit finds."""
    return [finding.code for finding in audit(hall())]


def opened(session: Session) -> Case:
    """Open a case about the session's game."""
    manager = session.hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[
        0
    ]
    return custody_services.open_case(
        game=session.games.get(), reference="7/2026", reason="x", by=manager, at=after(0)
    )


def complained_later(evening: Evening) -> Complaint:
    """Close a session whose cards were not paid back, and complain of one of them 32 days later."""
    game, chief = evening.game, evening.person(Role.TABLE_CHIEF)
    manager = evening.person(Role.HALL_MANAGER)
    games_services.void(
        game=game, cause="other", reason="Falha", witness=manager, **evening.who(Role.TABLE_CHIEF)
    )
    unclaimed.set_refunds_aside(
        game=game, reason="left", witness=chief, **evening.who(Role.CASHIER)
    )
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    ended(evening)
    lived(evening, 32)
    at = after(32)
    later = sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(at), by=manager, at=at
    )
    return complaints_services.open_complaint(
        session=later, text=complaints.TEXT, game=Game.objects.get(pk=game.pk),
        issue=evening.issue().pk, card=1, by=chief, at=at,
    )  # fmt: skip


def complained(evening: Evening) -> None:
    complaints.opened(evening, evening.who(Role.TABLE_CHIEF), ball=None, card=None, game=None)
