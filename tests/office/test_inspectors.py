"""The page of the inspectors, the notices of what waits, and the pages of rules and staff beside them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client

from halls import accounts
from halls.models import JournalEntry, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, browser_of
from tests.support.planting_rows import plant
from tests.support.staff import shown_password, take_on

pytestmark = pytest.mark.django_db

NEW = {"name": "Rita Lima", "username": "Rita.Lima", "language": "pt"}
ADDRESS = "/inspector/accounts/"


def send(client: Client, verb: str, where: str = ADDRESS, **fields: str) -> Any:
    return client.post(f"{where}do/{verb}/", {"key": str(uuid4()), **fields})


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.slow
def test_inspector_takes_another_on_and_gives_a_password() -> None:
    inspector = Evening().at("inspector")
    first = shown_password(send(inspector, "enrol", **NEW))
    rita = Person.objects.get(username="rita.lima")
    assert (rita.roles, rita.check_password(first)) == (["inspector"], True)
    assert "rita.lima" in page(inspector, ADDRESS)
    assert first not in page(inspector, ADDRESS)
    second = shown_password(send(inspector, "password", username="rita.lima"))
    rita.refresh_from_db()
    assert (rita.check_password(first), rita.check_password(second)) == (False, True)
    assert send(inspector, "disable", username="rita.lima").status_code == 302
    assert 'id="change"' in page(inspector, f"{ADDRESS}?person=rita.lima")
    assert send(inspector, "enable", username="rita.lima").status_code == 302
    assert send(inspector, "disable", username="sala-cashier-1").status_code == 409
    assert JournalEntry.objects.filter(kind="inspector_changed").count() == 4


def test_page_tells_who_has_not_chosen_a_password_yet_and_whose_given_one_ran_out() -> None:
    evening = Evening()
    inspector, manager = evening.at("inspector"), evening.at("manager")
    send(inspector, "enrol", **NEW)
    send(inspector, "enrol", **NEW | {"username": "rui.lima"})
    # One that no entry tells of has run out.
    plant(Person.objects.filter(username="rui.lima"), password=make_password("nuvem lenta 5521"))
    for shown in (page(inspector, ADDRESS), page(manager, "/staff/")):
        states = {
            name: shown.partition(f'<span class="under">{name}</span>')[2].partition("</tr>")[0]
            for name in ("rita.lima", "rui.lima", "sala-inspector-1")
        }
        assert "ainda não escolheu" in states["rita.lima"]
        assert "a que foi dada vale até" in states["rita.lima"]
        assert "expirou" in states["rui.lima"]
        assert "pode entrar" in states["sala-inspector-1"]


@pytest.mark.parametrize("role", [role for role in Role if role != Role.INSPECTOR])
def test_page_is_for_inspectors_alone(role: Role) -> None:
    client = browser_of(Evening().person(role))
    assert client.get(ADDRESS).status_code == 403
    assert send(client, "enrol", **NEW).status_code == 403


def test_manager_sees_inspectors_and_is_offered_no_order_on_them() -> None:
    manager = Evening().at("manager")
    seen = page(manager, "/staff/")
    assert "role-inspector" not in seen
    assert "?person=sala-inspector-1" not in seen
    assert 'id="change"' not in page(manager, "/staff/?person=sala-inspector-1")
    refused = send(manager, "disable", "/staff/", username="sala-inspector-1")
    assert 'data-code="inspectors_account"' in refused.content.decode()
    assert JournalEntry.objects.latest("number").data["code"] == "inspectors_account"


@pytest.mark.slow
def test_inspector_sees_what_waits_and_the_manager_withdraws_it() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, four_eyes=["game_voided", "prize_paid"], **who)
    evening.reach("session")
    chief = evening.person(Role.TABLE_CHIEF)
    set_policy(hall=evening.hall, four_eyes=["prize_paid"], witness=chief, **who)
    inspector, manager = evening.at("inspector"), evening.at("manager")
    for address in ("/inspector/", "/policy/"):
        assert 'id="policy-later"' in page(inspector, address)
        assert "/policy/do/withdraw/" not in page(inspector, address)
    assert "/policy/do/withdraw/" in page(manager, "/policy/")
    assert send(inspector, "withdraw", "/policy/").status_code == 403
    assert send(manager, "withdraw", "/policy/").status_code == 302
    assert 'id="policy-later"' not in page(inspector, "/inspector/")
    again = send(manager, "withdraw", "/policy/")
    assert 'data-code="nothing_waits"' in again.content.decode()


@pytest.mark.slow
def test_staff_page_says_from_when_somebody_stands() -> None:
    evening = Evening().reach("session")
    made = take_on(evening.hall, "novo.chefe", roles=["table_chief"])
    assert made.witness_from is not None
    told = f"{evening.hall.day(made.witness_from):%d/%m/%Y}"
    assert told in page(evening.at("manager"), "/staff/")
    plant(Person.objects.filter(pk=made.pk), witness_from=made.witness_from - timedelta(days=2))
    row = page(evening.at("manager"), "/staff/").partition('id="person-novo.chefe"')[2]
    assert "segunda pessoa a partir" not in row.partition("</tr>")[0]


@pytest.mark.slow
def test_account_changed_at_the_machine_is_shown_to_staff_and_inspectors() -> None:
    evening = Evening()
    accounts.enrol_at_machine(
        hall=evening.hall, username="novo.chefe", name="Rui Pires", roles=["table_chief"],
        language="pt", at=evening.who(Role.HALL_MANAGER)["at"],
    )  # fmt: skip
    for client, address in (
        (evening.at("manager"), "/staff/"), (evening.at("inspector"), "/inspector/"),
        (evening.at("inspector"), ADDRESS),
    ):  # fmt: skip
        assert 'id="at-machine"' in page(client, address)
