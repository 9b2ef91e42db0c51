"""The check of the equipment before a session opens: what is looked at, and whether it stands (R32).

A session opens on the newest check of today where nothing stands in the way: an item that fails,
one broken down or come since, or a model without an approval in force (R4). What was repaired or
let pass since is no longer in the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Max

from bingo.rules import equipment as rules
from bingo.rules.equipment import BALLS, CHECKED, SetPlace, checked_as
from halls import authorisations
from halls.equipment.queries import breakdowns, devices, sets
from halls.journal import head
from halls.models import Breakdown, CheckTick, EquipmentCheck, Hall, JournalEntry, Session
from halls.policy import queries as policy_queries

Item = tuple[str, str]  # kind, and name where it is one of the hall's own


def due(hall: Hall) -> list[Item]:
    """Return what is looked at before a session (R32): the hall's own devices, or all of a kind."""
    own: dict[str, list[Item]] = {}
    for device in devices(hall):
        own.setdefault(checked_as(device.kind), []).append((device.kind, device.name))
    items = [item for kind in CHECKED for item in own.pop(kind, [(kind, "")])]
    items += [item for rest in own.values() for item in rest]
    used = sets(hall).filter(standing=SetPlace.IN_USE).order_by("serial")
    return items + [(BALLS, one.serial) for one in used]


def ticked(hall: Hall, *, at: datetime) -> dict[Item, CheckTick]:
    """Return the items already looked at in the check that is going on."""
    since, _closed = counts_from(hall, at=at)
    found = CheckTick.objects.filter(hall=hall, at__gte=since).select_related("by")
    return {(tick.kind, tick.name): tick for tick in found}


def last_check(hall: Hall, *, at: datetime) -> EquipmentCheck | None:
    """Return the newest check of today since the last session closed: what the next one opens with."""
    since, closed = counts_from(hall, at=at)
    found = EquipmentCheck.objects.filter(hall=hall, at__gte=since, entry__number__gt=closed)
    return found.select_related("entry__by").order_by("-entry__number").first()


def counts_from(hall: Hall, *, at: datetime) -> tuple[datetime, int]:
    """Return since when, and after which entry, a check counts for the session to open at a moment.

    Entries of a clock that was set back all bear one time: their numbers tell which came later.
    """
    closes = JournalEntry.objects.filter(hall=hall, kind="session_closed")
    closed = closes.aggregate(last=Max("number"))["last"] or 0
    return begins(hall, at=head.stamp(at, hall.head_at)), closed


def begins(hall: Hall, *, at: datetime) -> datetime:
    """Return the moment since which a check counts: midnight in the hall, or the last close after it."""
    here = at.astimezone(ZoneInfo(hall.time_zone))
    midnight = datetime.combine(here.date(), time(), tzinfo=here.tzinfo)
    closed = Session.objects.filter(hall=hall).aggregate(last=Max("closed_at"))["last"]
    return max(midnight, closed) if closed else midnight


# Why an item stands in the way: each asks for something else.
FAILS, FAILING, CHECK_BROKEN, UNSEEN = "fails", "failing", "broken", "unseen"
UNAPPROVED = "unapproved"
ENDED = "breakdown_ended"
# What says of an item that it works again, by the name under which the entry has it.
REPAIRED = {
    ENDED: "equipment",
    "ball_replaced": BALLS,
    "ball_set_inspected": BALLS,
}


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """An item that nothing may begin with: `note` says what is wrong with it.

    `why` is FAILS in the newest check, FAILING in one that goes on, BROKEN down since, UNSEEN: come
    since the check or not missed by it, or UNAPPROVED: of a model without an approval in force (R4).
    It is no longer in the way where it was `repaired` or `waived` since.
    """

    kind: str
    name: str
    why: str
    note: str = ""
    repaired: bool = False
    waived: JournalEntry | None = None

    @property
    def item(self) -> Item:
        """The item as it is listed."""
        return self.kind, self.name

    @property
    def settled(self) -> bool:
        """Whether a session may open all the same."""
        return self.repaired or self.waived is not None


@dataclass(frozen=True, slots=True)
class Checked:
    """The newest check of today, if there is one, and all that speaks against opening."""

    check: EquipmentCheck | None
    findings: tuple[CheckFinding, ...]

    @property
    def in_the_way(self) -> tuple[CheckFinding, ...]:
        """What is still to be dealt with."""
        return tuple(one for one in self.findings if not one.settled)

    @property
    def stands(self) -> bool:
        """Whether a session may open on the check."""
        return self.check is not None and not self.in_the_way

    @property
    def taken_over(self) -> Mapping[Item, Mapping[str, Any]]:
        """What need not be looked at again where only some of it stands in the way."""
        if self.check is None or not self.in_the_way:
            return {}
        # An approval that was let pass says nothing of whether the item works.
        waived = {
            one.item for one in self.findings if one.waived is not None and one.why != UNAPPROVED
        }
        unseen = {one.item for one in self.findings if one.why == UNSEEN}
        told = {(item["kind"], item["name"]): item for item in self.check.items}
        return {
            item: found
            for item, found in told.items()
            if item not in unseen and (found["ok"] is not False or item in waived)
        }


def checked(hall: Hall, *, at: datetime) -> Checked:
    """Return the check with which the hall's next session opens, and what stands in its way."""
    last = last_check(hall, at=at)
    ticks = ticked(hall, at=at)
    going_on = breakdowns(hall).filter(ended_at__isnull=True)
    broken = {one.device.name: one for one in going_on}
    # Of what the law names now nobody may have said that there is none (R2).
    named = required(hall, at=at) if last else ()
    told = {
        (one["kind"], one["name"]): one
        for one in (last.items if last else ())
        if one["ok"] is not None or checked_as(one["kind"]) not in named
    }
    repaired = _repaired(hall, last) if last else set()
    waived = _waived(hall, at=at)
    found = []
    unapproved = _unapproved(hall, at=at) if last else set()
    for item in due(hall):
        one = _finding(item, told.get(item), ticks.get(item), broken.get(item[1]), last is not None)
        if one is not None:
            again = one.why == FAILS and item in repaired
            one = replace(one, repaired=again, waived=waived.get((*item, one.note)))
            found.append(one)
        # What was mended, or let pass, is no more approved than it was.
        if item in unapproved and (one is None or one.settled):
            passed = waived.get((*item, UNAPPROVED))
            found.append(CheckFinding(*item, UNAPPROVED, UNAPPROVED, waived=passed))
    return Checked(last, tuple(found))


def _finding(
    item: Item,
    told: Mapping[str, Any] | None,
    tick: CheckTick | None,
    broken: Breakdown | None,
    any_check: bool,
) -> CheckFinding | None:
    """Return what is wrong with an item: what was seen last speaks first."""
    if tick is not None and tick.ok is False:
        return CheckFinding(*item, FAILING, tick.note)
    if broken is not None and item[0] != BALLS:
        return CheckFinding(*item, CHECK_BROKEN, broken.reason)
    if told is not None and told["ok"] is False:
        return CheckFinding(*item, FAILS, told["note"])
    return CheckFinding(*item, UNSEEN) if any_check and told is None else None


def _unapproved(hall: Hall, *, at: datetime) -> set[Item]:
    """Return the devices whose model has no approval in force on the hall's own day (R4)."""
    day = head.entry_day(hall, at)
    return {(one.kind, one.name) for one in devices(hall) if not one.is_approved(day)}


def required(hall: Hall, *, at: datetime) -> list[str]:
    """Return what the hall may not be without (R2), but for what its authorisation exempts."""
    granted = authorisations.granted(hall, at)
    return rules.required(
        hall.rulebook,
        exempt=granted.exempt if granted else (),
        source=policy_queries.in_force(hall, at).source,
    )


def _repaired(hall: Hall, last: EquipmentCheck) -> set[Item]:
    """Return the items of which the last that was said since a check makes them work again."""
    entries = JournalEntry.objects.filter(
        hall=hall, kind__in=list(REPAIRED), number__gt=last.entry.number
    )
    again = {
        (REPAIRED[entry.kind] == BALLS, entry.data[REPAIRED[entry.kind]]): entry.data.get(
            "fit", True
        )
        for entry in entries.order_by("number")
    }
    items = [(one["kind"], one["name"]) for one in last.items]
    return {(kind, name) for kind, name in items if again.get((kind == BALLS, name))}


def _waived(hall: Hall, *, at: datetime) -> dict[tuple[str, str, str], JournalEntry]:
    """Return what was decided for the next session, by item and by what is wrong with it.

    A device that works again is decided about anew when it fails again, but for its approval.
    """
    since, closed = counts_from(hall, at=at)
    entries = JournalEntry.objects.filter(
        hall=hall, kind__in=["equipment_waived", ENDED], at__gte=since, number__gt=closed
    ).select_related("by")
    found: dict[tuple[str, str, str], JournalEntry] = {}
    for one in entries.order_by("number"):
        data = one.data
        if one.kind != ENDED:
            found[data["kind"], data["name"], data["note"]] = one
            continue
        for kind, name, note in [*found]:
            if kind != BALLS and name == data["equipment"] and note != UNAPPROVED:
                del found[kind, name, note]
    return found
