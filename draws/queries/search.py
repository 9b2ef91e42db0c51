"""The journal searched by card, amount, person, kind or words: newest first, a few at a time.

Each search goes along an index from the newest entry back and stops when it has enough, so that a
million entries cost no more than a thousand. `before` is where the page before ended: a mark of
the same search, of no meaning elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.postgres.fields import IntegerRangeField
from django.db.models import ExpressionWrapper, Q, QuerySet

from draws.models import ClaimCheck, Issue, Payment, Refund, Sale
from draws.models.issue import cards
from halls.models import CashMovement, Hall, JournalEntry, Person

PEOPLE = 5  # of whom the entries are shown; more are found by a longer part of the name
RANGE = ExpressionWrapper(cards(), output_field=IntegerRangeField())
NOTED = "note_recorded"


@dataclass(frozen=True, slots=True)
class Hits:
    """Entries, the newest first; `older` is where the next ones begin, None where there are none."""

    entries: tuple[JournalEntry, ...] = ()
    older: int | None = None


def of_card(
    hall: Hall, number: int, issues: Sequence[int] | None, most: int, before: int | None
) -> Hits:
    """Give where a card was sold, checked, paid, refunded or complained of.

    A card of those `issues`, or where that is None of whatever issue of the hall.
    """
    ours: dict[str, Any] = {"issue__hall": hall} if issues is None else {"issue__in": issues}
    one = ours | {"card": number}
    # Of few issues the index of their cards finds a range; of all, the newest sales are gone through.
    held = {"first__lte": number, "last__gte": number}
    many = ours | (held if issues is None else {"cards__contains": number})
    rows: list[QuerySet[Any]] = [
        Sale.objects.alias(cards=RANGE).filter(**many),
        Refund.objects.alias(cards=RANGE).filter(**many),
        ClaimCheck.objects.filter(**one),
        Payment.objects.filter(**one),
    ]
    found = {entry.number: entry for entry in _entries_of(hall, rows, most, before)}
    told = _of_kinds(hall, [NOTED], before).filter(data__card=number)
    if issues is not None:
        told = told.filter(data__issue__in=list(issues))
    found |= {entry.number: entry for entry in told[: most + 1]}
    return _page(sorted(found.values(), key=lambda entry: -entry.number), most)


def _entries_of(
    hall: Hall, rows: Iterable[QuerySet[Any]], most: int, before: int | None
) -> Iterator[JournalEntry]:
    """Give the newest entries that rows were written with: keys of entries grow as their numbers do."""
    until = None
    if before is not None:
        older = JournalEntry.objects.filter(hall=hall, number__lt=before)
        until = older.order_by("-number").values_list("pk", flat=True).first() or 0
    for found in rows:
        wanted = found if until is None else found.filter(entry__lte=until)
        newest = list(wanted.order_by("-entry_id").values_list("entry", flat=True)[: most + 1])
        yield from _shown(JournalEntry.objects.filter(pk__in=newest))


def has_card(hall: Hall, number: int) -> bool:
    """Tell whether an issue of the hall has such a card."""
    return Issue.objects.filter(hall=hall, series__size__gte=number).exists()


def issues_of(hall: Hall, *, card: int, named: str) -> list[int]:
    """Give the keys of the hall's issues of that identification which have such a card."""
    found = Issue.objects.filter(hall=hall, series__size__gte=card, identification__iexact=named)
    return list(found.values_list("pk", flat=True))


def of_amount(hall: Hall, amount: int, most: int, before: int | None) -> Hits:
    """Give what moved this much cash in or out of a drawer, in minor units."""
    moved: list[tuple[int, int]] = []
    for signed in {amount, -amount}:
        found = CashMovement.objects.filter(amount=signed, shift__session__hall=hall)
        if before is not None:
            found = found.filter(pk__lt=before)
        moved += found.order_by("-pk").values_list("pk", "entry")[: most + 1]
    newest = sorted(moved, reverse=True)
    kept = newest[:most]
    entries = _shown(JournalEntry.objects.filter(pk__in=[entry for _pk, entry in kept]))
    older = kept[-1][0] if len(newest) > most else None
    return Hits(tuple(sorted(entries, key=lambda entry: -entry.number)), older)


def people(hall: Hall, text: str) -> list[Person]:
    """Give the people of a hall whose name or username has these signs in it."""
    named = Q(username__icontains=text) | Q(name__icontains=text)
    return list(Person.objects.filter(named, hall=hall).order_by("name", "pk")[:PEOPLE])


def of_person(hall: Hall, person: Person, most: int, before: int | None) -> Hits:
    """Give what a person did, and what was sold in their name."""
    did = JournalEntry.objects.filter(hall=hall, by=person)
    if before is not None:
        did = did.filter(number__lt=before)
    found = {entry.number: entry for entry in _shown(did.order_by("-number")[: most + 1])}
    sold = [Sale.objects.filter(seller=person)]
    found |= {entry.number: entry for entry in _entries_of(hall, sold, most, before)}
    return _page(sorted(found.values(), key=lambda entry: -entry.number), most)


def of_kinds(
    hall: Hall, kinds: Sequence[str], categories: Sequence[str], most: int, before: int | None
) -> Hits:
    """Give entries of these kinds, and notes of these categories."""
    found: dict[int, JournalEntry] = {}
    for kind in kinds:
        newest = _of_kinds(hall, [kind], before)[: most + 1]
        found |= {entry.number: entry for entry in newest}
    if categories:
        told = _of_kinds(hall, [NOTED], before).filter(data__category__in=list(categories))
        found |= {entry.number: entry for entry in told[: most + 1]}
    return _page(sorted(found.values(), key=lambda entry: -entry.number), most)


def of_words(hall: Hall, text: str, most: int, before: int | None) -> Hits:
    """Give the notes that have these words in what happened or was decided."""
    said = Q(data__text__icontains=text) | Q(data__decision__icontains=text)
    return _page(_of_kinds(hall, [NOTED], before).filter(said)[: most + 1], most)


def _of_kinds(hall: Hall, kinds: Sequence[str], before: int | None) -> QuerySet[JournalEntry]:
    found = JournalEntry.objects.filter(hall=hall, kind__in=kinds)
    if before is not None:
        found = found.filter(number__lt=before)
    return _shown(found.order_by("-number"))


def _shown(found: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
    return found.select_related("by", "hall", "session")


def _page(newest: Iterable[JournalEntry], most: int) -> Hits:
    entries = tuple(islice(newest, most + 1))
    older = entries[most - 1].number if len(entries) > most else None
    return Hits(entries[:most], older)
