"""Forged entries about the staff are found: rights that nobody may give, people that nobody took on."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.game_flow import Fact
from draws.record.audit import audit
from halls import staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person, TillBrowser
from halls.sign_in import factors, pins
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


def test_row_that_asks_for_second_factors_otherwise_than_the_entries_is_found() -> None:
    hall = open_one(second_factor=False)
    assert audit(Hall.objects.get()) == []
    Hall.objects.filter(pk=hall.pk).update(second_factor=True)
    assert [one.code for one in audit(Hall.objects.get())] == ["hall_differs"]


def test_waiver_of_second_factors_that_did_not_come_to_the_row_is_found() -> None:
    take_on(open_one(), roles=["hall_manager"])
    waived = {"required": False, "reason": "Ensaio", "witness": "rui.pires"}
    assert forged("second_factor_set", waived) == ["hall_differs"]


def test_second_factors_follow_the_entry_that_waives_them_and_the_one_that_asks_again() -> None:
    hall = open_one()
    manager, at = hall.people.get(), timezone.now()
    other = take_on(hall, roles=["hall_manager"])
    other = staff.change_password(person=other, password="janela-azul-91", at=at)
    asked: dict[str, Any] = {"hall": hall, "reason": "Ensaio", "by": manager}
    factors.set_duty(required=False, witness=other, at=timezone.now(), **asked)
    assert audit(Hall.objects.get()) == []
    factors.set_duty(required=True, witness=None, at=timezone.now(), **asked)
    assert audit(Hall.objects.get()) == []


def test_till_s_browser_that_nobody_enrolled_is_found() -> None:
    hall, at = open_one(), timezone.now()
    by = hall.people.get()
    enrolled, _token = pins.enrol_browser(hall=hall, name="Caixa 1", by=by, at=at)
    assert audit(Hall.objects.get()) == []
    pins.end_browser(hall=hall, name="Caixa 1", by=by, at=at)
    assert audit(Hall.objects.get()) == []
    TillBrowser.objects.filter(pk=enrolled.pk).update(ended_at=None)
    TillBrowser.objects.create(
        hall=hall, name="Caixa 9", digest="a" * 64, enrolled_at=at, enrolled_by=by
    )
    found = [(one.code, one.detail) for one in audit(Hall.objects.get())]
    assert found == [
        ("sign_in_differs", f"browser {name!r}: nobody enrolled it")
        for name in ("Caixa 1", "Caixa 9")
    ]
