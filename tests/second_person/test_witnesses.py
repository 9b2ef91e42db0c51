"""The second person is known by their own password, and is somebody else."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls.models import JournalEntry, Person, Role
from halls.second_person import witness
from tests.support.evening import Evening
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"
WRONG = "errada-1357"


def with_password(person: Person) -> Person:
    """Return somebody a password."""
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return person


def request(**sent: str) -> HttpRequest:
    """An order's request, from the till's place."""
    asked: HttpRequest = RequestFactory().post("/till/do/refund/", sent)
    return asked


def asked(evening: Evening, username: str, password: str, **changed: Any) -> Person:
    """Ask for a witness of a refund by the first cashier."""
    usual: dict[str, Any] = {
        "hall": evening.hall, "request": request(), "by": evening.person(Role.CASHIER),
        "kind": "cards_refunded", "at": timezone.now(),
    }  # fmt: skip
    return witness(username=username, password=password, **(usual | changed))


@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("role", [Role.TABLE_CHIEF, Role.HALL_MANAGER])
def test_table_chief_and_hall_manager_witness_by_their_own_password(role: Role) -> None:
    evening = Evening()
    person = with_password(evening.person(role))
    assert asked(evening, person.username, PASSWORD) == person


@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("role", [Role.CASHIER, Role.SELLER, Role.CALLER, Role.INSPECTOR])
def test_other_roles_may_not_witness(role: Role) -> None:
    evening = Evening()
    person = with_password(
        evening.hall.people.filter(roles__contains=[role]).order_by("username")[1]
    )
    with pytest.raises(Refusal) as caught:
        asked(evening, person.username, PASSWORD)
    expected = Refusal("witness_not_allowed", roles=["table_chief", "hall_manager"])
    assert caught.value == expected


def test_nobody_witnesses_for_themselves() -> None:
    evening = Evening()
    manager = with_password(evening.person(Role.HALL_MANAGER))
    with pytest.raises(Refusal, match="witness_same_person"):
        asked(evening, manager.username, PASSWORD, by=manager)


def test_wrong_name_and_wrong_password_are_refused_alike() -> None:
    evening = Evening()
    chief = with_password(evening.person(Role.TABLE_CHIEF))
    gone = with_password(evening.person(Role.HALL_MANAGER))
    plant(Person.objects.filter(pk=gone.pk), is_active=False)
    refusals = set()
    for username, password in (
        (chief.username, WRONG),
        (chief.username, ""),
        (chief.username.upper(), PASSWORD),
        ("ninguém", PASSWORD),
        ("", PASSWORD),
        (gone.username, PASSWORD),
    ):
        with pytest.raises(Refusal) as caught:
            asked(evening, username, password)
        refusals.add(str(caught.value))
    assert refusals == {"witness_unknown()"}


def test_table_chief_of_another_hall_may_not_witness() -> None:
    evening, other = Evening(), Evening("outra")
    chief = with_password(other.person(Role.TABLE_CHIEF))
    with pytest.raises(Refusal, match="witness_not_allowed"):
        asked(evening, chief.username, PASSWORD)
    assert asked(other, chief.username, PASSWORD) == chief


def test_second_person_is_asked_only_where_the_hall_may_want_one() -> None:
    evening = Evening()
    chief = with_password(evening.person(Role.TABLE_CHIEF))
    with pytest.raises(Refusal) as caught:
        asked(evening, chief.username, PASSWORD, kind="cards_sold")
    assert caught.value == Refusal("unknown_command", command="cards_sold")


def test_guessing_locks_that_name_even_for_the_right_password() -> None:
    evening = Evening()
    chief = with_password(evening.person(Role.TABLE_CHIEF))
    manager = with_password(evening.person(Role.HALL_MANAGER))
    codes = []
    for password in (*(f"tentativa {n}" for n in range(6)), PASSWORD):
        with pytest.raises(Refusal) as caught:
            asked(evening, chief.username, password)
        codes.append(caught.value.code)
    assert codes == ["witness_unknown"] * 5 + ["witness_locked"] * 2
    assert asked(evening, manager.username, PASSWORD) == manager


def test_wrong_witnesses_keep_neither_of_the_two_from_logging_in(client: Client) -> None:
    evening = Evening()
    chief = with_password(evening.person(Role.TABLE_CHIEF))
    cashier = with_password(evening.person(Role.CASHIER))
    codes = set()
    for _attempt in range(12):
        with pytest.raises(Refusal) as caught:
            asked(evening, chief.username, WRONG)
        codes.add(caught.value.code)
    assert codes == {"witness_unknown", "witness_locked"}
    for person in (chief, cashier):
        sent = client.post("/login/", {"username": person.username, "password": PASSWORD})
        assert sent.status_code == 302
    # Nor is the colleague lost to other tills.
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("-pk")[0]
    assert asked(evening, chief.username, PASSWORD, by=other) == chief


def test_password_is_kept_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    evening = Evening()
    chief = with_password(evening.person(Role.TABLE_CHIEF))
    sent = request(witness_username=chief.username, witness_password=WRONG, reason="x")
    with caplog.at_level(logging.DEBUG), pytest.raises(Refusal):
        asked(evening, chief.username, WRONG, request=sent)
    assert WRONG not in caplog.text
    entries = JournalEntry.objects.filter(hall=evening.hall)
    assert WRONG not in repr(list(entries.values_list("data", flat=True)))
