"""What entries about enrolments must have written into which rows, and the sheets they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from draws.queries import certificates
from draws.queries.audit import files
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

CERTIFICATE = "certificate"


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each certificate whose sheet is gone, or is not the one that was written down."""
    told = JournalEntry.objects.filter(hall=hall, kind="balls_enrolled").order_by("number")
    for number, digest in told.values_list("number", "data__certificate"):
        yield from files.judged(number, digest, certificates.path(digest), what=CERTIFICATE)


def _enrolled(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    books.put(
        CERTIFICATE, (entry.pk,), entry.number,
        camera__name=data["camera"], ball_set__serial=data["ball_set"],
        threshold=data["threshold"], model=data["model"], paper=data["certificate"],
        found=data["found"], at=entry.at,
    )  # fmt: skip


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {"balls_enrolled": _enrolled}
)
