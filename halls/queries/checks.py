"""What stands in the way of a session: what its check found, and what was done about it (R32)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bingo.rules import equipment as rules
from bingo.rules.equipment import BALLS
from halls.models import Breakdown, CheckTick, EquipmentCheck, Hall, JournalEntry
from halls.queries import authorisations, equipment, policies
from halls.queries.equipment import Item

# Why an item stands in the way: each asks for something else.
FAILS, FAILING, BROKEN, UNSEEN = "fails", "failing", "broken", "unseen"
UNAPPROVED = "unapproved"
# What says of an item that it works again, by the name under which the entry has it.
REPAIRED = {
    "breakdown_ended": "equipment",
    "ball_replaced": BALLS,
    "ball_set_inspected": BALLS,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """An item that nothing may begin with: `note` says what is wrong with it.

    `why` is FAILS in the newest check, FAILING in one that goes on, BROKEN down since, UNSEEN: come
    since the check, or UNAPPROVED: of a model without an approval in force (R4). It is no longer in the way where it was `repaired` or `waived` since.
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
    findings: tuple[Finding, ...]

    @property
    def in_the_way(self) -> tuple[Finding, ...]:
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
        waived = {one.item for one in self.findings if one.waived is not None}
        told = {(item["kind"], item["name"]): item for item in self.check.items}
        return {
            item: found
            for item, found in told.items()
            if found["ok"] is not False or item in waived
        }


def checked(hall: Hall, *, at: datetime) -> Checked:
    """Give the check with which the hall's next session opens, and what stands in its way."""
    last = equipment.last_check(hall, at=at)
    ticks = equipment.ticked(hall, at=at)
    broken = {one.device.name: one for one in _breakdowns(hall)}
    told = {(one["kind"], one["name"]): one for one in last.items} if last else {}
    repaired = _repaired(hall, last) if last else set()
    waived = _waived(hall, at=at)
    found = []
    unapproved = _unapproved(hall, at=at) if last else set()
    for item in equipment.due(hall):
        one = _finding(item, told.get(item), ticks.get(item), broken.get(item[1]), last is not None)
        if one is None and item in unapproved:
            one = Finding(*item, UNAPPROVED, UNAPPROVED)
        if one is None:
            continue
        again = one.why == FAILS and item in repaired
        found.append(replace(one, repaired=again, waived=waived.get((*item, one.note))))
    return Checked(last, tuple(found))


def _finding(
    item: Item,
    told: Mapping[str, Any] | None,
    tick: CheckTick | None,
    broken: Breakdown | None,
    any_check: bool,
) -> Finding | None:
    """Give what is wrong with an item: what was seen last speaks first."""
    if tick is not None and tick.ok is False:
        return Finding(*item, FAILING, tick.note)
    if broken is not None and item[0] != BALLS:
        return Finding(*item, BROKEN, broken.reason)
    if told is not None and told["ok"] is False:
        return Finding(*item, FAILS, told["note"])
    return Finding(*item, UNSEEN) if any_check and told is None else None


def _unapproved(hall: Hall, *, at: datetime) -> set[Item]:
    """Return the devices whose model has no approval in force on the hall's own day (R4)."""
    day = at.astimezone(ZoneInfo(hall.time_zone)).date()
    return {(one.kind, one.name) for one in equipment.devices(hall) if not one.is_approved(day)}


def required(hall: Hall, *, at: datetime) -> list[str]:
    """Return what the hall may not be without (R2), but for what its authorisation exempts."""
    granted = authorisations.granted(hall, at)
    return rules.required(
        hall.rulebook,
        exempt=granted.exempt if granted else (),
        source=policies.in_force(hall).source,
    )


def _breakdowns(hall: Hall) -> list[Breakdown]:
    return list(equipment.breakdowns(hall).filter(ended_at__isnull=True))


def _repaired(hall: Hall, last: EquipmentCheck) -> set[Item]:
    """Give the items of which something was said since a check that makes them work again."""
    entries = JournalEntry.objects.filter(
        hall=hall, kind__in=list(REPAIRED), number__gt=last.entry.number
    )
    again = {
        (REPAIRED[entry.kind] == BALLS, entry.data[REPAIRED[entry.kind]])
        for entry in entries
        if entry.data.get("fit") is not False
    }
    items = [(one["kind"], one["name"]) for one in last.items]
    return {(kind, name) for kind, name in items if (kind == BALLS, name) in again}


def _waived(hall: Hall, *, at: datetime) -> dict[tuple[str, str, str], JournalEntry]:
    """Give what was decided for the next session, by item and by what is wrong with it."""
    entries = JournalEntry.objects.filter(
        hall=hall, kind="equipment_waived", at__gt=equipment.begins(hall, at=at)
    ).select_related("by")
    return {
        (one.data["kind"], one.data["name"], one.data["note"]): one
        for one in entries.order_by("number")
    }
