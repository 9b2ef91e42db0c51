"""A hall's ball sets and equipment: what is in use, what fails, what the last check found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time
from zoneinfo import ZoneInfo

from django.db.models import Max, QuerySet

from bingo.rules.equipment import BALLS, CHECKED, Standing, checked_as
from halls.models import (
    BallSet,
    Breakdown,
    CheckTick,
    Device,
    EquipmentCheck,
    Hall,
    JournalEntry,
    Session,
)

OF_A_SET = (
    "ball_set_registered", "ball_set_used", "ball_set_kept", "ball_set_retired", "ball_replaced",
    "ball_set_inspected", "balls_called",
)  # fmt: skip
# What the acta tells of a session, by the letter of the law that asks for it (R61 k, l).
REPLACED = ("ball_set_used", "ball_replaced", "ball_set_retired")
BROKEN = ("breakdown_opened", "breakdown_ended", "equipment_waived")

Item = tuple[str, str]  # kind, and name where it is one of the hall's own


def sets(hall: Hall) -> QuerySet[BallSet]:
    """Give a hall's ball sets: those in use first, then those kept, then the retired."""
    found = BallSet.objects.filter(hall=hall).select_related("hall", "extractor")
    return found.order_by("standing", "serial")


def in_use(hall: Hall, format: int) -> BallSet | None:
    """Give the set that a hall draws games of a format from, if it has one in its books."""
    return sets(hall).filter(format=format, standing=Standing.IN_USE).first()


def keeps(hall: Hall, format: int) -> bool:
    """Tell whether a hall has ever taken a set of a format into its books.

    Retired ones count: a worn set that is done with must not end the counting (R25).
    """
    return BallSet.objects.filter(hall=hall, format=format).exists()


def devices(hall: Hall) -> QuerySet[Device]:
    """Give what a hall has in service, by name."""
    return Device.objects.filter(hall=hall, retired_at__isnull=True).order_by("name")


def breakdowns(hall: Hall) -> QuerySet[Breakdown]:
    """Give the breakdowns of a hall's equipment, those that go on first, then the newest."""
    found = Breakdown.objects.filter(device__hall=hall).select_related("device", "entry__by")
    return found.order_by("-ended_at", "-opened_at")


def history(ball_set: BallSet) -> QuerySet[JournalEntry]:
    """Give every entry about a set itself, newest first."""
    found = JournalEntry.objects.filter(
        hall=ball_set.hall_id, kind__in=OF_A_SET, data__ball_set=ball_set.serial
    )
    return found.select_related("by", "hall", "session").order_by("-number")


def roll_calls(hall: Hall, *, since: datetime | None = None) -> QuerySet[JournalEntry]:
    """Give the roll calls of the balls (R23), newest first."""
    found = JournalEntry.objects.filter(hall=hall, kind="balls_called")
    if since is not None:
        found = found.filter(at__gt=since)
    return found.select_related("by", "hall", "session").order_by("-number")


def due(hall: Hall) -> list[Item]:
    """Give what is looked at before a session (R32): the hall's own devices, or all of a kind."""
    own: dict[str, list[Item]] = {}
    for device in devices(hall):
        own.setdefault(checked_as(device.kind), []).append((device.kind, device.name))
    items = [item for kind in CHECKED for item in own.pop(kind, [(kind, "")])]
    items += [item for rest in own.values() for item in rest]
    used = sets(hall).filter(standing=Standing.IN_USE).order_by("serial")
    return items + [(BALLS, one.serial) for one in used]


def ticked(hall: Hall, *, at: datetime) -> dict[Item, CheckTick]:
    """Give the items already looked at in the check that is going on."""
    found = CheckTick.objects.filter(hall=hall, at__gt=begins(hall, at=at)).select_related("by")
    return {(tick.kind, tick.name): tick for tick in found}


def last_check(hall: Hall, *, at: datetime) -> EquipmentCheck | None:
    """Give the newest check of today since the last session closed: what the next one opens with."""
    found = EquipmentCheck.objects.filter(hall=hall, at__gt=begins(hall, at=at))
    return found.select_related("entry__by").order_by("-at").first()


def begins(hall: Hall, *, at: datetime) -> datetime:
    """Give the moment since which a check counts: midnight in the hall, or the last close after it."""
    here = at.astimezone(ZoneInfo(hall.time_zone))
    midnight = datetime.combine(here.date(), time(), tzinfo=here.tzinfo)
    closed = Session.objects.filter(hall=hall).aggregate(last=Max("closed_at"))["last"]
    return max(midnight, closed) if closed else midnight


def told_in(session: Session, kinds: Sequence[str]) -> QuerySet[JournalEntry]:
    """Give the entries of those kinds since the session before was closed, up to this one's close."""
    first, last = span(session)
    found = JournalEntry.objects.filter(hall=session.hall_id, kind__in=kinds, number__gt=first)
    if last is not None:
        found = found.filter(number__lt=last)
    return found.select_related("by", "hall", "session").order_by("number")


def span(session: Session) -> tuple[int, int | None]:
    """Give the numbers of the entries that closed the session before, 0 without one, and this one."""
    closes = JournalEntry.objects.filter(hall=session.hall_id, kind="session_closed")
    last = closes.filter(session=session).values_list("number", flat=True).first()
    before = closes.filter(session__number__lt=session.number)
    return before.aggregate(last=Max("number"))["last"] or 0, last
