"""Write to the journal: lock, decide by the rules, write the entry, notify after commit.

Facts beside a session's rules that still belong to its record carry its number, and its game's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NotRequired, TypedDict, Unpack
from uuid import UUID

from django.db import transaction

from bingo.rules import session_state
from bingo.rules.game_flow import Fact
from bingo.rules.journal import canonical
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.journal import head
from halls.journal.head import Recorded, lock, same_command
from halls.journal.queries import open_session
from halls.models import Hall, JournalEntry, Person, Session, Shift

NOTHING: Mapping[str, Any] = MappingProxyType({})
JOURNALLED = frozenset(
    [
        "not_allowed",
        "already_paid",
        "no_prize",
        "ball_already_drawn",
        "not_sold",
        "matrix_changed",
        "not_handed_out",
        "difference_needs_comment",
        "witness_unknown",
        "witness_too_soon",
        "inspectors_account",
        "kept_too_short",
        "held_by_case",
        "held_by_complaint",
    ]
)


class Who(TypedDict):
    """Who gives a command, when, and the key by which it is done once however often it is sent."""

    by: Person
    at: datetime
    key: NotRequired[UUID | None]


def begin_command(
    hall_id: int, kind: str, *, inputs: Mapping[str, Any] = NOTHING, **who: Unpack[Who]
) -> tuple[Hall, JournalEntry | None]:
    """Return the hall, locked for a command, and the entry that its key has made of it, if any.

    Raises Refusal: not_allowed, key_reused.
    """
    permissions.require(who["by"], kind, hall=hall_id)
    hall = head.lock(hall_id)
    return hall, earlier(hall, kind=kind, by=who["by"], key=who.get("key"), inputs=inputs)


def earlier(
    hall: Hall, *, kind: str, by: Person, key: UUID | None, inputs: Mapping[str, Any] = NOTHING
) -> JournalEntry | None:
    """Return the entry that this key already made of the same command, if any.

    Raises Refusal key_reused when the key came with another command, person or input.
    """
    if key is None:
        return None
    entry = JournalEntry.objects.filter(hall=hall, key=key).first()
    if entry is None:
        return None
    if not same_command(entry, kind=kind, by=by, inputs=inputs):
        raise Refusal("key_reused")
    return entry


def knows(hall: Hall, *, by: Person, key: str) -> bool:
    """Return whether a person's key has made an entry; a key that is no UUID has not."""
    try:
        return JournalEntry.objects.filter(hall=hall, by=by, key=UUID(key)).exists()
    except ValueError:
        return False


def record(
    session: Session,
    kind: str,
    *,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    drawer: Shift | None = None,
    **inputs: Any,
) -> Recorded:
    """Decide a command of a session's rules and write it down, once for each key.

    Runs inside the caller's transaction. Raises Refusal: not_allowed, key_reused, shift_not_open
    when `drawer` is not, or the rules'.
    """
    book = head.open_book(session, [key])
    return book.enter(kind, by=by, at=at, key=key, drawer=drawer, **inputs)


def append(
    hall: Hall,
    fact: Fact,
    *,
    session: Session | None = None,
    game: int | None = None,
    by: Person | None,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Write one entry at the head of a hall's chain; the hall must be locked by `lock`."""
    new = head.entries(hall, fact, session=session, game=game, by=by, at=at, key=key)
    head.write([hall], new, {})
    return new[-1]


def refused(
    hall: Hall, *, command: str, refusal: Refusal, by: Person, at: datetime, session: Session | None
) -> None:
    """Journal a refusal that the law or the hall's safety cares about; others pass unrecorded."""
    if refusal.code not in JOURNALLED:
        return
    with transaction.atomic():
        data = {"command": command, "code": refusal.code, "values": _kept(refusal)}
        append(lock(hall.pk), Fact("command_refused", data), session=session, by=by, at=at)


def _kept(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal's values, none where somebody sent what no entry can hold."""
    try:
        canonical(refusal.values)
    except Refusal:
        return {}
    return refusal.values


def entry_append(hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
    """Write a fact of the house at the head of a hall's chain; the hall must be locked."""
    session = open_session(hall)
    state = session_state.load(session.state) if session else None
    game = state.game.number if state and state.game and state.playing else None
    return append(hall, fact, session=session, game=game, **who)
