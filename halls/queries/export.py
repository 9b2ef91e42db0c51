"""The journal as JSON Lines: what the stand-alone verifier reads (docs/journal.md)."""

from collections.abc import Iterator

from bingo.rules.chain import canonical
from halls.models import Hall, JournalEntry
from halls.queries.entry import as_value


def entries(hall: Hall) -> Iterator[JournalEntry]:
    """Give a hall's entries in order, a few thousand at a time."""
    found = JournalEntry.objects.filter(hall=hall).order_by("number")
    yield from found.select_related("hall", "session", "by").iterator(chunk_size=2_000)


def lines(hall: Hall, *, upto: int | None = None) -> Iterator[str]:
    """Give one line an entry: its canonical JSON with its digest, first to `upto` or the last."""
    for entry in entries(hall):
        if upto is not None and entry.number > upto:
            return
        yield canonical(as_value(entry) | {"digest": entry.digest}).decode() + "\n"
