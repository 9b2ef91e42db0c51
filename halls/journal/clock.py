"""Journal the state of the system's clock at a session's beginning and wherever it changes (R58).

`describe_clock` puts a reading into words.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bingo.rules import journal
from bingo.rules.game_flow import Fact
from bingo.rules.journal import ClockReading
from halls.journal import head, kernel_clock, services
from halls.models import JournalEntry, Session


def read_all(*, at: datetime) -> None:
    """Read the clock for every session that is open."""
    for session in Session.objects.filter(closed_at__isnull=True).order_by("pk"):
        note_clock(session, kernel_clock.read(), at=at)


@transaction.atomic
def note_clock(session: Session, reading: ClockReading, *, at: datetime) -> JournalEntry | None:
    """Write down a reading that says something new; nothing of a session that has closed since."""
    hall = head.lock(session.hall_id)
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=True).exists():
        return None
    last = JournalEntry.objects.filter(session=session, kind=journal.READ).order_by("number").last()
    data = journal.describe_clock(journal.read_clock(last.data) if last else None, reading)
    if data is None:
        return None
    return services.append(hall, Fact(journal.READ, data), session=session, by=None, at=at)


def clock_state(*, synchronised: bool | None, error: int | None) -> str:
    """Say whether the system keeps its clock by a source of time; `error` in microseconds."""
    if synchronised is None:
        return _("the system does not say whether it is synchronised")
    if not synchronised:
        return _("not synchronised with any source of time")
    return _("synchronised, wrong by at most %(seconds)s s") % {"seconds": _seconds(error or 0)}


def step(microseconds: int) -> str:
    """Say by how much the clock was set, or nothing."""
    if not microseconds:
        return ""
    said = {"seconds": _seconds(abs(microseconds))}
    return _("set forward by %(seconds)s s") % said if microseconds > 0 else _("set back by %(seconds)s s") % said  # fmt: skip


def describe_clock(*, synchronised: bool | None, error: int | None, by: int = 0) -> str:
    """Say all that a reading tells: what was done to the clock, then its state."""
    return " · ".join(filter(None, (step(by), clock_state(synchronised=synchronised, error=error))))


def _seconds(microseconds: int) -> str:
    return str(number_format(microseconds / 1_000_000, 3))
