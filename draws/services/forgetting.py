"""Pictures of balls are forgotten when the hall's days are over: written down first, then removed."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from bingo.rules.game import Fact
from draws.queries import forgetting as queries
from draws.queries import pictures
from halls.models import Hall, JournalEntry
from halls.queries import policies
from halls.services import journal


def forget(*, hall: Hall, at: datetime) -> int:
    """Remove the pictures that the hall keeps no longer, and give how many.

    What the clock says alone is put off until the hall has lived through those days.

    Killed at any moment and run again, it comes to the same: what was written down and not removed
    yet is removed first, and is not written down twice.
    """
    before = queries.entries(hall).last()
    if before is not None:
        _remove(before)
    entry = _written_down(hall, before=before, at=at)
    if entry is None:
        return 0
    _remove(entry)
    return int(entry.data["pictures"])


def _written_down(hall: Hall, *, before: JournalEntry | None, at: datetime) -> JournalEntry | None:
    """Journal what is due, unless another run was faster; the search is over before the hall is held."""
    days = policies.in_force(hall).picture_days
    due = queries.due(hall, days=days, at=at)
    if due is None:
        return None
    with transaction.atomic():
        hall = journal.lock(hall.pk)
        if queries.entries(hall).last() != before or policies.in_force(hall).picture_days != days:
            return None
        # A case that was opened while the search went on holds what it found.
        if queries.is_held(hall, due):
            return None
        return journal.append(hall, Fact(queries.FORGOTTEN, due.told()), by=None, at=at)


def _remove(entry: JournalEntry) -> None:
    """Remove what an entry says is kept no longer; what is gone already is gone."""
    named = {name: entry.data[name] for name in ("after", "last", "enrolments")}
    for digest in queries.digests(entry.hall, **named):
        pictures.path(digest).unlink(missing_ok=True)
