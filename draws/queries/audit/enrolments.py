"""What entries about enrolments must have written into which rows, and the sheets they name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from draws.queries.audit.books import Books
from halls.models import JournalEntry

CERTIFICATE = "certificate"


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
