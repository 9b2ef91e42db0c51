"""Whether the pictures that a journal names are there, and are still those that were taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from bingo.rules import retention as rules
from draws.queries import forgetting, pictures
from draws.queries.audit import files
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry, Removal
from halls.queries.chain import Finding

NAMING = ["ball_read", "ball_announced", "card_shown"]


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Give each picture whose file is not what the journal says, or is gone and was not removed.

    Those that a removal lists may be gone, and those of sessions that an entry says were forgotten
    before removals had lists.
    """
    missing: dict[str, Finding] = {}
    for digest, (number, session) in _named(hall).items():
        for finding in files.judged(number, digest, pictures.path(digest), what="picture"):
            if finding.code == "picture_differs":
                yield finding
            elif session > books.forgotten:
                missing[digest] = finding
    for digest in _listed(hall) if missing else ():
        missing.pop(digest, None)
    yield from missing.values()


def forgotten(hall: Hall) -> int:
    """Count the pictures that the hall keeps no longer and that are gone."""
    upto = forgetting.last_session(hall)
    listed = set(_listed(hall))
    named = _named(hall).items()
    return sum(
        (session <= upto or digest in listed) and not pictures.path(digest).exists()
        for digest, (_number, session) in named
    )


def _listed(hall: Hall) -> Iterator[str]:
    """Give the pictures that removals list, a list at a time: together they may be millions."""
    lists = Removal.objects.filter(hall=hall).values_list("listed", flat=True)
    for listed in lists.iterator(chunk_size=1):
        # One that cannot be read is a finding of its own, and covers nothing.
        with suppress(ValueError):
            yield from (one.name for one in rules.read(listed) if one.kind == rules.PICTURES)


def _named(hall: Hall) -> Mapping[str, tuple[int, int]]:
    """Give every picture with the first entry that names it, and the last session that does."""
    told = JournalEntry.objects.filter(hall=hall, kind__in=NAMING, data__has_key="picture")
    named: dict[str, tuple[int, int]] = {}
    rows = told.order_by("number").values_list("data__picture", "number", "session__number")
    for digest, number, session in rows:
        if digest:
            named[digest] = (named.get(digest, (number, 0))[0], session)
    return named
