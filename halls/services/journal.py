"""The one door to the journal: lock, decide by the rules, write the entry, tell after commit.

Every command of a hall takes the lock on the hall's row, so its entries have one order, and
whoever holds the lock sees all that came before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import session as rules
from bingo.rules.chain import digest
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from halls import permissions
from halls.models import Hall, JournalEntry, Person, Session
from halls.queries.entry import as_value
from halls.services import wake
from halls.services.clock import CLOCK_ANOMALY, is_behind, stamp

NOTHING: Mapping[str, Any] = MappingProxyType({})
NOT_OF_A_GAME = frozenset(["shift_opened", "shift_closed", "cash_moved", "session_closed"])
JOURNALLED = frozenset(
    ["not_allowed", "already_paid", "no_prize", "ball_already_drawn", "not_sold", "matrix_changed"]
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a command came to; `repeated` when its key had been used before, and nothing was done."""

    entry: JournalEntry
    state: SessionState | None
    repeated: bool = False


def lock(hall_id: int) -> Hall:
    """Lock the hall's row until the end of the transaction."""
    return Hall.objects.select_for_update().get(pk=hall_id)


def earlier(
    hall: Hall, *, kind: str, by: Person, key: UUID | None, inputs: Mapping[str, Any] = NOTHING
) -> JournalEntry | None:
    """Give the entry that this key already made of the same command, if any.

    Raises Refusal key_reused when the key came with another command, person or input.
    """
    if key is None:
        return None
    entry = JournalEntry.objects.filter(hall=hall, key=key).first()
    if entry is None:
        return None
    same_inputs = all(entry.data.get(name) == value for name, value in inputs.items())
    if (entry.kind, entry.by_id) != (kind, by.pk) or not same_inputs:
        raise Refusal("key_reused")
    return entry


def knows(hall: Hall, *, by: Person, key: str) -> bool:
    """Tell whether a person's key has made an entry; a key that is no UUID has not."""
    try:
        return JournalEntry.objects.filter(hall=hall, by=by, key=UUID(key)).exists()
    except ValueError:
        return False


def record(
    session: Session, kind: str, *, by: Person, at: datetime, key: UUID | None, **inputs: Any
) -> Recorded:
    """Decide a command of a session's rules and write it down, once for each key.

    Runs inside the caller's transaction. Raises Refusal: not_allowed, key_reused, or the rules'.
    """
    permissions.require(by, kind, hall=session.hall_id)
    hall = lock(session.hall_id)
    if done := earlier(hall, kind=kind, by=by, key=key, inputs=inputs):
        if done.session_id != session.pk:
            raise Refusal("key_reused")
        return Recorded(done, None, repeated=True)
    session.refresh_from_db(fields=["state"])
    before = rules.load(session.state)
    fact = rules.decide(before, kind, **inputs)
    after = rules.follow(before, fact)
    number = after.game.number if after.playing and after.game else before.games or None
    game = number if kind not in NOT_OF_A_GAME else None
    entry = append(hall, fact, session=session, game=game, by=by, at=at, key=key)
    session.state = rules.dump(after)
    session.save(update_fields=["state"])
    return Recorded(entry, after)


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
    last = hall.head_at
    if last and is_behind(at, last) and fact.kind != CLOCK_ANOMALY:
        _note_anomaly(hall, last, session=session, at=at)
    entry = JournalEntry(
        hall=hall,
        number=hall.head_number + 1,
        session=session,
        game=game,
        kind=fact.kind,
        data=fact.data,
        at=stamp(at, hall.head_at),
        by=by,
        key=key,
    )
    entry.digest = digest(hall.head_digest, as_value(entry))
    entry.save(force_insert=True)
    hall.head_number, hall.head_digest, hall.head_at = entry.number, entry.digest, entry.at
    hall.save(update_fields=["head_number", "head_digest", "head_at"])
    transaction.on_commit(lambda: wake.send(hall.code))
    return entry


def _note_anomaly(hall: Hall, last: datetime, *, session: Session | None, at: datetime) -> None:
    """Record that the clock went back, once for as long as it stays behind."""
    noted = JournalEntry.objects.filter(hall=hall, kind=CLOCK_ANOMALY, at=last)
    if not noted.exists():
        append(
            hall, Fact(CLOCK_ANOMALY, {"clock": at.isoformat()}), session=session, by=None, at=at
        )


def refused(
    hall: Hall, *, command: str, refusal: Refusal, by: Person, at: datetime, session: Session | None
) -> None:
    """Journal a refusal that the law or the hall's safety cares about; others pass unrecorded."""
    if refusal.code not in JOURNALLED:
        return
    with transaction.atomic():
        data = {"command": command, "code": refusal.code, "values": refusal.values}
        append(lock(hall.pk), Fact("command_refused", data), session=session, by=by, at=at)
