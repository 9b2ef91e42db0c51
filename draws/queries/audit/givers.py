"""Who gave a command, as far as the record can tell: somebody, and at a till whoever works there."""

from __future__ import annotations

from collections.abc import Iterator

from bingo.rules.refusal import Refusal
from bingo.rules.shifts import find
from draws.queries.audit.books import Books
from halls.models import JournalEntry
from halls.permissions import COMMANDS
from halls.queries.chain import Finding

# What only the cashier of the open shift does, with the drawer's money.
OF_THE_CASHIER = frozenset(
    [
        "cards_sold",
        "cards_handed_out",
        "block_settled",
        "prize_paid",
        "cards_refunded",
        "unclaimed_paid",
    ]
)


def differing(entry: JournalEntry, books: Books) -> Iterator[Finding]:
    """Tell of a command that nobody gave, and of a drawer that another than its cashier moved.

    It is asked before the rules follow the entry: they say whether the till had a shift at all.
    """
    if entry.kind not in COMMANDS:
        return
    if entry.by is None:
        yield Finding(entry.number, "giver_missing", entry.kind)
    elif entry.kind == "shift_opened" and entry.data.get("cashier") != entry.by.username:
        yield Finding(entry.number, "giver_differs", f"{entry.kind}: {entry.data.get('cashier')!r}")
    elif entry.kind in OF_THE_CASHIER:
        cashier = _cashier(entry, books)
        if cashier not in (None, entry.by.username):
            yield Finding(entry.number, "giver_differs", f"{entry.kind}: {cashier!r}")


def _cashier(entry: JournalEntry, books: Books) -> str | None:
    state = books.states.get(entry.session_id or 0)
    try:
        return find(state.shifts, entry.data.get("till", "")).cashier if state else None
    except Refusal:
        return None
