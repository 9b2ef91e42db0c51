"""Write journal entries under a lock: the hall's head, and a session's journal held open.

A clock that went back never puts the journal out of order. The screens' processes are woken after
the commit; losing a wake-up costs a second, never a fact.

A session's journal held open: facts decided one after another, and written together. Whoever holds
the book holds the lock on the hall's row, so that its entries have one order, and sees all that
came before. Nothing is written until `write_books`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import redis
from django.conf import settings
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils.timezone import is_aware

from bingo.rules import session as rules
from bingo.rules import session_state, sign_in_and_pins, staff, till_cash_and_shifts
from bingo.rules.game_flow import Fact
from bingo.rules.journal_json_and_chain import chain_digest
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState
from halls import permissions
from halls.models import Hall, JournalEntry, Person, Session, Shift

CHANNEL = "bingo:wake"

log = logging.getLogger(__name__)
_valkey = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2)


def send_wake(hall_code: str) -> None:
    """Say that a hall's journal has grown."""
    try:
        _valkey.publish(CHANNEL, hall_code)
    except (redis.RedisError, OSError) as error:
        log.warning("screens are not woken: %s", type(error).__name__)


CLOCK_ANOMALY = "clock_anomaly"
OF_ONESELF = (staff.PASSWORD_CHANGED, sign_in_and_pins.CHANGED)
# Each has a note of its own where the clock stands behind: it is held against other times.
NOTED_EACH = (*OF_ONESELF, "game_suspended", "game_voided")
TOLERANCE = timedelta(seconds=2)


def stamp(now: datetime, last: datetime | None) -> datetime:
    """Return the time to record: now in UTC, or the last entry's when the clock stands before it."""
    now = now.astimezone(UTC)
    return max(now, last) if last else now


def entry_day(hall: Hall, at: datetime) -> date:
    """Return the hall's own day that an entry written now bears; whoever writes it has locked the hall."""
    return hall.day(stamp(at, hall.head_at))


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


def _hold(sql: str, sessions: Collection[Session], keys: Collection[UUID | None]) -> LockedHalls:
    """Lock the halls of some sessions, and read what stands in them."""
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


def as_value(entry: JournalEntry) -> dict[str, Any]:
    """Return the entry as the JSON value that is exported and hashed (docs/journal.md)."""
    return {
        "hall": entry.hall.code,
        "number": entry.number,
        "session": entry.session.number if entry.session else None,
        "game": entry.game,
        "kind": entry.kind,
        "data": entry.data,
        "at": entry.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        + "Z",
        "by": entry.by.username if entry.by else None,
    }


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
    if last and behind and (fact.kind in NOTED_EACH or not _noted(hall, last, unwritten)):
        anomaly = Fact(CLOCK_ANOMALY, {"clock": at.isoformat()})
        found.append(_entry(hall, anomaly, session=session, game=None, by=None, at=at, key=None))
    found.append(_entry(hall, fact, session=session, game=game, by=by, at=at, key=key))
    return found


def clock_then(entry: JournalEntry) -> datetime | None:
    """Return what the clock showed when it stood behind an entry of NOTED_EACH; None where it did not."""
    note = JournalEntry.objects.filter(
        hall=entry.hall_id, number=entry.number - 1, kind=CLOCK_ANOMALY, at=entry.at
    ).first()
    try:
        clock = datetime.fromisoformat(note.data["clock"]) if note else None
    except (KeyError, TypeError, ValueError):
        return None
    return clock if clock is not None and is_aware(clock) else None


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


NOT_OF_A_GAME = frozenset(
    [
        "shift_opened", "shift_closed", "cash_moved", "session_closed", "session_end_planned",
        "last_game_announced", "unclaimed_paid",
    ]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a command came to; `before` is the state it was decided in.

    `repeated`: its key had been used before, and nothing was done.
    """

    entry: JournalEntry
    before: SessionState
    state: SessionState
    repeated: bool = False


class SessionJournal:
    """The journal of one session, locked; runs inside the caller's transaction."""

    def __init__(self, session: Session, held: LockedHalls) -> None:
        """Begin at the session's state, in its hall, which is locked."""
        self.hall = held.halls[session.hall_id]
        self.session = session
        self.state = session_state.load(held.states[session.pk])
        self.new: list[JournalEntry] = []
        self._known = dict(held.known)

    def record(
        self,
        kind: str,
        *,
        by: Person,
        at: datetime,
        key: UUID | None,
        drawer: Shift | None = None,
        game: int | None = None,
        **inputs: Any,
    ) -> Recorded:
        """Decide a command by the rules and prepare its entry, once for each key.

        `drawer` is the shift whose till it concerns: it must still be open. `game` is the number
        of the game it is meant for. Raises Refusal: not_allowed, key_reused, stale_page when
        another game is the newest, shift_not_open, or the rules'.
        """
        permissions.require(by, kind, hall=self.hall.pk)
        if done := self._earlier(kind, by=by, key=key, inputs=inputs):
            if game not in (None, done.game):
                raise Refusal("key_reused")
            return Recorded(done, self.state, self.state, repeated=True)
        if game is not None:
            self._require_newest(game)
        if drawer is not None:
            self._require_open(drawer)
        before = self.state
        fact = rules.decide(before, kind, by=by.username, **inputs)
        self.state = rules.after(before, fact)
        self.new += entries(
            self.hall, fact, session=self.session, game=self._game(kind, before), by=by, at=at,
            key=key, unwritten=self.new,
        )  # fmt: skip
        if key is not None:
            self._known[self.hall.pk, key] = self.new[-1]
        return Recorded(self.new[-1], before, self.state)

    def enter(
        self,
        kind: str,
        *,
        by: Person,
        at: datetime,
        key: UUID | None,
        drawer: Shift | None = None,
        **inputs: Any,
    ) -> Recorded:
        """Decide a command as `record` does, and write its entry at once."""
        done = self.record(kind, by=by, at=at, key=key, drawer=drawer, **inputs)
        write_books([self])
        return done

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Take back what is written meanwhile where it ends in an error."""
        hall, stored = self.hall, self.session.state
        at = (hall.head_number, hall.head_digest, hall.head_at)
        state, known = self.state, dict(self._known)
        try:
            with transaction.atomic():
                yield
        except BaseException:
            hall.head_number, hall.head_digest, hall.head_at = at
            self.session.state, self.state, self._known, self.new = stored, state, known, []
            raise

    def _earlier(
        self, kind: str, *, by: Person, key: UUID | None, inputs: Mapping[str, Any]
    ) -> JournalEntry | None:
        if key is None:
            return None
        entry = self._known.get((self.hall.pk, key))
        if entry is None:
            return None
        if not same_command(entry, kind=kind, by=by, inputs=inputs):
            raise Refusal("key_reused")
        if entry.session_id != self.session.pk:
            raise Refusal("key_reused")
        return entry

    def _require_newest(self, game: int) -> None:
        if self.state.game is None or self.state.game.number != game:
            raise Refusal("stale_page")

    def _require_open(self, drawer: Shift) -> None:
        """Refuse when the till of that name has since been opened in another shift or session."""
        found = till_cash_and_shifts.find(self.state.shifts, drawer.till.name)
        if (self.session.pk, found.shift) != (drawer.session_id, drawer.number):
            raise Refusal("shift_not_open", till=drawer.till.name)

    def _game(self, kind: str, before: SessionState) -> int | None:
        if kind in NOT_OF_A_GAME:
            return None
        playing = self.state.game if self.state.playing else None
        return playing.number if playing else before.games or None


def open_book(session: Session, keys: Collection[UUID | None]) -> SessionJournal:
    """Open a session's book as soon as nobody else has it; `keys` are those of the commands to come."""
    return SessionJournal(session, _hold(WAITING, [session], keys))


def open_free(sessions: Collection[Session], keys: Collection[UUID | None]) -> list[SessionJournal]:
    """Open the books of those sessions, each of another hall, whose hall nobody holds just now.

    Nothing is waited for: two who each hold a hall and wait for the other's would wait for ever.
    """
    held = _hold(FREE, sessions, keys)
    return [SessionJournal(session, held) for session in sessions if session.hall_id in held.halls]


def write_books(books: Collection[SessionJournal], *rows: Statement) -> list[list[tuple[Any, ...]]]:
    """Write what was recorded in some books: entries, the journals' heads, the sessions' states.

    Gives what the further `rows` return that are written with them.
    """
    full = [book for book in books if book.new]
    if not full:
        return [[] for _statement in rows]
    for book in full:
        book.session.state = session_state.dump(book.state)
    returned = write(
        [book.hall for book in full],
        [entry for book in full for entry in book.new],
        {book.session.pk: book.session.state for book in full},
        *rows,
    )
    for book in full:
        book.new = []
    return returned
