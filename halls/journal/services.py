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
from django.db.models import F

from bingo.rules import session_state
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import canonical
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.journal import head
from halls.journal.head import Recorded, lock, same_command
from halls.journal.queries import open_session
from halls.models import Hall, JournalEntry, Person, RefusalTally, Session, Shift

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


REFUSED = "command_refused"
FEW = 5  # refusals of one person, one reason and one minute that have an entry each
LONGEST_TEXT = 200  # signs of what was ordered: an address may have thousands
LONGEST_VALUES = 2000  # bytes, beyond which nobody reads them and the record only grows


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


def made(hall: Hall, *, by: Person, key: UUID) -> JournalEntry | None:
    """Return the entry that a person's key has made, of whatever command."""
    return (
        JournalEntry.objects.select_related("session__hall")
        .filter(hall=hall, by=by, key=key)
        .first()
    )


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
    """Journal a refusal that the law or the hall's safety cares about; others pass unrecorded.

    Of one person, one reason and one minute the first FEW have an entry each, and no other command
    waits for the rest: they are only counted, and told by `tell_refusals`.
    """
    if refusal.code not in JOURNALLED:
        return
    data = {"command": command[:LONGEST_TEXT], "code": refusal.code, "values": _kept(refusal)}
    minute = at.replace(second=0, microsecond=0)
    with transaction.atomic():
        tally, _new = RefusalTally.objects.get_or_create(
            hall=hall, person=by, code=refusal.code, minute=minute,
            defaults={"session": session, "data": data},
        )  # fmt: skip
        RefusalTally.objects.filter(pk=tally.pk).update(count=F("count") + 1)
        tally.refresh_from_db(fields=["count"])
        if tally.count <= FEW:
            _tell(lock(hall.pk), data, session=session.pk if session else None, by=by, at=at)


def tell_refusals(*, at: datetime) -> None:
    """Write down how many more were refused in each minute that is over, one entry for each reason."""
    over = at.replace(second=0, microsecond=0)
    due = RefusalTally.objects.filter(minute__lt=over).order_by("pk")
    for key in list(due.values_list("pk", flat=True)):
        with transaction.atomic():
            found = RefusalTally.objects.select_for_update().filter(pk=key).first()
            if found is None:
                continue
            if found.count > FEW:
                data = found.data | {"more": found.count - FEW}
                hall = lock(found.hall_id)
                _tell(hall, data, session=found.session_id, by=found.person, at=at)
            found.delete()


def _tell(hall: Hall, data: dict[str, Any], *, session: int | None, **who: Unpack[Who]) -> None:
    """Write what was refused in a session, by its key; outside of it where it has been closed since."""
    now = open_session(hall)
    still = now if now and now.pk == session else None
    append(hall, Fact(REFUSED, data), session=still, **who)


def _kept(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal's values, none where somebody sent what no entry can hold, or should."""
    try:
        written = canonical(refusal.values)
    except Refusal:
        return {}
    return refusal.values if len(written) <= LONGEST_VALUES else {}


def entry_append(hall: Hall, fact: Fact, **who: Unpack[Who]) -> JournalEntry:
    """Write a fact of the house at the head of a hall's chain; the hall must be locked."""
    session = open_session(hall)
    state = session_state.load(session.state) if session else None
    game = state.game.number if state and state.game and state.playing else None
    return append(hall, fact, session=session, game=game, **who)
