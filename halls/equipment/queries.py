"""Read ball sets and equipment: what is in use, what has failed, what was journalled of them (R32).

Which findings of a check stand in the way of a session is in `check_before_session`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max, Q, QuerySet

from bingo.rules import session_state
from bingo.rules.equipment import BALLS, SetPlace
from halls.journal.queries import open_session
from halls.models import (
    BallSet,
    Breakdown,
    Device,
    Hall,
    JournalEntry,
    Session,
)

OF_A_SET = (
    "ball_set_registered", "ball_set_used", "ball_set_kept", "ball_set_retired", "ball_replaced",
    "ball_set_inspected", "balls_called", "balls_enrolled",
)  # fmt: skip
# What the acta tells of a session, by the letter of the law that asks for it (R61 k, l).
REPLACED = ("ball_set_used", "ball_replaced", "ball_set_retired")
BROKEN = ("breakdown_opened", "breakdown_ended", "equipment_waived")


def sets(hall: Hall) -> QuerySet[BallSet]:
    """Return a hall's ball sets: those in use first, then those kept, then the retired."""
    found = BallSet.objects.filter(hall=hall).select_related("hall", "extractor")
    return found.order_by("standing", "serial")


def in_use(hall: Hall, format: int) -> BallSet | None:
    """Return the set that a hall draws games of a format from, if it has one in its books."""
    return sets(hall).filter(format=format, standing=SetPlace.IN_USE).first()


def drawn_from(hall: Hall) -> tuple[str, ...]:
    """Return the serials of the sets that the hall's open session was drawn from (R23)."""
    session = open_session(hall)
    return session_state.load(session.state).balls.drawn if session else ()


def has_ball_sets(hall: Hall, format: int) -> bool:
    """Return whether a hall has ever taken a set of a format into its books.

    Retired ones count: a worn set that is done with must not end the counting (R25).
    """
    return BallSet.objects.filter(hall=hall, format=format).exists()


def devices(hall: Hall) -> QuerySet[Device]:
    """Return what a hall has in service, by name."""
    return Device.objects.filter(hall=hall, retired_at__isnull=True).order_by("name")


def breakdowns(hall: Hall) -> QuerySet[Breakdown]:
    """Return the breakdowns of a hall's equipment, those that go on first, then the newest."""
    found = Breakdown.objects.filter(device__hall=hall).select_related("device", "entry__by")
    return found.order_by("-ended_at", "-opened_at")


def history(ball_set: BallSet) -> QuerySet[JournalEntry]:
    """Return every entry about a set itself, newest first; also that another took its place."""
    serial = ball_set.serial
    named = Q(kind__in=OF_A_SET, data__ball_set=serial)
    named |= Q(kind="ball_set_used", data__replaced=serial)
    named |= Q(kind="approval_recorded", data__of=BALLS, data__name=serial)
    found = JournalEntry.objects.filter(named, hall=ball_set.hall_id)
    return found.select_related("by", "hall", "session").order_by("-number")


def roll_calls(hall: Hall, *, since: datetime | None = None) -> QuerySet[JournalEntry]:
    """Return the roll calls of the balls (R23), newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind="balls_called")
    if since is not None:
        found = found.filter(at__gt=since)
    return found.select_related("by", "hall", "session").order_by("-number")


def entries_of_session(session: Session, kinds: Sequence[str]) -> QuerySet[JournalEntry]:
    """Return the entries of those kinds since the session before was closed, up to this one's close."""
    found = JournalEntry.objects.filter(in_span(session), hall=session.hall_id, kind__in=kinds)
    return found.select_related("by", "hall", "session").order_by("number")


def in_span(session: Session, number: str = "number") -> Q:
    """Return the condition that an entry of the hall is in a session's span; `number` is its field."""
    first, last = span(session)
    after = Q((f"{number}__gt", first))
    return after if last is None else after & Q((f"{number}__lt", last))


def span(session: Session) -> tuple[int, int | None]:
    """Return the numbers of the entries that closed the session before, 0 without one, and this one."""
    closes = JournalEntry.objects.filter(hall=session.hall_id, kind="session_closed")
    last = closes.filter(session=session).values_list("number", flat=True).first()
    before = closes.filter(session__number__lt=session.number)
    return before.aggregate(last=Max("number"))["last"] or 0, last
