"""Complaints as the acta tells them: what was said, about what, and the decision or that it is open."""

from __future__ import annotations

from dataclasses import replace
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
    note = NoteValues(
        kind="complaint",
        text=f"{words.about(one)}: {one.text} — {_outcome(one, head)}",
        at=one.opened_at.astimezone(zone),
        by=acta_game.name_of(one.entry),
        game=one.game.number if one.game else None,
        said=one.text,
        decision=_("open when the session closed"),
        issue=str(one.issue) if one.issue and one.card is not None else "",
        card=one.card,
        number=one.number,
        ball=one.ball,
    )
    entry = _decided(one, head)
    if entry is None:
        return note
    return replace(
        note,
        decision=f"{words.DECISIONS[one.decision]}: {one.reason}",
        decided_at=entry.at.astimezone(zone),
        decided_by=acta_game.name_of(entry),
        witness=complaints.second_person(one),
    )


def _decided(one: Complaint, head: JournalEntry) -> JournalEntry | None:
    """Return the entry that decided a complaint before the session closed."""
    entry: JournalEntry | None = one.decided_by
    return None if entry is None or entry.number > head.number else entry


def _outcome(one: Complaint, head: JournalEntry) -> str:
    if _decided(one, head) is None:
        return _("open when the session closed")
    told = {
        "decision": words.DECISIONS[one.decision],
        "reason": one.reason,
        "name": complaints.decided_by(one),
    }
    return _("%(decision)s: %(reason)s (decided by %(name)s)") % told
