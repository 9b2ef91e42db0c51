"""Two who open the first hall at once, and two managers who disable each other."""

from __future__ import annotations

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import staff
from halls.models import Hall, Person
from tests.support.opening_halls import MANAGER, open_one
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")


@pytest.mark.slow
def test_one_of_two_opens_the_first_hall() -> None:
    told = at_once(
        [
            lambda: open_one(code="uma", manager="uma.pessoa", first=True),
            lambda: open_one(code="outra", manager="outra.pessoa", first=True),
        ]
    )
    refused = [one for one in told if isinstance(one, Exception)]
    assert refused == [Refusal("hall_exists")]
    assert Hall.objects.count() == Person.objects.count() == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_two_managers_who_disable_each_other_leave_one() -> None:
    hall = open_one()
    ana = Person.objects.get(username=MANAGER)
    staff.enrol(
        hall=hall, username="eva", name="Eva", roles=["hall_manager"], language="pt",
        by=ana, at=timezone.now(),
    )  # fmt: skip
    eva = Person.objects.get(username="eva")

    def disable(of: Person, by: Person) -> Person:
        return staff.set_active(
            hall=hall, username=of.username, active=False, by=by, at=timezone.now()
        )

    told = at_once([lambda: disable(eva, by=ana), lambda: disable(ana, by=eva)])
    assert [one.code for one in told if isinstance(one, Refusal)] == ["not_allowed"]
    assert Person.objects.filter(is_active=True).count() == 1
    assert audit(Hall.objects.get()) == []
