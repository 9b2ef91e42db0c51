"""Which pictures were written off, and which of them nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import Max, Min, Model, Q, QuerySet

from bingo.rules import retention as rules
from draws.models import Complaint, Enrolment, Reading, ShownBall, ShownCard
from halls.models import Hall, JournalEntry, Session

FORGOTTEN = "pictures_forgotten"  # as journals had it before removals were signed
Ranges = Sequence[tuple[int, int]]
# What has a picture, and the way from it to its session.
WAYS: Mapping[type[Model], str] = MappingProxyType(
    {Reading: "game__session", ShownCard: "claim__game__session"}
)


def _told(hall: Hall, kind: str, name: str) -> list[Any]:
    found = JournalEntry.objects.filter(hall=hall, kind=kind).order_by("number")
    return list(found.values_list(f"data__{name}", flat=True))


def last_session(hall: Hall) -> int:
    """Give the last session whose pictures were forgotten before removals were signed, 0 for none."""
    told = _told(hall, FORGOTTEN, "last")
    return int(told[-1]) if told else 0


def sessions(hall: Hall) -> list[tuple[int, int]]:
    """Give the sessions, first to last, whose pictures were written off."""
    old = last_session(hall)
    since = [(first, last) for one in _told(hall, rules.APPLIED, "sessions") for first, last in one]
    return rules.merged([(1, old)] * bool(old) + since)


def enrolments(hall: Hall) -> set[int]:
    """Give the enrolments and roll calls whose pictures were written off."""
    told = [*_told(hall, FORGOTTEN, "enrolments"), *_told(hall, rules.APPLIED, "enrolments")]
    return {enrolment for one in told for enrolment in one}


def prints(hall: Hall) -> set[int]:
    """Give the prints whose files were written off."""
    return {job for one in _told(hall, rules.APPLIED, "prints") for job in one}


def last_closed(hall: Hall, *, before: datetime) -> int:
    """Give the last session up to which all had been closed by then, 0 for none."""
    ours = Session.objects.filter(hall=hall)
    young = ours.filter(~Q(closed_at__lte=before) | Q(closed_at__isnull=True))
    first = young.aggregate(first=Min("number"))["first"]
    if first is not None:
        return int(first) - 1
    return int(ours.aggregate(last=Max("number"))["last"] or 0)


def shown_before(hall: Hall, before: datetime) -> set[int]:
    """Give the enrolments ended by then, and before the session that is open."""
    opened = hall.sessions.filter(closed_at__isnull=True).aggregate(first=Min("opened_at"))["first"]
    by = min(before, opened) if opened else before
    found = Enrolment.objects.filter(camera__hall=hall, ended_at__lte=by, shown__isnull=False)
    return set(found.values_list("pk", flat=True))


def taken(hall: Hall, ranges: Ranges, shown: Iterable[int]) -> dict[str, datetime]:
    """Give the pictures of those sessions and those enrolments, with when each was taken."""
    balls = ShownBall.objects.filter(enrolment__in=list(shown))
    rows = [row for found in (*seen(hall, ranges), balls) for row in _pictures(found)]
    found: dict[str, datetime] = {}
    for picture, at in rows:
        found[picture] = max(at, found.get(picture, at))
    return found


def needed(hall: Hall, pictures: Iterable[str], ranges: Ranges, shown: Iterable[int]) -> set[str]:
    """Give those pictures that something names beside those sessions and enrolments."""
    asked = Q(picture__in=list(pictures))
    kept = [
        model._default_manager.filter(asked).exclude(_of(hall, ranges, way))
        for model, way in WAYS.items()
    ]
    kept_shown = ShownBall.objects.filter(asked).exclude(enrolment__in=list(shown))
    # What a complaint names is evidence, decided or not: the decision may be asked about later.
    named = Complaint.objects.filter(asked)
    found = (one.order_by().values_list("picture", flat=True) for one in (*kept, kept_shown, named))
    return {picture for rows in found for picture in rows}


def seen(hall: Hall, ranges: Ranges) -> list[QuerySet[Any]]:
    """Give what has a picture of those sessions' balls and called cards."""
    return [
        model._default_manager.filter(_of(hall, ranges, way)).exclude(picture="")
        for model, way in WAYS.items()
    ]


def _of(hall: Hall, ranges: Ranges, way: str) -> Q:
    found = Q(pk__in=())
    for first, last in ranges:
        found |= Q((f"{way}__number__gte", first), (f"{way}__number__lte", last))
    return found & Q((f"{way}__hall", hall))


def _pictures(rows: QuerySet[Any]) -> list[tuple[str, datetime]]:
    return list(rows.order_by().values_list("picture", "seen_at"))
