"""The demonstration's check of its equipment before the session opens (R2, R32)."""

from __future__ import annotations

from django.utils import timezone

from bingo.rules.equipment import RNG
from bingo.rules.steps.drawing import CAMERA
from halls.models import Hall, Person
from halls.queries import equipment
from halls.services import checks


def check(hall: Hall, *, source: str, by: Person) -> None:
    """Look at every item that is due; a hall that draws from its extractor has no RNG."""
    for kind, name in equipment.due(hall):
        there = kind != RNG or source != CAMERA
        checks.tick(
            hall=hall, kind=kind, name=name, ok=True if there else None, by=by, at=timezone.now()
        )
    checks.finish(hall=hall, by=by, at=timezone.now())
