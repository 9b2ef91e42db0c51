"""A training hall's first entry says what it is, and no real hall's says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bingo.rules import training as rules
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding


def _begun(_books: Books, entry: JournalEntry) -> None:
    """Raises Refusal fact_disagrees where anything was before it, or it tells of another hall."""
    trained = entry.hall.trains
    if entry.number != 1 or trained is None or entry.data != rules.begin(trained.code):
        raise Refusal("fact_disagrees", kind=entry.kind)


def differing(hall: Hall) -> list[Finding]:
    """Give a training hall whose journal does not say that it is one."""
    first = JournalEntry.objects.filter(hall=hall, number=1, kind=rules.BEGUN)
    if hall.is_training and not first.exists():
        return [Finding(1, "training_untold", hall.code)]
    return []


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {rules.BEGUN: _begun}
)
