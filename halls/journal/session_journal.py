"""A session's journal held open: facts decided one after another, and written together.

Whoever holds the book holds the lock on the hall's row, so that its entries have one order, and
sees all that came before. Nothing is written until `write`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from bingo.rules import session as rules
from bingo.rules import session_state, shifts
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState
from halls import permissions
from halls.journal import head
from halls.journal.head import LockedHalls, Statement, same_command
from halls.models import JournalEntry, Person, Session, Shift

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
        self.new += head.entries(
            self.hall, fact, session=self.session, game=self._game(kind, before), by=by, at=at,
            key=key, unwritten=self.new,
        )  # fmt: skip
        if key is not None:
            self._known[self.hall.pk, key] = self.new[-1]
        return Recorded(self.new[-1], before, self.state)

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
        found = shifts.find(self.state.shifts, drawer.till.name)
        if (self.session.pk, found.shift) != (drawer.session_id, drawer.number):
            raise Refusal("shift_not_open", till=drawer.till.name)

    def _game(self, kind: str, before: SessionState) -> int | None:
        if kind in NOT_OF_A_GAME:
            return None
        playing = self.state.game if self.state.playing else None
        return playing.number if playing else before.games or None


def open_book(session: Session, keys: Collection[UUID | None]) -> SessionJournal:
    """Open a session's book as soon as nobody else has it; `keys` are those of the commands to come."""
    return SessionJournal(session, head.hold(session, keys))


def open_free(sessions: Collection[Session], keys: Collection[UUID | None]) -> list[SessionJournal]:
    """Open the books of those sessions, each of another hall, whose hall nobody holds just now."""
    held = head.hold_free(sessions, keys)
    return [SessionJournal(session, held) for session in sessions if session.hall_id in held.halls]


def write(books: Collection[SessionJournal], *rows: Statement) -> list[list[tuple[Any, ...]]]:
    """Write what was recorded in some books: entries, the journals' heads, the sessions' states.

    Gives what the further `rows` return that are written with them.
    """
    full = [book for book in books if book.new]
    if not full:
        return [[] for _statement in rows]
    for book in full:
        book.session.state = session_state.dump(book.state)
    returned = head.write(
        [book.hall for book in full],
        [entry for book in full for entry in book.new],
        {book.session.pk: book.session.state for book in full},
        *rows,
    )
    for book in full:
        book.new = []
    return returned
