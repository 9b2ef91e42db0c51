"""The check of the equipment before a session: item by item, then journalled whole (R32)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import equipment as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import CheckTick, EquipmentCheck, Hall, Person
from halls.queries import equipment
from halls.services import beside, journal


@transaction.atomic
def tick(
    *, hall: Hall, kind: str, name: str, ok: bool | None, note: str = "", by: Person, at: datetime
) -> CheckTick:
    """Say of one item that it works, fails, or that the hall has none (None); it may be said anew.

    What is said becomes a fact of the journal with `finish`. Raises Refusal: not_allowed,
    unknown_item, reason_missing where it fails, bad_text.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = journal.lock(hall.pk)
    if (kind, name) not in equipment.due(hall):
        raise Refusal("unknown_item")
    said = {"ok": ok, "note": rules.require_note(ok, note), "at": at, "by": by}
    ticked, _new = CheckTick.objects.update_or_create(
        hall=hall, kind=kind, name=name, defaults=said
    )
    return ticked


@transaction.atomic
def finish(*, hall: Hall, by: Person, at: datetime, key: UUID | None = None) -> EquipmentCheck:
    """End the check: every item that is due has been looked at (R32).

    Raises Refusal: not_allowed, key_reused, check_not_complete.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := journal.earlier(hall, kind="equipment_checked", by=by, key=key):
        return EquipmentCheck.objects.get(entry=done)
    ticks = equipment.ticked(hall, at=at).values()
    items = [{"kind": one.kind, "name": one.name, "ok": one.ok, "note": one.note} for one in ticks]
    data = rules.check(items, due=equipment.due(hall))
    fact = Fact("equipment_checked", data)
    entry = beside.append(hall, fact, by=by, at=at, key=key)
    CheckTick.objects.filter(hall=hall).delete()
    return EquipmentCheck.objects.create(hall=hall, at=entry.at, entry=entry, **data)
