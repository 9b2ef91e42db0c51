"""A fresh second factor before what cannot be undone; the order is kept meanwhile."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from bingo.rules import sign_in_and_pins as rules
from bingo.rules import staff
from draws.web.fresh_proof import FRESH
from draws.web.home_and_own_account import VERBS
from halls.models import JournalEntry, Person, Pin, Role, SignIn
from halls.sign_in import factors
from tests.support.addresses import page_of, patterns
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app, asking, code_of, secret_on, show
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"


@pytest.fixture
def manager() -> Person:
    """A manager of a hall that asks for second factors."""
    person = Evening().person(Role.HALL_MANAGER)
    asking(person.hall)
    return person


@pytest.fixture
def secret(manager: Person) -> str:
    """What their app knows."""
    return add_app(manager)


@pytest.fixture
def client(manager: Person, secret: str) -> Client:
    """Their browser, proven an hour ago."""
    client = Client()
    client.force_login(manager, backend="halls.web.middleware.Backend")
    client.get("/")
    SignIn.objects.update(proven_at=timezone.now() - timedelta(hours=1))
    return client


def disable(client: Client) -> tuple[int, str]:
    """Order somebody disabled; return the status and the page."""
    sent = {"username": "sala-cashier-2", "key": str(uuid4())}
    answer = client.post("/staff/do/disable/", sent)
    return answer.status_code, answer.content.decode()


def held_on(page: str) -> str:
    """The order that a page holds."""
    found = re.search(r'name="held_order" value="([^"]+)"', page)
    assert found
    return found[1]


def is_active() -> bool:
    """Whether the one who is to be disabled is not."""
    return Person.objects.get(username="sala-cashier-2").is_active


def test_order_waits_for_the_factor_and_then_goes_on(client: Client, secret: str) -> None:
    status, page = disable(client)
    assert (status, is_active(), "sala-cashier-2" in page) == (409, True, False)
    held = held_on(page)
    wrong = client.post("/staff/do/disable/", {"held_order": held, "code": "000000"})
    assert (wrong.status_code, is_active()) == (409, True)
    right = client.post("/staff/do/disable/", {"held_order": held, "code": code_of(secret)})
    assert (right.status_code, right["Location"], is_active()) == (302, "/staff/", False)
    # For five minutes nothing is asked again.
    other = {"username": "sala-caller-2", "key": str(uuid4())}
    assert client.post("/staff/do/disable/", other).status_code == 302
    SignIn.objects.update(proven_at=timezone.now() - timedelta(minutes=5, seconds=1))
    other = {"username": "sala-seller-2", "key": str(uuid4())}
    assert client.post("/staff/do/disable/", other).status_code == 409


def test_proof_that_is_sent_twice_is_answered_as_it_was(client: Client, secret: str) -> None:
    """The code is used up by the first: a double press is no wrong one."""
    sent = {"held_order": held_on(disable(client)[1]), "code": code_of(secret)}
    answers = [client.post("/staff/do/disable/", sent) for _press in range(2)]
    assert [(one.status_code, one.get("Location")) for one in answers] == [(302, "/staff/")] * 2
    assert JournalEntry.objects.filter(kind=staff.CHANGED).count() == 1


def test_factor_shown_before_the_clock_was_set_back_is_not_fresh_for_longer(
    client: Client,
) -> None:
    SignIn.objects.update(proven_at=timezone.now() + timedelta(hours=1))
    assert (disable(client)[0], is_active()) == (409, True)


@pytest.mark.slow
def test_a_held_order_is_good_for_its_own_address_login_and_time(
    client: Client, manager: Person, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = held_on(disable(client)[1])
    for path in ("/staff/do/enable/", "/policy/do/set/"):
        assert client.post(path, {"held_order": held, "code": code_of(secret)}).status_code == 409
    another = Client()
    another.force_login(manager, backend="halls.web.middleware.Backend")
    show(another, secret)
    sent = {"held_order": held, "code": code_of(secret)}
    assert another.post("/staff/do/disable/", sent).status_code == 409
    changed = held[:-4] + ("AAAA" if held[-4:] != "AAAA" else "BBBB")
    assert client.post("/staff/do/disable/", sent | {"held_order": changed}).status_code == 409
    monkeypatch.setattr("draws.web.fresh_proof.SECONDS", -1)
    assert client.post("/staff/do/disable/", sent).status_code == 409
    assert is_active()


def test_a_desk_asks_in_place(client: Client) -> None:
    answer = client.post(
        "/manager/do/close-session/", {"key": str(uuid4())}, headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#proof")
    assert "<html" not in answer.content.decode()


def test_whoever_has_no_factor_is_not_asked() -> None:
    client = browser_of(Evening().person(Role.HALL_MANAGER))
    assert disable(client)[0] == 302


@pytest.mark.slow
def test_the_first_factor_and_the_first_pin_ask_for_the_password_anew() -> None:
    """Whoever finds a page left open has no way in tomorrow."""
    person = Evening().person(Role.CASHIER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    client = Client()
    assert client.login(username=person.username, password=PASSWORD)
    client.get("/till/")
    since = timezone.now() - rules.FRESH - timedelta(seconds=1)
    plant(SignIn.objects.filter(person=person), since=since)
    pin = {"do": "pin", "pin": "739164", "pin_again": "739164"}
    assert 'id="pin-password"' in client.get("/account/").content.decode()
    page = client.get("/second-factor/").content.decode()
    assert 'id="app-password"' in page
    app = {"name": "Telefone", "code": code_of(secret_on(page))}
    for path, sent in (("/account/", pin), ("/second-factor/", app)):
        for typed in ({}, {"own_password": "outra-senha-99"}):
            answer = client.post(path, sent | typed)
            assert answer.status_code == 409, path
            assert b'data-code="own_password_wrong"' in answer.content
    assert not Pin.objects.filter(person=person).exists()
    assert not factors.has(person)
    assert client.post("/account/", pin | {"own_password": PASSWORD}).status_code == 302
    assert client.post("/second-factor/", app | {"own_password": PASSWORD}).status_code == 200
    assert factors.has(person)


@pytest.mark.parametrize(
    ("role", "path"),
    [
        (Role.HALL_MANAGER, "/first-steps/checkpoints/do/choose/"),
        (Role.INSPECTOR, "/inspector/halls/do/join/"),
    ],
)
def test_where_checkpoints_go_and_another_halls_account_ask_too(role: Role, path: str) -> None:
    person = Evening().person(role)
    client, secret = Client(), add_app(person)
    client.force_login(person, backend="halls.web.middleware.Backend")
    show(client, secret)
    SignIn.objects.update(proven_at=timezone.now() - timedelta(hours=1))
    answer = client.post(path, {"key": str(uuid4()), "folder": "/mnt/x", "username": "x"})
    assert (answer.status_code, bool(held_on(answer.content.decode()))) == (409, True)


@pytest.mark.parametrize("verb", VERBS)
def test_every_order_on_ones_own_sign_in_asks(client: Client, verb: str) -> None:
    answer = client.post("/account/", {"do": verb})
    assert (answer.status_code, "held_order" in answer.content.decode()) == (409, True)


def test_every_order_that_asks_is_there() -> None:
    held = [page_of(one) for one in patterns() if "<slug:verb>" in str(one.pattern)]
    known = {page.name: set(page.verbs) for page in held}
    for page, asked in FRESH.items():
        assert asked <= known[page], page
