"""A hall's equipment: registered and retired, its balls called by name, its breakdowns (R2, R4, R23, R61 l)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import equipment as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import BallSet, Breakdown, Device, Hall, JournalEntry, Person
from halls.services import beside, journal


@transaction.atomic
def register_device(
    *,
    hall: Hall,
    name: str,
    kind: str,
    maker: str = "",
    approval: str = "",
    authority: str = "",
    approved_on: date | None = None,
    approved_until: date | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Device:
    """Take a piece of equipment into the hall's books, with the approval of its model (R4).

    Raises Refusal: not_allowed, key_reused, device_known, or what `rules.register_device` refuses.
    """
    permissions.require(by, "device_registered", hall=hall.pk)
    asked = rules.register_device(
        name=name, kind=kind, maker=maker, approval=approval, authority=authority,
        **rules.approval_days(approved_on, approved_until),
    )  # fmt: skip
    hall = journal.lock(hall.pk)
    if journal.earlier(hall, kind="device_registered", by=by, key=key, inputs=asked):
        return Device.objects.get(hall=hall, name=name)
    if Device.objects.filter(hall=hall, name=name).exists():
        raise Refusal("device_known", name=name)
    entry = beside.append(hall, Fact("device_registered", asked), by=by, at=at, key=key)
    return Device.objects.create(
        hall=hall, registered_at=entry.at, **(asked | rules.approved(asked))
    )


@transaction.atomic
def record_approval(
    *,
    of: BallSet | Device,
    approval: str,
    authority: str,
    approved_on: date | None,
    approved_until: date | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Write down the approval of the model of a set or a device, the first or a newer one (R4, R20).

    Raises Refusal: not_allowed, key_reused, ball_set_retired, unknown_device, bad_text,
    approval_incomplete, approval_ends_early.
    """
    permissions.require(by, "approval_recorded", hall=of.hall_id)
    hall = journal.lock(of.hall_id)
    is_set = isinstance(of, BallSet)
    data = rules.record_approval(
        of=rules.BALLS if is_set else rules.DEVICE,
        name=str(of),
        approval=approval.strip(),
        authority=authority.strip(),
        **rules.approval_days(approved_on, approved_until),
    )
    if done := journal.earlier(hall, kind="approval_recorded", by=by, key=key, inputs=data):
        return done
    if isinstance(of, BallSet):
        rules.require_not_retired(BallSet.objects.get(pk=of.pk).known)
    else:
        _require_in_service(of)
    entry = beside.append(hall, Fact("approval_recorded", data), by=by, at=at, key=key)
    type(of)._default_manager.filter(pk=of.pk).update(**rules.approved(data))
    return entry


@transaction.atomic
def retire_device(
    *, device: Device, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Device:
    """Have done with a piece of equipment; what is in use or broken is set right first.

    Raises Refusal: not_allowed, key_reused, unknown_device, device_in_use, breakdown_goes_on,
    reason_missing.
    """
    permissions.require(by, "device_retired", hall=device.hall_id)
    hall = journal.lock(device.hall_id)
    data = rules.retire_device(name=device.name, reason=reason)
    if journal.earlier(hall, kind="device_retired", by=by, key=key, inputs=data):
        return Device.objects.get(pk=device.pk)
    _require_in_service(device)
    if device.ball_sets.exists():
        raise Refusal("device_in_use", name=device.name)
    if device.breakdowns.filter(ended_at__isnull=True).exists():
        raise Refusal("breakdown_goes_on", name=device.name)
    entry = beside.append(hall, Fact("device_retired", data), by=by, at=at, key=key)
    retired = Device.objects.get(pk=device.pk)
    retired.retired_at = entry.at
    retired.save(update_fields=["retired_at"])
    return retired


@transaction.atomic
def call_balls(
    *,
    ball_set: BallSet,
    when: str,
    seen: Sequence[int],
    source: str = rules.BY_HAND,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Write down a roll call of the balls (R23), by the camera or by hand; what is missing follows.

    `when` is opening or closing, `seen` the numbers read in any order, those of no ball of the set
    too. Raises Refusal: not_allowed, key_reused, ball_set_retired, unknown_moment, unknown_source.
    """
    permissions.require(by, "balls_called", hall=ball_set.hall_id)
    hall = journal.lock(ball_set.hall_id)
    found = BallSet.objects.get(pk=ball_set.pk)
    data = rules.call_balls(found.known, when=when, source=source, seen=seen)
    if done := journal.earlier(hall, kind="balls_called", by=by, key=key, inputs=data):
        return done
    return beside.append(hall, Fact("balls_called", data), by=by, at=at, key=key)


@transaction.atomic
def open_breakdown(
    *, device: Device, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Breakdown:
    """Note that a piece of equipment fails, for the acta (R61 l).

    Raises Refusal: not_allowed, key_reused, unknown_device, breakdown_goes_on, reason_missing.
    """
    permissions.require(by, "breakdown_opened", hall=device.hall_id)
    hall = journal.lock(device.hall_id)
    data = rules.open_breakdown(equipment=device.name, reason=reason)
    if done := journal.earlier(hall, kind="breakdown_opened", by=by, key=key, inputs=data):
        return Breakdown.objects.get(entry=done)
    _require_in_service(device)
    if device.breakdowns.filter(ended_at__isnull=True).exists():
        raise Refusal("breakdown_goes_on", name=device.name)
    entry = beside.append(hall, Fact("breakdown_opened", data), by=by, at=at, key=key)
    return Breakdown.objects.create(
        device=device, reason=data["reason"], opened_at=entry.at, entry=entry
    )


@transaction.atomic
def end_breakdown(
    *, breakdown: Breakdown, remedy: str, by: Person, at: datetime, key: UUID | None = None
) -> Breakdown:
    """Note that it works again, and what helped (R61 l).

    Raises Refusal: not_allowed, key_reused, breakdown_over, reason_missing.
    """
    device = breakdown.device
    permissions.require(by, "breakdown_ended", hall=device.hall_id)
    hall = journal.lock(device.hall_id)
    data = rules.end_breakdown(
        equipment=device.name, breakdown=breakdown.entry.number, remedy=remedy
    )
    over = Breakdown.objects.select_related("device", "entry").get(pk=breakdown.pk)
    if journal.earlier(hall, kind="breakdown_ended", by=by, key=key, inputs=data):
        return over
    if over.ended_at is not None:
        raise Refusal("breakdown_over", name=device.name)
    entry = beside.append(hall, Fact("breakdown_ended", data), by=by, at=at, key=key)
    over.ended_at, over.remedy = entry.at, data["remedy"]
    over.save(update_fields=["ended_at", "remedy"])
    return over


def _require_in_service(device: Device) -> None:
    if Device.objects.filter(pk=device.pk, retired_at__isnull=False).exists():
        raise Refusal("unknown_device", kind=device.name)
