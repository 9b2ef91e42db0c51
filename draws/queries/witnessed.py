"""What was done in a session before a second person, by the journal (the hall's policy)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from halls.models import Hall, JournalEntry, Person, Session


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A journal entry and the name of the second person who stood for it."""

    entry: JournalEntry
    witness: str


def of_session(session: Session) -> list[Witnessed]:
    """Give what was witnessed in a session, in order."""
    return _witnessed(session.hall, JournalEntry.objects.filter(session=session))


def of_game(session: Session, game: int) -> list[Witnessed]:
    """Give what was witnessed while a game was under way, in order."""
    return _witnessed(session.hall, JournalEntry.objects.filter(session=session, game=game))


def names(hall: Hall, usernames: Iterable[str]) -> dict[str, str]:
    """Give the names of a hall's people by their usernames."""
    known = Person.objects.filter(hall=hall, username__in=set(usernames))
    return dict(known.values_list("username", "name"))


def _witnessed(hall: Hall, entries: QuerySet[JournalEntry]) -> list[Witnessed]:
    found = entries.filter(data__has_key="witness").select_related("by", "hall").order_by("number")
    listed = list(found)
    known = names(hall, [entry.data["witness"] for entry in listed])
    return [
        Witnessed(entry, known.get(entry.data["witness"], entry.data["witness"]))
        for entry in listed
    ]
