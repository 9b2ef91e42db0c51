"""The check of the equipment before a session, item by item, and what is decided of its findings (R32)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import equipment as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import CheckTick, EquipmentCheck, Hall, JournalEntry, Person
from halls.queries import checks as queries
from halls.queries import equipment
from halls.services import beside, journal, witnesses

Data = dict[str, Any]


@transaction.atomic
def tick(
    *, hall: Hall, kind: str, name: str, ok: bool | None, note: str = "", by: Person, at: datetime
) -> CheckTick:
    """Say of one item that it works, fails, or that the hall has none (None); it may be said anew.

    What is said becomes a fact of the journal with `finish`. Raises Refusal: not_allowed,
    unknown_item, equipment_required, reason_missing where it fails, bad_text.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = journal.lock(hall.pk)
    if (kind, name) not in equipment.due(hall):
        raise Refusal("unknown_item")
    rules.require_there(kind, ok, required=queries.required(hall, at=at))
    said = {"ok": ok, "note": rules.require_note(ok, note), "at": at, "by": by}
    ticked, _new = CheckTick.objects.update_or_create(
        hall=hall, kind=kind, name=name, defaults=said
    )
    return ticked


@transaction.atomic
def tick_rest(*, hall: Hall, but: Collection[str] = (), by: Person, at: datetime) -> int:
    """Say of everything not looked at yet that it works, but for items of some kinds; give how many.

    What was found amiss is looked at for itself. Raises Refusal not_allowed.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = journal.lock(hall.pk)
    found = queries.checked(hall, at=at)
    amiss = {one.item for one in found.in_the_way if one.why != queries.UNSEEN}
    known = {*equipment.ticked(hall, at=at), *found.taken_over, *amiss}
    left = [item for item in equipment.due(hall) if item not in known and item[0] not in but]
    for kind, name in left:
        tick(hall=hall, kind=kind, name=name, ok=True, by=by, at=at)
    return len(left)


@transaction.atomic
def finish(
    *,
    hall: Hall,
    tested: Iterable[Data] = (),
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> EquipmentCheck:
    """End the check: every item that is due has been looked at (R32).

    `tested` are items that test themselves (`kind`, `name`, `ok`, `note`). Where only some of the
    last check stands in the way, the rest of it is taken over.
    Raises Refusal: not_allowed, key_reused, check_not_complete.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := journal.earlier(hall, kind="equipment_checked", by=by, key=key):
        return EquipmentCheck.objects.get(entry=done)
    ticks = equipment.ticked(hall, at=at).values()
    items: list[Mapping[str, Any]] = [
        {"kind": one.kind, "name": one.name, "ok": one.ok, "note": one.note} for one in ticks
    ]
    items += tested
    if items:
        items = [*queries.checked(hall, at=at).taken_over.values(), *items]
    data = rules.check(items, due=equipment.due(hall), required=queries.required(hall, at=at))
    fact = Fact("equipment_checked", data)
    entry = beside.append(hall, fact, by=by, at=at, key=key)
    CheckTick.objects.filter(hall=hall).delete()
    return EquipmentCheck.objects.create(
        hall=hall, at=entry.at, entry=entry, items=data["items"], passed=data["passed"]
    )


@transaction.atomic
def waive(
    *,
    hall: Hall,
    kind: str,
    name: str,
    reason: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Let the next session open although an item fails, for a reason that stands in its acta (R32).

    It holds for what is wrong with the item now, until that session closes. Raises Refusal:
    not_allowed, key_reused, second_person_needed where the law names it (R2) or the hall wants two,
    item_not_failing, reason_missing, bad_text.
    """
    permissions.require(by, "equipment_waived", hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked = {"kind": kind, "name": name, "reason": reason.strip()}
    if done := journal.earlier(hall, kind="equipment_waived", by=by, key=key, inputs=asked):
        return done
    if witness is None and rules.needs_two(kind):
        raise Refusal("second_person_needed", command="equipment_waived")
    second = witnesses.second(witness, by=by, kind="equipment_waived", hall=hall)
    found = next((one for one in _failing(hall, at) if one.item == (kind, name)), None)
    if found is None:
        raise Refusal("item_not_failing")
    data = rules.waive(kind=kind, name=name, note=found.note, reason=reason)
    return beside.append(hall, Fact("equipment_waived", data | second), by=by, at=at, key=key)


def _failing(hall: Hall, at: datetime) -> list[queries.Finding]:
    """Give what may be let pass; what nobody has looked at, or not to the end, may not."""
    ways = queries.checked(hall, at=at).in_the_way
    may_pass = (queries.FAILS, queries.BROKEN, queries.UNAPPROVED)
    return [one for one in ways if one.why in may_pass]
