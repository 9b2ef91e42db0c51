"""Forged entries about the staff are found: rights that nobody may give, people that nobody took on."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.game_flow import Fact
from draws.record.audit import audit
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person
from tests.support.opening_halls import MANAGER, open_one
from tests.support.staff import take_on

pytestmark = pytest.mark.django_db


def forged(kind: str, data: dict[str, Any], *, by: str = MANAGER) -> list[str]:
    """Append an entry that no service writes, and return what the audit finds."""
    hall = Hall.objects.get()
    person = Person.objects.get(username=by)
    journal_services.append(head.lock(hall.pk), Fact(kind, data), by=person, at=timezone.now())
    return [one.code for one in audit(Hall.objects.get())]


@pytest.mark.parametrize(
    ("data", "by", "code"),
    [
        # A manager who makes themself cashier too.
        (
            {
                "change": "set", "username": MANAGER, "name": "Maria Lima",
                "roles": ["cashier", "hall_manager"],
            },
            MANAGER, "rules_refuse",
        ),
        ({"change": "disabled", "username": MANAGER}, MANAGER, "rules_refuse"),
        # The last manager, disabled by somebody who has no such right.
        ({"change": "disabled", "username": MANAGER}, "rui.pires", "rules_refuse"),
        ({"change": "password", "username": MANAGER}, "rui.pires", "rules_refuse"),
        ({"change": "enabled", "username": "nobody"}, MANAGER, "rules_refuse"),
        ({"change": "deleted", "username": "rui.pires"}, MANAGER, "rules_refuse"),
        ({"change": "password", "username": "rui.pires", "more": 1}, MANAGER, "rules_refuse"),
        ({"change": "disabled"}, MANAGER, "entry_malformed"),
        # What is well formed, but did not come to the rows.
        ({"change": "disabled", "username": "rui.pires"}, MANAGER, "staff_differs"),
    ],
)  # fmt: skip
def test_forged_change_is_found(data: dict[str, Any], by: str, code: str) -> None:
    take_on(open_one())
    assert audit(Hall.objects.get()) == []
    assert forged("staff_changed", data, by=by) == [code]


def test_hall_is_opened_once() -> None:
    hall = open_one()
    assert forged("hall_opened", hall.journal.get().data) == ["rules_refuse"]
