"""A fresh second factor before what cannot be undone; the order is kept meanwhile."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from draws.web.proof import FRESH
from halls.models import Person, Role, SignIn
from tests.support.addresses import page_of, patterns
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app, asking, code_of, show

pytestmark = pytest.mark.django_db


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
    client.force_login(manager, backend="halls.web.login.Backend")
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


def test_a_held_order_is_good_for_its_own_address_login_and_time(
    client: Client, manager: Person, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = held_on(disable(client)[1])
    for path in ("/staff/do/enable/", "/policy/do/set/"):
        assert client.post(path, {"held_order": held, "code": code_of(secret)}).status_code == 409
    another = Client()
    another.force_login(manager, backend="halls.web.login.Backend")
    show(another, secret)
    sent = {"held_order": held, "code": code_of(secret)}
    assert another.post("/staff/do/disable/", sent).status_code == 409
    changed = held[:-4] + ("AAAA" if held[-4:] != "AAAA" else "BBBB")
    assert client.post("/staff/do/disable/", sent | {"held_order": changed}).status_code == 409
    monkeypatch.setattr("draws.web.proof.SECONDS", -1)
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


def test_every_order_that_asks_is_there() -> None:
    held = [page_of(one) for one in patterns() if "<slug:verb>" in str(one.pattern)]
    known = {page.name: set(page.verbs) for page in held}
    for page, asked in FRESH.items():
        assert asked <= known[page], page
