"""The login: it lets the right in, says no in words, and closes to whoever guesses."""

import pytest
from django.http import HttpResponse
from django.test import Client

from halls.models import Person
from tests.support.evening import Evening
from tests.support.planting_rows import plant_row

pytestmark = pytest.mark.django_db

PASSWORD = "janela-verde-2468"


@pytest.fixture
def cashier() -> Person:
    """A cashier with a password."""
    person = Evening().hall.people.get(username="sala-cashier-1")
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return person


def log_in(client: Client, username: str, password: str) -> HttpResponse:
    """Send the login form."""
    sent = {"username": username, "password": password, "next": ""}
    answer: HttpResponse = client.post("/login/", sent)  # type: ignore[assignment]
    return answer


def test_right_password_opens_the_persons_page(cashier: Person) -> None:
    client = Client()
    answer = log_in(client, cashier.username, PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.get("/till/").status_code == 200
    assert client.post("/logout/").status_code == 302
    assert client.get("/till/").status_code == 302


@pytest.mark.parametrize("name", ["sala-cashier-1", "nobody", "sala-cashier-1\x00", "x" * 255, ""])
def test_wrong_name_or_password_is_refused_alike(name: str, cashier: Person) -> None:
    answer = log_in(Client(), name, "wrong")
    assert answer.status_code == 200
    assert 'name="password"' in answer.content.decode()


def test_login_leads_to_no_other_place(cashier: Person) -> None:
    sent = {"username": cashier.username, "password": PASSWORD, "next": "https://example.org/"}
    assert Client().post("/login/", sent)["Location"] == "/"


def test_somebody_inactive_is_not_let_in(cashier: Person) -> None:
    cashier.is_active = False
    plant_row(cashier, "is_active")
    assert log_in(Client(), cashier.username, PASSWORD).status_code == 200


@pytest.mark.slow
def test_guessing_closes_the_login_for_that_name_alone(cashier: Person) -> None:
    client = Client()
    statuses = [log_in(client, cashier.username, f"guess {n}").status_code for n in range(6)]
    assert statuses == [200] * 5 + [429]
    locked = log_in(client, cashier.username, PASSWORD)
    assert locked.status_code == 429
    assert "<h1>" in locked.content.decode()
    other = Person.objects.get(username="sala-cashier-2")
    other.set_password(PASSWORD)
    other.save(update_fields=["password"])
    assert log_in(client, other.username, PASSWORD).status_code == 302
