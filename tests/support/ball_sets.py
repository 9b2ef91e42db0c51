"""What a hall does with its balls and equipment, each thing once and with values to change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from halls.equipment import ball_sets, check_before_session
from halls.equipment import services as equipment_services
from halls.models import BallSet, Breakdown, Device, EquipmentCheck, JournalEntry, Role
from tests.support.evening import APPROVAL, Evening

SERIAL = "B-0017"
EXTRACTOR = "Bombo 1"
Act = Callable[[Evening, dict[str, Any]], Any]


def own(*acts: Act) -> Callable[[Evening], None]:
    """Let the hall manager do some of these one after the other."""

    def done(evening: Evening) -> None:
        for act in acts:
            act(evening, evening.who(Role.HALL_MANAGER))

    return done


def the_set(evening: Evening, serial: str = SERIAL) -> BallSet:
    """Return a set of the hall as it stands."""
    return BallSet.objects.select_related("hall", "extractor").get(hall=evening.hall, serial=serial)


def the_device(evening: Evening, name: str = EXTRACTOR) -> Device:
    """Return a piece of the hall's equipment."""
    return Device.objects.get(hall=evening.hall, name=name)


def device(
    evening: Evening,
    who: dict[str, Any],
    *,
    name: str = EXTRACTOR,
    kind: str = "pneumatic",
    unapproved: bool = False,
) -> Device:
    """Register the extractor, or another device, of an approved model or not."""
    approval: dict[str, Any] = APPROVAL | {"approval": "3/2026"}
    if unapproved:
        approval = {"approval": "", "authority": "", "approved_on": None}
    return equipment_services.register_device(
        hall=evening.hall,
        name=name,
        kind=kind,
        maker="Bolas, Lda.",
        **approval,
        **who,
    )


def retire_device(evening: Evening, who: dict[str, Any], *, reason: str = "Gasto") -> Device:
    """Retire the extractor."""
    return equipment_services.retire_device(device=the_device(evening), reason=reason, **who)


def ball_set(evening: Evening, who: dict[str, Any], **changed: Any) -> BallSet:
    """Register a set of ninety balls."""
    usual: dict[str, Any] = {
        "serial": SERIAL,
        "format": 90,
        "marks": (6, 9),
        "games": 12,
        **APPROVAL,
    }
    return ball_sets.register(hall=evening.hall, **(usual | changed), **who)


def use_set(
    evening: Evening,
    who: dict[str, Any],
    *,
    serial: str = SERIAL,
    extractor: str | None = EXTRACTOR,
) -> BallSet:
    """Put a set in use."""
    machine = the_device(evening, extractor) if extractor else None
    return ball_sets.use(ball_set=the_set(evening, serial), extractor=machine, **who)


def put_away(service: Callable[..., BallSet], reason: str = "Limpeza") -> Act:
    """Return what keeps or retires the set."""
    return lambda evening, who: service(ball_set=the_set(evening), reason=reason, **who)


def replace_ball(evening: Evening, who: dict[str, Any], *, number: int = 7) -> JournalEntry:
    """Replace a ball."""
    return ball_sets.replace_ball(
        ball_set=the_set(evening),
        number=number,
        reason="Rachada",
        old="lote 1",
        new="lote 2",
        **who,
    )


def inspect(
    evening: Evening, who: dict[str, Any], *, fit: bool = True, note: str = "Pesadas"
) -> BallSet:
    """Inspect the set."""
    return ball_sets.inspect(ball_set=the_set(evening), fit=fit, note=note, **who)


def call_balls(
    evening: Evening, who: dict[str, Any], *, when: str = "opening", **changed: Any
) -> JournalEntry:
    """Call the balls of the set: all but one are there, and one of another set."""
    usual: dict[str, Any] = {"seen": [*range(1, 90), 91], "source": "camera"}
    return equipment_services.call_balls(
        ball_set=the_set(evening), when=when, **(usual | changed), **who
    )


def tick_all(evening: Evening, failed: str = "") -> None:
    """Look at every item of the check."""
    who = evening.who(Role.HALL_MANAGER)
    for kind, name in check_before_session.due(evening.hall):
        ok = kind != failed
        note = "" if ok else "Avariado"
        equipment_services.tick(hall=evening.hall, kind=kind, name=name, ok=ok, note=note, **who)


def checked(evening: Evening, failed: str = "") -> EquipmentCheck:
    """Check the equipment; one kind of it may have failed."""
    tick_all(evening, failed)
    return equipment_services.finish_check(hall=evening.hall, **evening.who(Role.HALL_MANAGER))


def waive(evening: Evening, who: dict[str, Any], *, reason: str = "Megafone") -> JournalEntry:
    """Go on without the sound, which two persons stand for (R2)."""
    chief = evening.person(Role.TABLE_CHIEF)
    return equipment_services.waive(
        hall=evening.hall, kind="sound", name="", reason=reason, witness=chief, **who
    )


def break_down(evening: Evening, who: dict[str, Any], *, reason: str = "Turbina") -> Breakdown:
    """Let the extractor break down."""
    return equipment_services.open_breakdown(device=the_device(evening), reason=reason, **who)


def mend(evening: Evening, who: dict[str, Any], *, remedy: str = "Correia nova") -> Breakdown:
    """Mend it."""
    found = Breakdown.objects.select_related("device__hall", "entry")
    broken = found.get(device__hall=evening.hall)
    return equipment_services.end_breakdown(breakdown=broken, remedy=remedy, **who)
