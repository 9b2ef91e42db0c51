"""Facts beside a session's rules that still belong to its record: they carry its number, and its game's."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from bingo.rules import session as rules
from bingo.rules.game import Fact
from halls.models import Hall, JournalEntry, Person
from halls.queries.sessions import open_session
from halls.services import journal


def append(hall: Hall, fact: Fact, *, by: Person, at: datetime, key: UUID | None) -> JournalEntry:
    """Write a fact of the house at the head of a hall's chain; the hall must be locked."""
    session = open_session(hall)
    state = rules.load(session.state) if session else None
    game = state.game.number if state and state.game and state.playing else None
    return journal.append(hall, fact, session=session, game=game, by=by, at=at, key=key)
