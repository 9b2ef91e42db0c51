"""Wakes the screens' processes after a commit; losing a wake-up costs a second, never a fact.

A clock that went back never puts the journal out of order.

The head of a hall's journal: locked, moved on entry by entry, written.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from bingo.rules.game import Fact
from bingo.rules.journal import chain_digest
from halls.journal.queries import as_value
from halls.models import Hall, JournalEntry, Person, Session

CHANNEL = "bingo:wake"

log_wake = logging.getLogger(__name__)
_valkey = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2)


def send_wake(hall_code: str) -> None:
    """Say that a hall's journal has grown."""
    try:
        _valkey.publish(CHANNEL, hall_code)
    except (redis.RedisError, OSError) as error:
        log_wake.warning("screens are not woken: %s", type(error).__name__)


CLOCK_ANOMALY = "clock_anomaly"
TOLERANCE = timedelta(seconds=2)


def stamp(now: datetime, last: datetime | None) -> datetime:
    """Return the time to record: now in UTC, or the last entry's when the clock stands before it."""
    now = now.astimezone(UTC)
    return max(now, last) if last else now


def is_behind(now: datetime, last: datetime) -> bool:
    """Return whether the clock went back by more than two seconds."""
    return now < last - TOLERANCE


Data = dict[str, Any]

# Statements sent together cost one turn to the server. Each sees what was committed before it
# began, so that the states and keys are read as they stand once the lock is had.
HALLS = """
SELECT id, code, name, licence, language, currency, time_zone, rulebook, jackpot_balance,
       head_number, head_digest, head_at
  FROM halls_hall WHERE id = ANY(%s)
"""
STATES_AND_KEYS = """
SELECT id, state FROM halls_session WHERE id = ANY(%s);
SELECT id FROM halls_journalentry WHERE hall_id = ANY(%s) AND key = ANY(%s)
"""
WAITING = HALLS + "FOR UPDATE;" + STATES_AND_KEYS
FREE = HALLS + "FOR UPDATE SKIP LOCKED;" + STATES_AND_KEYS
WRITE = """
WITH heads AS (
    UPDATE halls_hall h SET head_number = n.number, head_digest = n.digest, head_at = n.at
      FROM json_to_recordset(%s) AS n (id bigint, number bigint, digest text, at timestamptz)
     WHERE h.id = n.id
), states AS (
    UPDATE halls_session s SET state = n.state
      FROM json_to_recordset(%s) AS n (id bigint, state jsonb) WHERE s.id = n.id
)
INSERT INTO halls_journalentry
       (hall_id, number, session_id, game, kind, data, at, by_id, digest, key)
SELECT hall_id, number, session_id, game, kind, data, at, by_id, digest, key
  FROM json_to_recordset(%s) AS n (
       hall_id bigint, number bigint, session_id bigint, game integer, kind text, data jsonb,
       at timestamptz, by_id bigint, digest text, key uuid)
RETURNING hall_id, number, id
"""
OF_ENTRY = (
    "hall_id", "number", "session_id", "game", "kind", "data", "at", "by_id", "digest", "key",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LockedHalls:
    """Halls locked until the end of the transaction, and what stands in them.

    `states` of sessions by their key; `known`: what some keys have made already, by hall and key.
    """

    halls: Mapping[int, Hall]
    states: Mapping[int, Data]
    known: Mapping[tuple[int, UUID], JournalEntry]


@dataclass(frozen=True, slots=True)
class Statement:
    """Rows that are to be written with the entries they follow from."""

    sql: str
    values: Sequence[str]


def lock(hall_id: int) -> Hall:
    """Lock the hall's row until the end of the transaction."""
    return Hall.objects.select_for_update().get(pk=hall_id)


def hold(session: Session, keys: Collection[UUID | None]) -> LockedHalls:
    """Lock a session's hall, as soon as nobody else holds it."""
    return _hold(WAITING, [session], keys)


def hold_free(sessions: Collection[Session], keys: Collection[UUID | None]) -> LockedHalls:
    """Lock those of some sessions' halls that nobody holds just now.

    Nothing is waited for: two who each hold a hall and wait for the other's would wait for ever.
    """
    return _hold(FREE, sessions, keys)


def _hold(sql: str, sessions: Collection[Session], keys: Collection[UUID | None]) -> LockedHalls:
    halls = [session.hall_id for session in sessions]
    asked = [key for key in keys if key is not None]
    with connection.cursor() as cursor:
        cursor.execute(sql, [halls, [session.pk for session in sessions], halls, asked])
        locked = _halls(cursor)
        states = {pk: json.loads(state) for pk, state in _next(cursor)}
        known = [pk for (pk,) in _next(cursor)]
    found = JournalEntry.objects.filter(pk__in=known) if known else ()
    return LockedHalls(locked, states, {(one.hall_id, one.key): one for one in found if one.key})


def _halls(cursor: CursorWrapper) -> Mapping[int, Hall]:
    names = [column.name for column in cursor.description or ()]
    found = [Hall.from_db(connection.alias, names, row) for row in cursor.fetchall()]
    return {hall.pk: hall for hall in found}


def _next(cursor: CursorWrapper) -> list[tuple[Any, ...]]:
    cursor.nextset()
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def same_command(entry: JournalEntry, *, kind: str, by: Person, inputs: Mapping[str, Any]) -> bool:
    """Return whether an entry came of the same command, person and inputs."""
    same_inputs = all(entry.data.get(name) == value for name, value in inputs.items())
    return (entry.kind, entry.by_id) == (kind, by.pk) and same_inputs


def entries(
    hall: Hall,
    fact: Fact,
    *,
    session: Session | None,
    game: int | None,
    by: Person | None,
    at: datetime,
    key: UUID | None,
    unwritten: Sequence[JournalEntry] = (),
) -> list[JournalEntry]:
    """Prepare a fact's entry, after a note when the clock went back; moves the hall's head.

    The hall must be locked by `lock`; `unwritten` are entries prepared before that wait for `write`.
    """
    last = hall.head_at
    found: list[JournalEntry] = []
    behind = last and is_behind(at, last) and fact.kind != CLOCK_ANOMALY
    if last and behind and not _noted(hall, last, unwritten):
        anomaly = Fact(CLOCK_ANOMALY, {"clock": at.isoformat()})
        found.append(_entry(hall, anomaly, session=session, game=None, by=None, at=at, key=None))
    found.append(_entry(hall, fact, session=session, game=game, by=by, at=at, key=key))
    return found


def _noted(hall: Hall, last: datetime, unwritten: Sequence[JournalEntry]) -> bool:
    """Return whether it is known that the clock stands behind this entry's time."""
    if any((entry.kind, entry.at) == (CLOCK_ANOMALY, last) for entry in unwritten):
        return True
    return JournalEntry.objects.filter(hall=hall, kind=CLOCK_ANOMALY, at=last).exists()


def _entry(
    hall: Hall,
    fact: Fact,
    *,
    session: Session | None,
    game: int | None,
    by: Person | None,
    at: datetime,
    key: UUID | None,
) -> JournalEntry:
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
    entry.digest = chain_digest(hall.head_digest, as_value(entry))
    hall.head_number, hall.head_digest, hall.head_at = entry.number, entry.digest, entry.at
    return entry


def write(
    halls: Collection[Hall],
    new: Sequence[JournalEntry],
    states: Mapping[int, Data],
    *rows: Statement,
) -> list[list[tuple[Any, ...]]]:
    """Write prepared entries, the heads they have come to, `states` of sessions, and further rows.

    Gives what each of the further statements returns. Screens are woken after the commit.
    """
    heads = [
        {"id": hall.pk, "number": hall.head_number, "digest": hall.head_digest, "at": hall.head_at}
        for hall in halls
    ]
    kept = [{"id": session, "state": state} for session, state in states.items()]
    told = [{name: getattr(entry, name) for name in OF_ENTRY} for entry in new]
    values = [as_json(heads), as_json(kept), as_json(told)]
    for statement in rows:
        values += statement.values
    with connection.cursor() as cursor:
        cursor.execute(";".join([WRITE, *(statement.sql for statement in rows)]), values)
        keys = {(hall, number): pk for hall, number, pk in cursor.fetchall()}
        returned = [_next(cursor) for _statement in rows]
    for entry in new:
        entry.pk = keys[entry.hall_id, entry.number]
        entry._state.adding, entry._state.db = False, connection.alias
    # One wake-up for all: whoever hears it looks at every hall.
    transaction.on_commit(partial(send_wake, " ".join(hall.code for hall in halls)))
    return returned


def as_json(rows: Sequence[Data]) -> str:
    """Return rows as PostgreSQL reads them: times and keys as texts."""
    return json.dumps(rows, default=str)
