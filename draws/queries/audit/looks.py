"""Whether the log of who looked at what is whole: each look carries the digest of the one before."""

from __future__ import annotations

from collections.abc import Iterator

from bingo.rules import looks as rules
from bingo.rules import retention
from halls.models import Hall, Look, Removal
from halls.queries.chain import Finding
from halls.queries.looks import digest

CHUNK = 2_000


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each look that does not follow from the one before it: one is gone, or says otherwise."""
    before: str | None = None
    first = True
    for look in Look.objects.filter(hall=hall).order_by("pk").iterator(chunk_size=CHUNK):
        expected = _removed(hall, look) if first else before
        if expected is not None and look.before != expected:
            yield Finding(hall.head_number, "looks_broken", f"before look {look.pk}")
        before, first = digest(look), False


def _removed(hall: Hall, look: Look) -> str | None:
    """Give the digest of the last look that was removed before one, None where no list tells it."""
    removals = Removal.objects.filter(hall=hall, looks_upto__lt=look.pk).order_by("-number")
    listed = removals.values_list("listed", flat=True).first()
    if listed is None:
        return rules.START
    try:
        return retention.last_look(listed)
    except ValueError:
        return None  # that it cannot be read is told with the removals
