"""What entries about enrolments must have written into which rows, and the sheets and balls they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from draws.models import Certificate
from draws.queries import certificates
from draws.queries import enrolments as queries
from draws.queries.audit import files
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

CERTIFICATE = "certificate"


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each certificate whose sheet is gone, or whose sheet or balls are not those written down."""
    yield from _named_otherwise(hall)
    told = JournalEntry.objects.filter(hall=hall, kind="balls_enrolled").order_by("number")
    for number, digest in told.values_list("number", "data__certificate"):
        yield from files.judged(number, digest, certificates.path(digest), what=CERTIFICATE)


def _named_otherwise(hall: Hall) -> Iterator[Finding]:
    """Give each certificate whose pictures, or the numbers they were named by, are others now."""
    found = Certificate.objects.filter(hall=hall).select_related("enrolment__ball_set", "entry")
    for one in found.order_by("entry__number"):
        gallery = queries.gallery_digest(queries.named(one.enrolment))
        if gallery != one.entry.data.get("gallery"):
            yield Finding(one.entry.number, "gallery_differs", one.enrolment.ball_set.serial)


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
