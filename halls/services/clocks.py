"""The state of the system's clock, written down at a session's beginning and where it changes."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from bingo import clock_state
from bingo.rules import clocks as rules
from bingo.rules.clocks import Reading
from bingo.rules.game import Fact
from halls.models import JournalEntry, Session
from halls.services import journal


def read_all(*, at: datetime) -> None:
    """Read the clock for every session that is open."""
    for session in Session.objects.filter(closed_at__isnull=True).order_by("pk"):
        note(session, clock_state.read(), at=at)


@transaction.atomic
def note(session: Session, reading: Reading, *, at: datetime) -> JournalEntry | None:
    """Write down a reading that says something new; nothing of a session that has closed since."""
    hall = journal.lock(session.hall_id)
    if not Session.objects.filter(pk=session.pk, closed_at__isnull=True).exists():
        return None
    last = JournalEntry.objects.filter(session=session, kind=rules.READ).order_by("number").last()
    data = rules.told(rules.read(last.data) if last else None, reading)
    if data is None:
        return None
    return journal.append(hall, Fact(rules.READ, data), session=session, by=None, at=at)
