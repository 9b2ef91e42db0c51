"""Whether the pictures that a journal names are there, and are still those that were taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from draws.queries import forgetting, pictures
from draws.queries.audit import files
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

NAMING = ["ball_read", "ball_announced"]


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Give each picture whose file is not what the journal says, or is gone and was not forgotten.

    Those of sessions that an entry says were forgotten by the hall's rule may be gone.
    """
    for digest, (number, session) in _named(hall).items():
        for finding in files.judged(number, digest, pictures.path(digest), what="picture"):
            if finding.code == "picture_differs" or session > books.forgotten:
                yield finding


def forgotten(hall: Hall) -> int:
    """Count the pictures that were forgotten by the hall's rule and are gone."""
    upto = forgetting.last_session(hall)
    named = _named(hall).items()
    return sum(
        session <= upto and not pictures.path(digest).exists()
        for digest, (_number, session) in named
    )


def _named(hall: Hall) -> Mapping[str, tuple[int, int]]:
    """Give every picture with the first entry that names it, and the last session that does."""
    told = JournalEntry.objects.filter(hall=hall, kind__in=NAMING, data__has_key="picture")
    named: dict[str, tuple[int, int]] = {}
    rows = told.order_by("number").values_list("data__picture", "number", "session__number")
    for digest, number, session in rows:
        if digest:
            named[digest] = (named.get(digest, (number, 0))[0], session)
    return named
