"""A session's journal held open: facts decided one after another, and written together.

Whoever holds the book holds the lock on the hall's row, so that its entries have one order, and
sees all that came before. Nothing is written until `write`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from bingo.rules import session as rules
from bingo.rules import shifts
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from halls import permissions
from halls.models import JournalEntry, Person, Session, Shift
from halls.services import head
from halls.services.head import same_command

NOTHING: Mapping[UUID, JournalEntry] = MappingProxyType({})
NOT_OF_A_GAME = frozenset(["shift_opened", "shift_closed", "cash_moved", "session_closed"])


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a command came to; `before` is the state it was decided in.

    `repeated`: its key had been used before, and nothing was done.
    """

    entry: JournalEntry
    before: SessionState
    state: SessionState
    repeated: bool = False


class Book:
    """The journal of one session, locked; runs inside the caller's transaction."""

    def __init__(self, session: Session, keys: Collection[UUID | None] = ()) -> None:
        """Lock the hall and read how the session stands; `keys` are those of the commands to come."""
        self.hall = head.lock(session.hall_id)
        session.refresh_from_db(fields=["state"])
        self.session = session
        self.state = rules.load(session.state)
        self._new: list[JournalEntry] = []
        self._known = head.known(self.hall, keys)

    def record(
        self,
        kind: str,
        *,
        by: Person,
        at: datetime,
        key: UUID | None,
        drawer: Shift | None = None,
        **inputs: Any,
    ) -> Recorded:
        """Decide a command by the rules and prepare its entry, once for each key.

        `drawer` is the shift whose till it concerns: it must still be open. Raises Refusal:
        not_allowed, key_reused, shift_not_open, or the rules'.
        """
        permissions.require(by, kind, hall=self.hall.pk)
        if done := self._earlier(kind, by=by, key=key, inputs=inputs):
            return Recorded(done, self.state, self.state, repeated=True)
        if drawer is not None:
            self._require_open(drawer)
        before = self.state
        fact = rules.decide(before, kind, **inputs)
        self.state = rules.after(before, fact)
        self._new += head.entries(
            self.hall, fact, session=self.session, game=self._game(kind, before), by=by, at=at,
            key=key,
        )  # fmt: skip
        return Recorded(self._new[-1], before, self.state)

    def write(self) -> None:
        """Write what was recorded: entries, the journal's head, the session's state."""
        if not self._new:
            return
        head.write(self.hall, self._new)
        self.session.state = rules.dump(self.state)
        self.session.save(update_fields=["state"])
        self._new = []

    def _earlier(
        self, kind: str, *, by: Person, key: UUID | None, inputs: Mapping[str, Any]
    ) -> JournalEntry | None:
        if key is None:
            return None
        mine = next((entry for entry in self._new if entry.key == key), None)
        entry = mine or self._known.get(key)
        if entry is None:
            return None
        if not same_command(entry, kind=kind, by=by, inputs=inputs):
            raise Refusal("key_reused")
        if entry.session_id != self.session.pk:
            raise Refusal("key_reused")
        return entry

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
