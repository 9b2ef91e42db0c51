"""The demonstration's ball set: registered, approved, put in use, and called as the law asks (R20-R23)."""

from __future__ import annotations

from datetime import date

from django.utils import timezone

from bingo.rules import formats
from bingo.rules.session import load
from draws.demonstration import country as countries
from draws.demonstration.evening import Evening
from halls.models import BallSet, Device, Hall, Role
from halls.queries import equipment as queries
from halls.services import ball_sets, equipment

SERIAL, MODEL = "B-0001", "90"
APPROVAL, APPROVED = "1/2026", date(2026, 1, 2)


def equip(hall: Hall) -> None:
    """Put an approved set in use, in an approved extractor, and let all its balls run past."""
    manager = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    country = countries.of(hall.rulebook)
    used = queries.in_use(hall, formats.NINETY.highest)
    if used is None:
        extractor = Device.objects.filter(hall=hall, name=country.extractor).first()
        extractor = extractor or equipment.register_device(
            hall=hall,
            name=country.extractor,
            kind="pneumatic",
            maker=country.balls,
            approval=APPROVAL,
            authority=country.authority,
            approved_on=APPROVED,
            by=manager,
            at=timezone.now(),
        )
        new = ball_sets.register(
            hall=hall,
            serial=SERIAL,
            format=formats.NINETY.highest,
            maker=country.balls,
            model=MODEL,
            approval=APPROVAL,
            authority=country.authority,
            approved_on=APPROVED,
            by=manager,
            at=timezone.now(),
        )
        used = ball_sets.use(ball_set=new, extractor=extractor, by=manager, at=timezone.now())
    _call(used, "opening")


def call_again(evening: Evening) -> None:
    """Let the balls of every set drawn from run past once more."""
    evening.session.refresh_from_db(fields=["state"])
    for serial in load(evening.session.state).balls.drawn:
        _call(BallSet.objects.get(hall=evening.hall, serial=serial), "closing")


def _call(used: BallSet, when: str) -> None:
    equipment.call_balls(
        ball_set=used,
        when=when,
        seen=list(formats.get(used.format).numbers),
        by=used.hall.people.get(roles__contains=[Role.TABLE_CHIEF]),
        at=timezone.now(),
    )
