"""The page of the staff, and what somebody with a password that was given reaches."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from draws.record.audit import audit
from halls import staff
from halls.models import Hall, JournalEntry, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, browser_of
from tests.support.planting_rows import plant
from tests.support.staff import shown_password

pytestmark = pytest.mark.django_db

OWN = "segunda-senha-8"
NEW = {
    "name": "Rui Pires",
    "username": "Rui.Pires",
    "language": "pt",
    "role-cashier": "on",
}


def send(client: Client, verb: str, **fields: str) -> Any:
    return client.post(f"/staff/do/{verb}/", {"key": str(uuid4()), **fields})


def code_of(answer: Any) -> str:
    page: str = answer.content.decode()
    return page.partition('data-code="')[2].partition('"')[0]


@pytest.mark.slow
def test_person_taken_on_chooses_a_password_before_anything_else() -> None:
    manager = Evening().at("manager")
    first = shown_password(send(manager, "enrol", **NEW))
    client = Client()
    client.post("/login/", {"username": "rui.pires", "password": first, "next": ""})
    for path in ("/", "/till/", "/till/live/", "/board/sala/"):
        assert client.get(path)["Location"] == "/password/"
    assert client.post("/till/do/open/", {"key": str(uuid4())})["Location"] == "/password/"
    same = client.post("/password/", {"password": first, "password_again": first})
    assert code_of(same) == "password_unchanged"
    differ = client.post("/password/", {"password": OWN, "password_again": first})
    assert code_of(differ) == "passwords_differ"
    done = client.post("/password/", {"password": OWN, "password_again": OWN})
    assert done["Location"] == "/"
    # Still logged in, and now where they work.
    assert client.get("/till/").status_code == 200
    assert audit(Hall.objects.get()) == []


def test_own_password_is_changed_only_by_whoever_knows_it() -> None:
    manager = Evening().at("manager")
    first = shown_password(send(manager, "enrol", **NEW))
    client = Client()
    client.post("/login/", {"username": "rui.pires", "password": first, "next": ""})
    client.post("/password/", {"password": OWN, "password_again": OWN})
    new = {"password": "terceira-77", "password_again": "terceira-77"}
    assert code_of(client.post("/password/", new)) == "own_password_wrong"
    assert code_of(client.post("/password/", {"before": "x" * 5000, **new})) == "own_password_wrong"
    assert client.post("/password/", {"before": OWN, **new})["Location"] == "/"
    assert Person.objects.get(username="rui.pires").check_password("terceira-77")


def test_somebody_disabled_is_out_at_once_and_listed_as_logged_in_no_more() -> None:
    evening = Evening()
    client, manager = evening.at("caller"), evening.at("manager")
    assert client.get("/caller/").status_code == 200
    listed = 'name="username" value="sala-caller-1"'
    assert listed in manager.get("/sign-ins/").content.decode()
    send(manager, "disable", username="sala-caller-1")
    assert client.get("/caller/").status_code == 302
    assert listed not in manager.get("/sign-ins/").content.decode()


def test_password_given_anew_ends_what_was_open_under_the_old_one() -> None:
    evening = Evening()
    client = evening.at("caller")
    shown_password(send(evening.at("manager"), "password", username="sala-caller-1"))
    assert client.get("/caller/").status_code == 302


@pytest.mark.parametrize("role", [role for role in Role if role != Role.HALL_MANAGER])
@pytest.mark.parametrize("verb", ["enrol", "set", "disable", "enable", "password"])
def test_nobody_else_orders_anything_there(role: Role, verb: str) -> None:
    evening = Evening()
    client = browser_of(evening.person(role))
    before = list(Person.objects.order_by("pk").values_list())
    own = {"username": f"sala-{role}-1", "name": "X", "role-hall_manager": "on"}
    answer = send(client, verb, **{**NEW, **own})
    assert answer.status_code == 403
    assert list(Person.objects.order_by("pk").values_list()) == before
    assert JournalEntry.objects.latest("number").kind == "command_refused"


@pytest.mark.parametrize("role", [Role.CASHIER, Role.CALLER, Role.TABLE_CHIEF, Role.SELLER])
def test_page_is_shown_to_managers_and_inspectors_alone(role: Role) -> None:
    evening = Evening()
    assert browser_of(evening.person(role)).get("/staff/").status_code == 403
    seen = browser_of(evening.person(Role.INSPECTOR)).get("/staff/").content.decode()
    assert "sala-caller-1" in seen
    assert "/staff/do/" not in seen


def test_nobody_locks_themself_out_and_no_stranger_is_named() -> None:
    evening, other = Evening(), Evening("vizinha")
    manager = evening.at("manager")
    own = "sala-hall_manager-1"
    assert code_of(send(manager, "disable", username=own)) == "own_account"
    more = {"name": "X", "role-hall_manager": "on", "role-cashier": "on"}
    assert code_of(send(manager, "set", username=own, **more)) == "own_account"
    theirs = other.person(Role.CASHIER).username
    assert code_of(send(manager, "disable", username=theirs)) == "person_unknown"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"role-cashier": ""}, "role_missing"),
        ({"username": "caixa-1"}, "username_taken"),
        ({"username": "maria lima"}, "bad_username"),
        ({"language": "xx"}, "bad_input"),
        ({"name": "\x00"}, "bad_input"),
    ],
)
def test_bad_field_is_refused(changed: dict[str, str], code: str) -> None:
    evening = Evening()
    other = evening.person(Role.CALLER)
    plant(Person.objects.filter(pk=other.pk), username="caixa-1")
    answer = send(evening.at("manager"), "enrol", **{**NEW, **changed})
    assert (answer.status_code, code_of(answer)) == (409, code)
    assert 'id="given-password"' not in answer.content.decode()
    assert not Person.objects.filter(name="Rui Pires").exists()


def test_roles_that_another_manager_took_meanwhile_do_not_come_back_with_a_name() -> None:
    evening = Evening()
    manager, other = evening.at("manager"), evening.person(Role.HALL_MANAGER)
    chief = evening.person(Role.TABLE_CHIEF)
    page = manager.get(f"/staff/?person={chief.username}").content.decode()
    [had] = re.findall(r'name="had" value="([^"]*)"', page)
    seen = {"username": chief.username, "role-table_chief": "on", "had": had}
    staff.set_roles(
        hall=evening.hall, username=chief.username, name=chief.name, roles=["caller"],
        by=other, at=timezone.now(),
    )  # fmt: skip
    assert code_of(send(manager, "set", name="Rui Pires", **seen)) == "stale_page"
    chief.refresh_from_db()
    assert chief.roles == ["caller"]
    now = seen | {"had": "caller"}
    assert send(manager, "set", name="Rui Pires", **now).status_code == 302


@pytest.mark.slow
def test_second_person_is_asked_where_the_hall_wants_one() -> None:
    evening = Evening().reach("session")
    set_policy(hall=evening.hall, four_eyes=["staff_changed"], **evening.who(Role.HALL_MANAGER))
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password(OWN)
    chief.save(update_fields=["password"])
    manager = evening.at("manager")
    assert "witness_username" in manager.get("/staff/").content.decode()
    assert code_of(send(manager, "enrol", **NEW)) == "second_person_needed"
    second = {"witness_username": chief.username, "witness_password": OWN}
    assert shown_password(send(manager, "enrol", **NEW, **second))
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_forms_of_one_person_are_shown_where_the_address_or_a_refusal_names_them() -> None:
    evening, other = Evening(), Evening("vizinha")
    manager = evening.at("manager")

    def shown(query: str) -> bool:
        return 'id="change"' in manager.get(f"/staff/{query}").content.decode()

    assert shown("?person=sala-caller-1")
    theirs = other.person(Role.CALLER).username
    for query in ("", "?person=", "?person=nobody", "?person=sala-hall_manager-1"):
        assert not shown(query)
    assert not shown(f"?person={theirs}")
    assert not shown("?person=%00%22%3E%3Cscript%3E")
    refused = send(manager, "set", username="sala-caller-1", name="X")
    assert code_of(refused) == "role_missing"
    assert 'id="change"' in refused.content.decode()
    inspector = evening.at("inspector").get("/staff/?person=sala-caller-1").content.decode()
    assert 'id="change"' not in inspector
