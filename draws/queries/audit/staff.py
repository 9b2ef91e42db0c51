"""What entries about the hall and its staff say, held against the rows: who may do what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bingo.rules import halls
from bingo.rules import staff as rules
from bingo.rules.refusal import Refusal
from bingo.rules.staff import Member
from draws.queries.audit import second
from draws.queries.audit.books import Books
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding
from halls.queries.staff import members

OF_HALL = ("name", "licence", "language", "currency", "time_zone", "rulebook")


def _opened(books: Books, entry: JournalEntry) -> None:
    """Book a hall's opening. Raises Refusal fact_disagrees where it is not the first entry."""
    manager = entry.data["manager"]
    first = entry.number == 1 and entry.by and entry.by.username == manager["username"]
    if not first or rules.enrol(**manager) != manager:
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.opened = entry.data
    books.staff[manager["username"]] = _member(manager)
    books.tills.update(dict.fromkeys(entry.data["tills"], True))


def _changed(books: Books, entry: JournalEntry) -> None:
    """Book a change of the staff. Raises Refusal: the rules', not_allowed, second_person_needed, fact_disagrees.

    Of people taken on before such entries were made nothing is known but what they say: those are
    not judged, nor compared.
    """
    data = entry.data
    told = {name: value for name, value in data.items() if name != "witness"}
    change, username = told.pop("change"), told.pop("username")
    by = entry.by.username if entry.by else ""
    giver = books.staff.get(by)
    if books.opened is not None and not (giver and giver.manages):
        raise Refusal("not_allowed", roles=[rules.MANAGER])
    older = books.opened is None and change != rules.ENROLLED and username not in books.staff
    said = {"change": change, "username": username, **told}
    if not older:
        known = [*books.staff.values(), *_older(books, by)]
        said = rules.change(known, change, of=username, by=by, **told)
    if change not in rules.CHANGES or said | second.told(books, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if not older:
        books.staff[username] = _after(books.staff.get(username), change, data)


def _older(books: Books, by: str) -> list[Member]:
    """Give who gives an order, where the journal has not told yet that they manage the hall."""
    unknown = books.opened is None and by not in books.staff
    return [Member(by, by, (rules.MANAGER,))] if unknown else []


def _after(known: Member | None, change: str, data: Mapping[str, Any]) -> Member:
    if known is None:
        return _member(data)
    if change == rules.SET:
        return replace(known, name=data["name"], roles=tuple(data["roles"]))
    if change in (rules.DISABLED, rules.ENABLED):
        return replace(known, active=change == rules.ENABLED)
    return known


def _member(data: Mapping[str, Any]) -> Member:
    return Member(data["username"], data["name"], tuple(data["roles"]))


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    {
        halls.OPENED: _opened,
        rules.CHANGED: _changed,
        rules.PASSWORD_CHANGED: lambda _books, _e: None,
    }
)


def differing(hall: Hall, books: Books) -> Iterator[Finding]:
    """Give what a hall or somebody of its staff is that no entry made them."""
    kept = {one.username: replace(one, open_shift="") for one in members(hall)}
    for username, told in books.staff.items():
        if kept.get(username) != told:
            yield Finding(hall.head_number, "staff_differs", username)
    if books.opened is None:
        return
    for username in sorted(kept.keys() - books.staff.keys()):
        yield Finding(hall.head_number, "staff_differs", f"{username}: no entry made them")
    row = Hall.objects.get(pk=hall.pk)
    for name in OF_HALL:
        if getattr(row, name) != books.opened[name]:
            yield Finding(1, "hall_differs", name)
