"""What is held of a jackpot between sessions, judged by the rules and booked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import trust
from bingo.rules.refusal import Refusal
from draws.queries.audit import second
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _added(books: Books, entry: JournalEntry) -> None:
    _judged(books, entry, trust.fund, ("level", "amount", "reference"), 1)


def _received(books: Books, entry: JournalEntry) -> None:
    _judged(books, entry, trust.receive, ("level", "amount", "origin", "reference"), 1)


def _ended(books: Books, entry: JournalEntry) -> None:
    _judged(books, entry, trust.end, ("level", "to", "reference"), -1)


def _moved(books: Books, entry: JournalEntry) -> None:
    _judged(books, entry, trust.move, ("level", "to", "to_level", "reference"), -1)


def _judged(
    books: Books, entry: JournalEntry, decide: Callable[..., trust.Data], asked: tuple[str, ...],
    sign: int,
) -> None:  # fmt: skip
    """Decide anew and book it. Raises Refusal: fact_disagrees, or what the rules refuse."""
    data, held = entry.data, books.balances
    if held is None:
        # Nothing before this entry told what there was.
        held = tuple(trust.changed((), data["level"], trust.before(data)))
    if decide(held, **{name: data[name] for name in asked}) | second.told(books, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.balances = tuple(trust.changed(held, data["level"], sign * data["amount"]))


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        trust.FUNDED: _added,
        trust.RECEIVED: _received,
        trust.ENDED: _ended,
        trust.MOVED: _moved,
    }
)
