"""Record equipment, roll calls, breakdowns and the check before a session (R2, R4, R23, R32, R61 l).

The check goes item by item; its findings may be waived.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Unpack

from django.db import transaction

from bingo.rules import equipment as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import permissions, second_person
from halls.equipment import check_before_session, queries
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import (
    BallSet,
    Breakdown,
    CheckTick,
    Device,
    EquipmentCheck,
    Hall,
    JournalEntry,
    Person,
)


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
    **who: Unpack[Who],
) -> Device:
    """Take a piece of equipment into the hall's books, with the approval of its model (R4).

    Raises Refusal: not_allowed, key_reused, device_known, or what `rules.register_device` refuses.
    """
    permissions.require(who["by"], "device_registered", hall=hall.pk)
    asked = rules.register_device(
        name=name, kind=kind, maker=maker, approval=approval, authority=authority,
        **rules.approval_days(approved_on, approved_until),
    )  # fmt: skip
    hall, done = begin_command(hall.pk, "device_registered", inputs=asked, **who)
    if done:
        return Device.objects.get(hall=hall, name=name)
    if Device.objects.filter(hall=hall, name=name).exists():
        raise Refusal("device_known", name=name)
    entry = journal_services.entry_append(hall, Fact("device_registered", asked), **who)
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
    **who: Unpack[Who],
) -> JournalEntry:
    """Write down the approval of the model of a set or a device, the first or a newer one (R4, R20).

    It takes the place of the one before. Raises Refusal: not_allowed, key_reused, ball_set_retired,
    unknown_device, bad_text, approval_incomplete, approval_ends_early, approval_not_yet where
    another is in force until it holds.
    """
    permissions.require(who["by"], "approval_recorded", hall=of.hall_id)
    is_set = isinstance(of, BallSet)
    data = rules.record_approval(
        of=rules.BALLS if is_set else rules.DEVICE,
        name=str(of),
        approval=approval.strip(),
        authority=authority.strip(),
        **rules.approval_days(approved_on, approved_until),
    )
    hall, done = begin_command(of.hall_id, "approval_recorded", inputs=data, **who)
    if done:
        return done
    known = type(of)._default_manager.get(pk=of.pk)
    if isinstance(known, BallSet):
        rules.require_not_retired(known.as_state)
    else:
        _require_in_service(known)
    today = head.entry_day(hall, who["at"])
    in_force = known.authority and known.is_approved(today)
    if in_force and approved_on is not None and approved_on > today:
        raise Refusal("approval_not_yet", day=approved_on.isoformat())
    entry = journal_services.entry_append(hall, Fact("approval_recorded", data), **who)
    type(of)._default_manager.filter(pk=of.pk).update(**rules.approved(data))
    return entry


@transaction.atomic
def retire_device(*, device: Device, reason: str, **who: Unpack[Who]) -> Device:
    """Have done with a piece of equipment; what is in use or broken is set right first.

    Raises Refusal: not_allowed, key_reused, unknown_device, device_in_use, breakdown_goes_on,
    reason_missing.
    """
    permissions.require(who["by"], "device_retired", hall=device.hall_id)
    data = rules.retire_device(name=device.name, reason=reason)
    hall, done = begin_command(device.hall_id, "device_retired", inputs=data, **who)
    if done:
        return Device.objects.get(pk=device.pk)
    _require_in_service(device)
    if device.ball_sets.exists():
        raise Refusal("device_in_use", name=device.name)
    if device.breakdowns.filter(ended_at__isnull=True).exists():
        raise Refusal("breakdown_goes_on", name=device.name)
    entry = journal_services.entry_append(hall, Fact("device_retired", data), **who)
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
    foreign: Sequence[int] = (),
    source: str = rules.BY_HAND,
    **who: Unpack[Who],
) -> JournalEntry:
    """Write down a roll call of the balls (R23), by the camera or by hand; what is missing follows.

    `when` is opening or closing, `seen` the numbers read in any order, those of no ball of the set
    too, `foreign` those of balls that are of another set whatever their number. Raises Refusal:
    not_allowed, key_reused, ball_set_retired, unknown_moment, unknown_source.
    """
    permissions.require(who["by"], "balls_called", hall=ball_set.hall_id)
    head.lock(ball_set.hall_id)
    found = BallSet.objects.get(pk=ball_set.pk)
    drawn = queries.drawn_from(found.hall)
    data = rules.call_balls(
        found.as_state, when=when, source=source, seen=seen, foreign=foreign, drawn=drawn
    )
    hall, done = begin_command(ball_set.hall_id, "balls_called", inputs=data, **who)
    return done or journal_services.entry_append(hall, Fact("balls_called", data), **who)


@transaction.atomic
def open_breakdown(*, device: Device, reason: str, **who: Unpack[Who]) -> Breakdown:
    """Note that a piece of equipment fails, for the acta (R61 l).

    Raises Refusal: not_allowed, key_reused, unknown_device, breakdown_goes_on, reason_missing.
    """
    permissions.require(who["by"], "breakdown_opened", hall=device.hall_id)
    data = rules.open_breakdown(equipment=device.name, reason=reason)
    hall, done = begin_command(device.hall_id, "breakdown_opened", inputs=data, **who)
    if done:
        return Breakdown.objects.get(entry=done)
    _require_in_service(device)
    if device.breakdowns.filter(ended_at__isnull=True).exists():
        raise Refusal("breakdown_goes_on", name=device.name)
    entry = journal_services.entry_append(hall, Fact("breakdown_opened", data), **who)
    return Breakdown.objects.create(
        device=device, reason=data["reason"], opened_at=entry.at, entry=entry
    )


@transaction.atomic
def end_breakdown(*, breakdown: Breakdown, remedy: str, **who: Unpack[Who]) -> Breakdown:
    """Note that it works again, and what helped (R61 l).

    Raises Refusal: not_allowed, key_reused, breakdown_over, reason_missing.
    """
    device = breakdown.device
    permissions.require(who["by"], "breakdown_ended", hall=device.hall_id)
    data = rules.end_breakdown(
        equipment=device.name, breakdown=breakdown.entry.number, remedy=remedy
    )
    hall, done = begin_command(device.hall_id, "breakdown_ended", inputs=data, **who)
    over = Breakdown.objects.select_related("device", "entry").get(pk=breakdown.pk)
    if done:
        return over
    if over.ended_at is not None:
        raise Refusal("breakdown_over", name=device.name)
    entry = journal_services.entry_append(hall, Fact("breakdown_ended", data), **who)
    over.ended_at, over.remedy = entry.at, data["remedy"]
    over.save(update_fields=["ended_at", "remedy"])
    return over


def _require_in_service(device: Device) -> None:
    if Device.objects.filter(pk=device.pk, retired_at__isnull=False).exists():
        raise Refusal("unknown_device", kind=device.name)


Data = dict[str, Any]


@transaction.atomic
def tick(
    *, hall: Hall, kind: str, name: str, ok: bool | None, note: str = "", by: Person, at: datetime
) -> CheckTick:
    """Say of one item that it works, fails, or that the hall has none (None); it may be said anew.

    What is said becomes a fact of the journal with `finish_check`. Raises Refusal: not_allowed,
    unknown_item, equipment_required, reason_missing where it fails, bad_text.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = head.lock(hall.pk)
    at = head.stamp(at, hall.head_at)
    if (kind, name) not in check_before_session.due(hall):
        raise Refusal("unknown_item")
    rules.require_there(kind, ok, required=check_before_session.required(hall, at=at))
    said = {"ok": ok, "note": rules.require_note(ok, note), "at": at, "by": by}
    ticked, _new = CheckTick.objects.update_or_create(
        hall=hall, kind=kind, name=name, defaults=said
    )
    return ticked


@transaction.atomic
def tick_rest(*, hall: Hall, but: Collection[str] = (), by: Person, at: datetime) -> int:
    """Say of everything not looked at yet that it works, but for items of some kinds; return how many.

    What was found amiss is looked at for itself. Raises Refusal not_allowed.
    """
    permissions.require(by, "equipment_checked", hall=hall.pk)
    hall = head.lock(hall.pk)
    at = head.stamp(at, hall.head_at)
    found = check_before_session.checked(hall, at=at)
    amiss = {one.item for one in found.in_the_way if one.why != check_before_session.UNSEEN}
    known = {*check_before_session.ticked(hall, at=at), *found.taken_over, *amiss}
    left = [
        item for item in check_before_session.due(hall) if item not in known and item[0] not in but
    ]
    for kind, name in left:
        tick(hall=hall, kind=kind, name=name, ok=True, by=by, at=at)
    return len(left)


@transaction.atomic
def finish_check(*, hall: Hall, tested: Iterable[Data] = (), **who: Unpack[Who]) -> EquipmentCheck:
    """End the check: every item that is due has been looked at (R32).

    `tested` are items that test themselves (`kind`, `name`, `ok`, `note`). Where only some of the
    last check stands in the way, the rest of it is taken over.
    Raises Refusal: not_allowed, key_reused, check_not_complete.
    """
    hall, done = begin_command(hall.pk, "equipment_checked", **who)
    if done:
        return EquipmentCheck.objects.get(entry=done)
    at = head.stamp(who["at"], hall.head_at)
    ticks = check_before_session.ticked(hall, at=at).values()
    items: list[Mapping[str, Any]] = [
        {"kind": one.kind, "name": one.name, "ok": one.ok, "note": one.note} for one in ticks
    ]
    items += tested
    if items:
        items = [*check_before_session.checked(hall, at=at).taken_over.values(), *items]
    data = rules.check(
        items,
        due=check_before_session.due(hall),
        required=check_before_session.required(hall, at=at),
    )
    fact = Fact("equipment_checked", data)
    entry = journal_services.entry_append(hall, fact, **who)
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
    **who: Unpack[Who],
) -> JournalEntry:
    """Let the next session open although an item fails, for a reason that stands in its acta (R32).

    It holds for what is wrong with the item now, until midnight in the hall or until that session
    closes. Raises Refusal: not_allowed, key_reused, second_person_needed where the law names it (R2)
    or the hall wants two, item_not_failing, reason_missing, bad_text.
    """
    asked = {"kind": kind, "name": name, "reason": reason.strip()}
    hall, done = begin_command(hall.pk, "equipment_waived", inputs=asked, **who)
    if done:
        return done
    if witness is None and rules.needs_two(kind):
        raise Refusal("second_person_needed", command="equipment_waived")
    at = head.stamp(who["at"], hall.head_at)
    second = second_person.second(witness, by=who["by"], kind="equipment_waived", hall=hall, at=at)
    found = next((one for one in _failing(hall, at) if one.item == (kind, name)), None)
    if found is None:
        raise Refusal("item_not_failing")
    data = rules.waive(kind=kind, name=name, note=found.note, reason=reason)
    return journal_services.entry_append(hall, Fact("equipment_waived", data | second), **who)


def _failing(hall: Hall, at: datetime) -> list[check_before_session.CheckFinding]:
    """Return what may be let pass; what nobody has looked at, or not to the end, may not."""
    ways = check_before_session.checked(hall, at=at).in_the_way
    may_pass = (
        check_before_session.FAILS,
        check_before_session.CHECK_BROKEN,
        check_before_session.UNAPPROVED,
    )
    return [one for one in ways if one.why in may_pass]
