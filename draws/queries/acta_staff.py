"""Who was on duty in a session, by what the journal says each of them did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Max, Min, Q, QuerySet, Value
from django.utils.translation import gettext as _

from draws.documents import words
from draws.documents.acta_session_values import StaffValues, TaskValues
from halls.models import JournalEntry, Person, Session
from halls.queries import equipment

BEFORE = ("equipment_checked", "equipment_waived", "balls_called", "ball_set_used", "ball_replaced")
SELLER, WITNESS = "seller", "witness"

Done = tuple[str, str, int, datetime, datetime]


def values(session: Session, zone: ZoneInfo) -> tuple[StaffValues, ...]:
    """Give everybody by the hour of their first act; hours in the hall's time zone."""
    found: dict[str, list[Done]] = defaultdict(list)
    for done in _done(session):
        found[done[0]].append(done)
    known = Person.objects.filter(hall=session.hall, username__in=found)
    names = dict(known.values_list("username", "name"))
    staff = [_person(username, names, told, zone) for username, told in found.items()]
    return tuple(sorted(staff, key=lambda one: (one.first.timestamp(), one.username)))


def _person(username: str, names: dict[str, str], told: list[Done], zone: ZoneInfo) -> StaffValues:
    return StaffValues(
        name=names.get(username, username),
        username=username,
        first=min(one[3] for one in told).astimezone(zone),
        last=max(one[4] for one in told).astimezone(zone),
        tasks=tuple(
            TaskValues(kind, _task(kind), times)
            for _username, kind, times, *_span in sorted(told, key=lambda one: (one[3], one[1]))
        ),
    )


def _task(kind: str) -> str:
    if kind == SELLER:
        return _("Sold on the floor")
    return _("Second person") if kind == WITNESS else str(words.kind(kind))


def _done(session: Session) -> Iterator[Done]:
    """Give username, kind, how often, first and last time."""
    entries = _entries(session)
    yield from _counted(entries.filter(by__isnull=False), name=F("by__username"), what=F("kind"))
    for role in (SELLER, WITNESS):
        named = entries.filter(**{f"data__{role}__isnull": False}).exclude(
            **{f"data__{role}": None}
        )
        yield from _counted(named, name=F(f"data__{role}"), what=Value(role))


def _counted(entries: QuerySet[JournalEntry], *, name: F, what: F | Value) -> Iterator[Done]:
    grouped = entries.order_by().annotate(_name=name, _what=what).values("_name", "_what")
    counted = grouped.annotate(times=Count("pk"), since=Min("at"), until=Max("at"))
    for one in counted.order_by("since", "_what"):
        yield one["_name"], one["_what"], one["times"], one["since"], one["until"]


def _entries(session: Session) -> QuerySet[JournalEntry]:
    """Give the session's entries up to its close, and what was done to its equipment before it."""
    first, last = equipment.span(session)
    before = Q(session__isnull=True, kind__in=BEFORE, number__gt=first)
    found = JournalEntry.objects.filter(Q(session=session) | before, hall=session.hall_id)
    return found if last is None else found.filter(number__lte=last)
