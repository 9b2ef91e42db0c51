"""What entries about a hall's tills say, held against the rows: which there are, and which are in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from bingo.rules import tills as rules
from bingo.rules.refusal import Refusal
from bingo.rules.shifts import still_open
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries import tills as queries
from halls.queries.chain import Finding


def require_in_use(books: Books, till: str) -> None:
    """Refuse a shift at a till that an entry took out of use: till_out_of_use."""
    if not books.tills.get(till, True):
        raise Refusal("till_out_of_use", till=till)


def _changed(books: Books, entry: JournalEntry) -> None:
    """Book a change. Raises Refusal: the rules', fact_disagrees.

    Of the tills of a hall older than the entry of its opening nothing is known but what is told.
    """
    change, till = entry.data["change"], entry.data["till"]
    if change not in rules.CHANGES or {"change": change, "till": till} != entry.data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if books.opened is not None:
        taken = {one.till for state in books.states.values() for one in still_open(state.shifts)}
        known = {name: rules.Till(in_use, name in taken) for name, in_use in books.tills.items()}
        rules.change(known, change, till=till)
    books.tills[till] = change != rules.RETIRED


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {rules.CHANGED: _changed}
)


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Give the tills that are otherwise than told, and in a hall that tells all those that are not."""
    kept = {name: one.in_use for name, one in queries.known(hall).items()}
    for name, in_use in books.tills.items():
        if kept.get(name) is not in_use:
            yield Finding(hall.head_number, "tills_differ", name)
    if books.opened is not None:
        for name in sorted(kept.keys() - books.tills.keys()):
            yield Finding(hall.head_number, "tills_differ", f"{name}: no entry made it")
