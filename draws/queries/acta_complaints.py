"""Complaints as the acta tells them: what was said, about what, and the decision or that it is open."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from draws.documents import complaint_words as words
from draws.documents.acta_values import NoteValues
from draws.models import Complaint
from draws.queries import acta_game, complaints
from halls.models import JournalEntry, Session


def notes(session: Session, zone: ZoneInfo, *, head: JournalEntry) -> list[NoteValues]:
    """Give a session's complaints as they stood at its head: what was decided later stays open."""
    found = complaints.of_hall(session.hall).filter(session=session).order_by("number")
    return [_note(one, zone, head) for one in found]


def _note(one: Complaint, zone: ZoneInfo, head: JournalEntry) -> NoteValues:
    return NoteValues(
        kind="complaint",
        text=f"{words.about(one)}: {one.text} — {_outcome(one, head)}",
        at=one.opened_at.astimezone(zone),
        by=acta_game.name_of(one.entry),
        game=one.game.number if one.game else None,
    )


def _outcome(one: Complaint, head: JournalEntry) -> str:
    entry = one.decided_by
    if entry is None or entry.number > head.number:
        return _("open when the session closed")
    told = {
        "decision": words.DECISIONS[one.decision],
        "reason": one.reason,
        "name": complaints.decided_by(one),
    }
    return _("%(decision)s: %(reason)s (decided by %(name)s)") % told
