"""Whether the pictures that a journal names are there, and are still those that were taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from draws.queries import pictures
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each picture whose file is not what the journal says it is."""
    for digest, number in _named(hall):
        found = _digest(digest)
        if found not in (None, digest):
            yield Finding(number, "picture_differs", digest)


def missing(hall: Hall) -> list[Finding]:
    """Give each picture whose file is gone: a hall need not keep them for ever."""
    return [
        Finding(number, "picture_missing", digest)
        for digest, number in _named(hall)
        if not pictures.path(digest).exists()
    ]


def _named(hall: Hall) -> Iterator[tuple[str, int]]:
    """Give every picture with the first entry that names it."""
    kinds = ["ball_read", "ball_announced"]
    told = JournalEntry.objects.filter(hall=hall, kind__in=kinds, data__has_key="picture")
    known: set[str] = set()
    for digest, number in told.order_by("number").values_list("data__picture", "number"):
        if digest and digest not in known:
            known.add(digest)
            yield digest, number


def _digest(name: str) -> str | None:
    try:
        with pictures.path(name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
