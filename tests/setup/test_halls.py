"""A hall is opened whole, by one transaction, and its journal begins with it."""

from __future__ import annotations

from typing import Any

import pytest

from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Person, Till
from tests.support.opening_halls import ASKED, MANAGER, PASSWORD, open_one
from tests.support.planting_rows import allowed, plant
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def test_hall_has_its_manager_its_tills_and_its_first_entry() -> None:
    hall = open_one()
    person = hall.people.get()
    assert (person.username, person.roles) == (MANAGER, ["hall_manager"])
    assert person.check_password(PASSWORD)
    assert not person.password_given
    assert set(hall.tills.values_list("name", flat=True)) == set(ASKED["tills"])
    entry = JournalEntry.objects.get()
    assert (entry.number, entry.kind, entry.by) == (1, "hall_opened", person)
    assert entry.data["licence"] == "12/2026"
    assert PASSWORD not in str(entry.data)
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"password": "12345678"}, "password_weak"),
        ({"password": "curta"}, "password_weak"),
        ({"password": "maria.lima"}, "password_weak"),
        ({"password": "Maria Lima"}, "password_weak"),
        ({"password": "a" * 1001}, "password_weak"),
        ({"language": "fr"}, "unknown_language"),
        ({"time_zone": "Mindelo"}, "unknown_time_zone"),
        ({"rulebook": "x"}, "unknown_rulebook"),
        ({"currency": "ESC"}, "unknown_currency"),
        ({"code": "demo-1"}, "bad_hall_code"),
        ({"code": "demonstracao"}, "bad_hall_code"),
        ({"code": "sala-training"}, "bad_hall_code"),
        ({"code": "sala-training-2"}, "bad_hall_code"),
    ],
)
def test_what_is_refused_leaves_nothing(changed: dict[str, Any], code: str) -> None:
    with refuses(code):
        open_one(**changed)


def test_code_and_username_are_taken_once() -> None:
    open_one()
    with refuses(Refusal("hall_code_taken", hall="sala-mindelo")):
        open_one(manager="outra.pessoa")
    with refuses(Refusal("username_taken", username=MANAGER)):
        open_one(code="outra")
    with refuses(Refusal("hall_exists")):
        open_one(code="outra", manager="outra.pessoa", first=True)
    open_one(code="outra", manager="outra.pessoa")
    assert Till.objects.count() == 4


@pytest.mark.parametrize("field", ["name", "licence", "currency", "rulebook"])
def test_hall_that_is_not_what_it_was_opened_as_is_found(field: str) -> None:
    hall = open_one()
    plant(Hall.objects.filter(pk=hall.pk), **{field: "EUR"})
    found = audit(Hall.objects.get())
    assert [(one.number, one.code) for one in found] == [(1, "hall_differs")]


@pytest.mark.parametrize(
    "changed", [{"roles": ["cashier"]}, {"is_active": False}, {"name": "Outra"}]
)
def test_person_whom_no_entry_made_so_is_found(changed: dict[str, Any]) -> None:
    open_one()
    plant(Person.objects.all(), **changed)
    assert [one.code for one in audit(Hall.objects.get())] == ["staff_differs"]


def test_person_whom_no_entry_took_on_is_found() -> None:
    hall = open_one()
    with allowed(Person):
        Person.objects.enrol(
            hall=hall, username="intruso", name="X", roles=["inspector"], language="pt",
            password="x",
        )  # fmt: skip
    assert [one.code for one in audit(Hall.objects.get())] == ["staff_differs"]
