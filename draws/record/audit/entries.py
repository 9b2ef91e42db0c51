"""The tables of the audit: each kind of entry and what it must have written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bingo.rules import staff
from draws.record.audit import games
from draws.record.audit.engine import Step
from draws.record.audit.expected_rows import Books
from draws.record.audit.hall_entries import HALL_ENTRIES
from draws.record.audit.session_entries import SESSION_ENTRIES
from halls.models import JournalEntry

WRITES: Mapping[str, tuple[Step, ...]] = MappingProxyType({**HALL_ENTRIES, **SESSION_ENTRIES})

_NOTE = "it notes what happened, and changes nothing"
_STATE = "the session's state alone holds it, judged by the rules and compared whole"
# Kinds of which no row is left to compare, and why.
WITHOUT_ROWS: Mapping[str, str] = MappingProxyType(
    {
        staff.PASSWORD_CHANGED: "nobody but the person knows it",
        "command_refused": _NOTE,
        "clock_anomaly": _NOTE,
        "note_recorded": _NOTE,
        "session_end_planned": _STATE,
        "last_game_announced": _STATE,
        "duty_left_out": _STATE,
        "sale_closed": _STATE,
        "draw_announced": _STATE,
        "source_changed": _STATE,
        "game_suspended": _STATE,
        "game_resumed": _STATE,
        "refusal_reversed": _STATE,
        "window_opened": _STATE,
        "draw_resumed": _STATE,
        "game_finished": _STATE,
    }
)
# Entries that are no facts of a session's rules.
BESIDE = frozenset([*HALL_ENTRIES, staff.PASSWORD_CHANGED, "command_refused", "clock_anomaly"])


def book(books: Books, entry: JournalEntry) -> None:
    """Write down what an entry must have made of the rows, after the rules have followed it.

    Raises Refusal, where only the whole journal tells that it is against the rules; KeyError,
    TypeError, AttributeError when the data of the entry is not of its kind.
    """
    games.apply_fault(books, entry)
    for step in WRITES.get(entry.kind, ()):
        step(books, entry)
    books.at = entry.at
