"""When a session is to end, and the announcement of its last game (R53)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import ending as rules
from halls import permissions
from halls.models import JournalEntry, Person, Session
from halls.services import journal


@transaction.atomic
def plan(
    *,
    session: Session,
    ends_at: datetime,
    reason: str = "",
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Plan when the session ends; moved, it needs a reason, and not once its last game is announced.

    Raises Refusal: not_allowed, bad_session_end, reason_missing, last_game_announced.
    """
    moment = _moment(session, "session_end_planned", by=by, at=at, key=key)
    return journal.record(
        session, "session_end_planned", by=by, at=at, key=key,
        ends_at=rules.written(ends_at), reason=reason, moment=moment,
    ).entry  # fmt: skip


@transaction.atomic
def announce_last_game(
    *, session: Session, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Write down that the last game has been announced, at most ten minutes before the end (R53).

    Raises Refusal: not_allowed, last_game_announced, no_session_end, last_game_too_early.
    """
    moment = _moment(session, "last_game_announced", by=by, at=at, key=key)
    return journal.record(
        session, "last_game_announced", by=by, at=at, key=key, moment=moment
    ).entry  # fmt: skip


def _moment(session: Session, kind: str, *, by: Person, at: datetime, key: UUID | None) -> str:
    """Give when it happens: a repeated request has the moment of its first."""
    permissions.require(by, kind, hall=session.hall_id)
    hall = journal.lock(session.hall_id)
    done = journal.earlier(hall, kind=kind, by=by, key=key)
    return str(done.data["moment"]) if done else rules.written(at)
