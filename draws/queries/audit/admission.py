"""What entries of a hall's door must have written: the count follows, and never exceeds what is granted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from bingo.rules import admission as rules
from bingo.rules.admission import Doorway
from bingo.rules.refusal import Refusal
from draws.queries.audit.books import Books
from halls.models import JournalEntry


def _door(books: Books, entry: JournalEntry) -> None:
    data = entry.data
    doorway = Doorway(books.inside, data.get("capacity"))
    if decided(doorway, entry) != data:
        raise Refusal("fact_disagrees", kind=entry.kind)
    if "capacity" in data and data["capacity"] not in _granted(books, entry):
        raise Refusal("fact_disagrees", kind=entry.kind)
    books.inside = data["inside"]
    number = 1 + len(books.tables["admission"])
    books.put(
        "admission", (number,), entry.number,
        entry=entry.pk, kind=entry.kind, inside=data["inside"], capacity=data.get("capacity"),
        reason=data.get("reason", ""), at=entry.at,
    )  # fmt: skip


def decided(doorway: Doorway, entry: JournalEntry) -> dict[str, Any]:
    """Decide an entry again. The birth date is not kept: that it was looked at is believed."""
    data = entry.data
    if entry.kind == rules.ADMITTED:
        day = entry.at.astimezone(ZoneInfo(entry.hall.time_zone)).date()
        told = rules.admit(doorway, born=None, today=day, least_age=0)
        return told | ({"age_checked": True} if data.get("age_checked") is True else {})
    if entry.kind == rules.LEFT:
        return rules.leave(doorway)
    if entry.kind == rules.REFUSED:
        return rules.refuse(doorway, reason=data["reason"])
    return rules.count(doorway, inside=data["inside"], reason=data["reason"])


def _granted(books: Books, entry: JournalEntry) -> set[int | None]:
    """Return what the authorisations that held on the entry's day let be inside."""
    day = entry.at.astimezone(ZoneInfo(entry.hall.time_zone)).date()
    return {
        row.values["capacity"]
        for row in books.tables["authorisation"].values()
        if row.values["valid_from"] <= day <= (row.values["valid_until"] or day)
    }


WRITES: Mapping[str, Callable[[Books, JournalEntry], None]] = MappingProxyType(
    dict.fromkeys(rules.KINDS, _door)
)
