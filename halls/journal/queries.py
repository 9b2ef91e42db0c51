"""Read a hall's journal: its open session, its second persons, its integrity, its export.

`checked` tells whether the journal is whole: numbers without gap, each digest right, the head in
place. `export_lines` gives the JSON Lines that the stand-alone verifier reads (docs/journal.md).
`path_to_hall` is the way from a model to its hall, read from its foreign keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model, QuerySet

from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from bingo.rules.refusal import Refusal
from halls.journal.head import as_value
from halls.models import Hall, JournalEntry, Link, Person, Session


def entries(hall: Hall, *, after: int = 0) -> Iterator[JournalEntry]:
    """Return a hall's entries in order, those after a number, a few thousand at a time."""
    found = JournalEntry.objects.filter(hall=hall, number__gt=after).order_by("number")
    yield from found.select_related("hall", "session", "by").iterator(chunk_size=2_000)


def export_lines(hall: Hall, *, after: int = 0, upto: int | None = None) -> Iterator[str]:
    """Return one line an entry: its canonical JSON with its digest, from the one after `after`.

    It ends with `upto`, or with the last.
    """
    for entry in entries(hall, after=after):
        if upto is not None and entry.number > upto:
            return
        yield canonical(as_value(entry) | {"digest": entry.digest}).decode() + "\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a hall's record; `number` is the journal entry it shows at."""

    number: int
    code: str
    detail: str = ""


def checked(hall: Hall, findings: list[Finding]) -> Iterator[JournalEntry]:
    """Return a hall's entries up to the first broken one, which is added to `findings`."""
    previous, expected, at = START, 1, None
    for entry in entries(hall):
        fault = _fault(entry, expected, previous)
        if fault:
            findings.append(fault)
            return
        previous, expected, at = entry.digest, expected + 1, entry.at
        yield entry
    if (hall.head_number, hall.head_digest) != (expected - 1, previous):
        findings.append(Finding(expected, "entries_missing_at_end", f"head {hall.head_number}"))
    elif hall.head_at != at:
        # Days of cards and of removals count from it where the clock stands before it.
        findings.append(Finding(expected - 1, "head_differs", f"head of {hall.head_at}"))


def _fault(entry: JournalEntry, expected: int, previous: str) -> Finding | None:
    if entry.number != expected:
        return Finding(expected, "entry_missing", f"found {entry.number}")
    try:
        right = chain_digest(previous, as_value(entry))
    except Refusal:
        return Finding(entry.number, "entry_malformed")
    return None if right == entry.digest else Finding(entry.number, "digest_wrong")


OURS = ("halls", "draws")
HALL = "hall"


def ours() -> list[type[Model]]:
    """Return every model of this project that has a table, in the order of their names."""
    found = (model for model in apps.get_models(include_auto_created=True) if _is_ours(model))
    return sorted(found, key=lambda model: model._meta.db_table)


@cache
def path_to_hall(model: type[Model]) -> str:
    """Return the lookup from a model's rows to their hall's key; `pk` for halls themselves.

    Raises LookupError for a model that belongs to no hall.
    """
    found = _path(model, frozenset())
    if found is None:
        raise LookupError(model._meta.label)
    return found


def parents(model: type[Model]) -> list[ForeignKey[Any, Any]]:
    """Return the foreign keys by which rows belong to another of our rows, those that must be first.

    People stand for nothing: who did something may have gone to another hall since.
    """
    found = [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and _belongs_to(field, model)
    ]
    return sorted(found, key=lambda field: field.null)


def _path(model: type[Model], seen: frozenset[type[Model]]) -> str | None:
    if model is Hall:
        return "pk"
    if model is Link:
        return "members__hall"  # of several halls: each sees what it takes part in
    ways = [_way(field, seen | {model}) for field in parents(model)]
    known = [way for way in ways if way is not None]
    return min(known, key=lambda way: way.count("__")) if known else None


def _way(field: ForeignKey[Any, Any], seen: frozenset[type[Model]]) -> str | None:
    parent = field.related_model
    if parent is Hall:
        return field.name
    if parent in seen:
        return None
    further = _path(parent, seen)
    return None if further is None else f"{field.name}__{further}"


def _belongs_to(field: ForeignKey[Any, Any], model: type[Model]) -> bool:
    parent = field.related_model
    if parent is Hall:
        return field.name == HALL
    return _is_ours(parent) and parent not in (Person, model)


def _is_ours(model: Any) -> bool:
    return model._meta.app_label in OURS and model._meta.managed and not model._meta.proxy


def open_session(hall: Hall) -> Session | None:
    """Return the hall's open session, if any."""
    found = Session.objects.filter(hall=hall, closed_at__isnull=True)
    return found.select_related("hall", "authorisation").first()


def the_open_session(hall: Hall) -> Session:
    """Return the hall's open session. Raises Refusal no_session."""
    session = open_session(hall)
    if session is None:
        raise Refusal("no_session")
    return session


def had_an_evening(hall: Hall) -> bool:
    """Return whether a hall's first evening is over: a session of it was closed."""
    return Session.objects.filter(hall=hall, closed_at__isnull=False).exists()


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A journal entry and the name of the second person who stood for it."""

    entry: JournalEntry
    witness: str


def second_person_of_session(session: Session) -> list[Witnessed]:
    """Return what was witnessed in a session, in order."""
    return _witnessed(session.hall, JournalEntry.objects.filter(session=session))


def second_person_of_game(session: Session, game: int) -> list[Witnessed]:
    """Return what was witnessed while a game was under way, in order."""
    return _witnessed(session.hall, JournalEntry.objects.filter(session=session, game=game))


def names(hall: Hall, usernames: Iterable[str]) -> dict[str, str]:
    """Return the names of a hall's people by their usernames."""
    known = Person.objects.filter(hall=hall, username__in=set(usernames))
    return dict(known.values_list("username", "name"))


def second_persons(hall: Hall, entries: Iterable[JournalEntry]) -> Callable[[JournalEntry], str]:
    """Return what names the second person of one of these entries, empty where there was none."""
    usernames = {entry.data.get("witness") for entry in entries} - {None, ""}
    known = names(hall, usernames) if usernames else {}

    def name(entry: JournalEntry) -> str:
        username = str(entry.data.get("witness") or "")
        return known.get(username, username)

    return name


def _witnessed(hall: Hall, entries: QuerySet[JournalEntry]) -> list[Witnessed]:
    found = entries.filter(data__has_key="witness").select_related("by", "hall").order_by("number")
    name = second_persons(hall, found)
    return [Witnessed(entry, name(entry)) for entry in found]
