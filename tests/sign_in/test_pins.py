"""PINs: at an enrolled browser alone, closed after five, and the password still a way in."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from bingo.rules.refusal import Refusal
from halls import staff
from halls.models import JournalEntry, Person, Pin, Role, SignIn, TillBrowser
from halls.sign_in import logins, pins
from tests.support.evening import BACKEND, Evening, browser_of
from tests.support.factors import add_app

pytestmark = pytest.mark.django_db

PIN, PASSWORD = "739164", "janela-verde-2468"


@pytest.fixture
def cashier() -> Person:
    """A cashier with a password and a PIN."""
    person = Evening().person(Role.CASHIER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    pins.set_pin(person=person, pin=PIN, again=PIN, at=timezone.now())
    return person


@pytest.fixture
def till(cashier: Person) -> Client:
    """A browser that a manager has enrolled."""
    manager = cashier.hall.people.get(username="sala-hall_manager-1")
    client = browser_of(manager)
    answer = client.post("/sign-ins/enrol/", {"browser": "Caixa 1"})
    assert (answer.status_code, answer.cookies[pins.COOKIE]["httponly"]) == (302, True)
    client.post("/logout/")
    return client


def by_pin(client: Client, username: str, pin: str = PIN) -> tuple[int, str]:
    """Log in by a PIN; return the status and the refusal's code."""
    answer = client.post("/login/pin/", {"username": username, "pin": pin})
    page = answer.content.decode()
    code = page.split('data-code="')[1].split('"')[0] if 'data-code="' in page else ""
    return answer.status_code, code


def test_pin_opens_the_till_at_an_enrolled_browser_alone(till: Client, cashier: Person) -> None:
    assert 'id="pin-digits"' in till.get("/login/").content.decode()
    assert 'id="pin-digits"' not in Client().get("/login/").content.decode()
    assert by_pin(Client(), cashier.username) == (409, "browser_not_enrolled")
    forged = Client()
    forged.cookies[pins.COOKIE] = TillBrowser.objects.get().digest
    assert by_pin(forged, cashier.username) == (409, "browser_not_enrolled")
    assert by_pin(till, cashier.username) == (302, "")
    assert till.get("/till/").status_code == 200


def test_addresses_of_its_forms_lead_to_their_pages_when_they_are_opened(till: Client) -> None:
    assert till.get("/login/pin/")["Location"] == "/login/"
    manager = browser_of(Person.objects.get(username="sala-hall_manager-1"))
    assert manager.get("/sign-ins/enrol/")["Location"] == "/sign-ins/"


def test_names_and_pins_that_are_nobodys_are_refused_alike(till: Client, cashier: Person) -> None:
    for name in ("nobody", "", "sala-cashier-2", "x\x00", "sala-hall_manager-1"):
        assert by_pin(till, name) == (409, "pin_wrong")
    assert by_pin(till, cashier.username, "x" * 10_000) == (409, "pin_wrong")


def test_name_with_a_blank_that_a_keyboard_adds_is_taken_as_by_password(
    till: Client, cashier: Person
) -> None:
    assert by_pin(till, f"{cashier.username} ") == (302, "")


def test_pin_ends_the_login_that_the_browser_had(till: Client, cashier: Person) -> None:
    other = Evening(hall=cashier.hall).person(Role.CALLER)
    till.force_login(other, backend=BACKEND)
    till.get("/caller/")
    assert by_pin(till, cashier.username) == (302, "")
    assert not logins.open_ones(other, at=timezone.now())


def test_over_a_colleagues_locked_page_a_pin_and_a_language_are_taken(
    till: Client, cashier: Person
) -> None:
    other = Evening(hall=cashier.hall).person(Role.CALLER)
    till.force_login(other, backend=BACKEND)
    till.get("/caller/")
    SignIn.objects.filter(person=other).update(locked_at=timezone.now())
    assert till.post("/caller/", {}).status_code == 423
    assert till.post("/language/setlang/", {"language": "es"}).status_code == 302
    assert by_pin(till, cashier.username) == (302, "")
    assert till.get("/till/").status_code == 200


@pytest.mark.slow
def test_five_wrong_pins_close_it_and_a_login_by_password_opens_it(
    till: Client, cashier: Person
) -> None:
    assert [by_pin(till, cashier.username, "902746")[1] for _try in range(5)] == ["pin_wrong"] * 5
    assert by_pin(till, cashier.username) == (409, "pin_closed")
    sent = {"username": cashier.username, "password": PASSWORD}
    assert till.post("/login/", sent).status_code == 302
    till.post("/logout/")
    assert by_pin(till, cashier.username) == (302, "")


def test_a_browser_that_was_ended_takes_no_pin(till: Client, cashier: Person) -> None:
    manager = cashier.hall.people.get(username="sala-hall_manager-1")
    order: dict[str, Any] = {"by": manager, "at": timezone.now(), "key": uuid4()}
    for _press in range(2):
        pins.end_browser(hall=cashier.hall, name="Caixa 1", **order)
    assert by_pin(till, cashier.username) == (409, "browser_not_enrolled")
    kinds = JournalEntry.objects.filter(kind="till_browser_changed").order_by("number")
    assert [one.data["change"] for one in kinds] == ["enrolled", "ended"]


def test_only_a_manager_enrols_a_browser(cashier: Person) -> None:
    client = browser_of(cashier)
    assert client.post("/sign-ins/enrol/", {"browser": "Caixa 9"}).status_code == 403
    with pytest.raises(Refusal, match="not_allowed"):
        pins.enrol_browser(hall=cashier.hall, name="Caixa 9", by=cashier, at=timezone.now())
    assert not TillBrowser.objects.exists()


def test_pin_is_hashed_and_set_by_its_owner(cashier: Person) -> None:
    assert Pin.objects.get().hashed.startswith("argon2")
    client = browser_of(cashier)
    weak = client.post("/account/", {"do": "pin", "pin": "123456", "pin_again": "123456"})
    assert (weak.status_code, b'data-code="pin_weak"' in weak.content) == (409, True)
    other = client.post("/account/", {"do": "pin", "pin": "902746", "pin_again": "902745"})
    assert b'data-code="pins_differ"' in other.content
    good = client.post("/account/", {"do": "pin", "pin": "902746", "pin_again": "902746"})
    assert good.status_code == 302
    manager = cashier.hall.people.get(username="sala-hall_manager-1")
    with pytest.raises(Refusal, match="not_allowed"):
        pins.set_pin(person=manager, pin=PIN, again=PIN, at=timezone.now())


def test_pin_and_its_browser_are_two_factors(till: Client, cashier: Person) -> None:
    add_app(cashier)
    assert by_pin(till, cashier.username) == (302, "")
    assert till.get("/till/").status_code == 200


@pytest.mark.parametrize("role", [Role.TABLE_CHIEF, Role.CALLER, Role.HALL_MANAGER])
def test_a_login_by_a_pin_ends_with_the_first_role_that_a_pin_is_not_enough_for(
    till: Client, cashier: Person, role: Role
) -> None:
    add_app(cashier)
    by_pin(till, cashier.username)
    assert till.get("/till/").status_code == 200
    staff.set_roles(
        hall=cashier.hall, username=cashier.username, name=cashier.name, roles=["cashier", role],
        **Evening(hall=cashier.hall).who(Role.HALL_MANAGER),
    )  # fmt: skip
    assert till.get("/till/")["Location"].startswith("/login/")
    assert not logins.open_ones(cashier, at=timezone.now())


def test_a_login_by_a_pin_goes_on_with_another_role_of_the_floor(
    till: Client, cashier: Person
) -> None:
    by_pin(till, cashier.username)
    staff.set_roles(
        hall=cashier.hall, username=cashier.username, name=cashier.name, roles=["cashier", "door"],
        **Evening(hall=cashier.hall).who(Role.HALL_MANAGER),
    )  # fmt: skip
    assert till.get("/till/").status_code == 200


def test_a_pin_opens_nothing_to_whoever_has_a_password_that_was_given(
    till: Client, cashier: Person
) -> None:
    Person.objects.filter(pk=cashier.pk).update(password_given=True)
    assert by_pin(till, cashier.username) == (409, "pin_wrong")


def test_a_pin_goes_with_the_password_it_was_set_beside(cashier: Person) -> None:
    pins.set_pin(person=cashier, pin=PIN, again=PIN, at=timezone.now())
    staff.change_password(person=cashier, password="outra-janela-9753", at=timezone.now())
    assert not Pin.objects.exists()
