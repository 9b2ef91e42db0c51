"""What PostgreSQL itself refuses of the count at the door, each by the constraint named here."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError

from bingo.rules.admission import LEFT, REFUSED
from halls.admission import services as admission_services
from halls.models import Admission, JournalEntry, Role
from tests.support.evening import Evening, authorise
from tests.support.playing import again

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BOE III")]


@pytest.fixture
def admitted() -> Admission:
    """The first of two people whom a hall may let in."""
    evening = Evening()
    authorise(evening.hall, reference="2/2026", capacity=2)
    admission_services.admit(hall=evening.hall, **evening.who(Role.DOOR))
    return Admission.objects.get()


@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "admission_number_once"),
        ({"number": 0}, "admission_number_positive"),
        ({"number": 2, "kind": "flew", "capacity": None}, "admission_kind_known"),
        ({"number": 2, "inside": 3}, "admission_within_capacity"),
        ({"number": 2, "inside": -1}, "halls_admission_inside_check"),
        ({"number": 2, "kind": LEFT}, "admission_capacity_of_who_came_in"),
        (
            {"number": 2, "kind": REFUSED, "capacity": None, "reason": "colour"},
            "admission_refused_for_a_reason",
        ),
        (
            {"number": 2, "kind": REFUSED, "capacity": None, "reason": ""},
            "admission_refused_for_a_reason",
        ),
    ],
    ids=str,
)
def test_row_that_cannot_be_is_refused(
    admitted: Admission, changed: dict[str, Any], constraint: str
) -> None:
    other = JournalEntry.objects.exclude(pk=admitted.entry_id).earliest("pk")
    with pytest.raises(IntegrityError, match=constraint):
        again(admitted, entry=other, **changed)


def test_row_that_can_be_is_let_in(admitted: Admission) -> None:
    other = JournalEntry.objects.exclude(pk=admitted.entry_id).earliest("pk")
    again(admitted, entry=other, number=2, inside=2)
