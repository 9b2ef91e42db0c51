"""Readings of the system's clock: each is one that said something new after the one before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import clocks as rules
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _read(books: Books, entry: JournalEntry) -> None:
    """Follow the readings of a session. Raises Refusal fact_disagrees."""
    session = entry.session_id or 0
    now = rules.read(entry.data)
    if not session or rules.told(books.clocks.get(session), now) != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.clocks[session] = now


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType({rules.READ: _read})
