"""Whether what the closings carry is the sum of all that the sessions' facts moved."""

from __future__ import annotations

from collections.abc import Iterator

from bingo.rules import totals
from bingo.rules.game import Fact
from bingo.rules.session import SessionState
from draws.queries.audit.books import Books
from halls.models import JournalEntry
from halls.queries.chain import Finding


def followed(entry: JournalEntry, books: Books, state: SessionState) -> Iterator[Finding]:
    """Count a fact of a session; at its closing the hall's totals must be those told.

    Journals older than totals tell none; once told, they are told at each closing.
    """
    session = entry.session_id or 0
    tally = totals.counted(books.tallies.get(session, totals.EMPTY), Fact(entry.kind, entry.data))
    books.tallies[session] = tally
    if entry.kind != "session_closed":
        return
    due = totals.carried(books.totals, state.terms["currency"], tally.totals)
    books.totals = due
    told = entry.data.get("totals")
    if told is None and not books.totals_told:
        return
    books.totals_told = True
    for currency in sorted({*due, *(told or {})}):
        if due.get(currency) != (told or {}).get(currency):
            yield Finding(entry.number, "totals_differ", f"{currency}: {due.get(currency)}")
