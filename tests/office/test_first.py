"""The page of a server without a hall: only the word of its terminal opens it, and once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from bingo.pdf import keys
from bingo.rules.policies import STRICT
from draws.record.audit import audit
from halls import setup
from halls.models import Hall, JournalEntry, Person
from halls.policy import queries as policy_queries
from tests.support.factors import add_by_page
from tests.support.opening_halls import MANAGER, PASSWORD, open_one

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Sala Mindelo",
    "licence": "12/2026",
    "code": "sala-mindelo",
    "tills": "3",
    "rulebook": "cape-verde-2017",
    "currency": "CVE",
    "time_zone": "Atlantic/Cape_Verde",
    "language": "pt",
    "manager_name": "Maria Lima",
    "manager": MANAGER,
    "password": PASSWORD,
    "password_again": PASSWORD,
}


@pytest.fixture(autouse=True)
def data(settings: LazySettings, tmp_path: Path) -> Path:
    """Folders of the test's own."""
    settings.DATA_DIR, settings.KEYS_DIR = tmp_path, tmp_path / "keys"
    return tmp_path


def send(word: str, **changed: str) -> Any:
    return Client().post("/first/", {**FORM, "word": word, **changed})


@pytest.mark.slow
def test_server_without_a_hall_leads_to_the_page_and_its_word_opens_it(data: Path) -> None:
    word = setup.give()
    client = Client()
    assert client.get("/")["Location"] == "/first/"
    assert "Traceback" not in client.get("/first/").content.decode()
    answer = client.post("/first/", {**FORM, "word": word})
    assert (answer.status_code, answer["Location"]) == (302, "/first-steps/")
    hall = Hall.objects.get()
    assert (hall.code, hall.tills.count()) == ("sala-mindelo", 3)
    # Who opened it is in, and the key of its seal is made.
    add_by_page(client)
    page = client.get("/first-steps/").content.decode()
    assert "Sala Mindelo" in page
    assert keys.load(data / "keys" / "sala-mindelo")
    assert Client().get("/")["Location"] == "/login/?next=/"


@pytest.mark.slow
@pytest.mark.parametrize(("chosen", "kinds"), [({}, STRICT), ({"four_eyes": "one"}, ())])
def test_new_hall_begins_with_two_persons_unless_one_is_chosen(
    chosen: dict[str, str], kinds: tuple[str, ...]
) -> None:
    page = Client().get("/first/").content.decode()
    assert 'value="two" checked' in " ".join(page.split())
    assert send(setup.give(), **chosen).status_code == 302
    hall = Hall.objects.get()
    assert policy_queries.in_force(hall, timezone.now()).four_eyes == kinds
    assert JournalEntry.objects.get(number=1).data["policy"]["four_eyes"] == list(kinds)
    # Nothing of the rules is set by it: that stays a step of the first ones.
    assert not hall.policies.exists()
    assert audit(hall) == []


def test_wrong_word_opens_nothing_and_tells_nothing() -> None:
    setup.give()
    answer = send("0000", rulebook="nowhere")
    assert answer.status_code == 409
    assert 'data-code="setup_word_wrong"' in answer.content.decode()
    assert PASSWORD not in answer.content.decode()
    assert not Hall.objects.exists()


def test_currency_and_time_zone_come_from_the_rule_book_where_nothing_is_typed() -> None:
    word = setup.give()
    sent = send(word, rulebook="spain-1979", currency="", time_zone="", language="es")
    assert sent.status_code == 302
    hall = Hall.objects.get()
    assert (hall.currency, hall.time_zone) == ("EUR", "Europe/Madrid")


def test_word_is_good_once() -> None:
    word = setup.give()
    assert send(word).status_code == 302
    again = send(word, code="outra", manager="outra.pessoa")
    assert (again.status_code, again["Location"]) == (302, "/")
    assert Hall.objects.count() == 1
    # Not even where the hall were gone.
    assert not (setup._file()).exists()


def test_page_is_closed_where_there_is_a_hall_whatever_word_is_known() -> None:
    open_one()
    word = setup.give()
    assert Client().get("/first/")["Location"] == "/"
    send(word, code="outra", manager="outra.pessoa")
    assert Hall.objects.count() == 1


def test_page_is_open_beside_a_hall_that_only_played_a_session() -> None:
    open_one(code="demo-1", reserved="")
    client = Client()
    assert client.get("/")["Location"] == "/first/"
    assert client.get("/first/").status_code == 200
    assert send(setup.give(), manager="outra.pessoa")["Location"] == "/first-steps/"
    assert Client().get("/")["Location"] == "/login/?next=/"
    assert Client().get("/first/")["Location"] == "/"


def test_guessing_closes_the_page_for_a_while() -> None:
    word = setup.give()
    for _n in range(5):
        send("x")
    assert 'data-code="setup_word_locked"' in send(word).content.decode()
    assert not Hall.objects.exists()


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"password_again": "outra"}, "passwords_differ"),
        ({"password": "12345678", "password_again": "12345678"}, "password_weak"),
        ({"password": "xx-Lima-2026", "password_again": "xx-Lima-2026"}, "password_weak"),
        ({"password": "2026-MARIA-xx", "password_again": "2026-MARIA-xx"}, "password_weak"),
        ({"tills": "0"}, "bad_tills"),
        ({"tills": "21"}, "bad_tills"),
        ({"tills": "-1"}, "bad_tills"),
        ({"tills": "١"}, "bad_tills"),
        ({"tills": "9" * 5000}, "bad_tills"),
        ({"language": "../pt"}, "unknown_language"),
        ({"rulebook": "<script>"}, "unknown_rulebook"),
        ({"name": "x" * 100_000}, "bad_hall_name"),
        ({"code": "'; DROP TABLE"}, "bad_hall_code"),
        ({"manager": "\x00"}, "bad_username"),
        ({"time_zone": "Nowhere/Sea"}, "unknown_time_zone"),
        ({"currency": "EURO"}, "unknown_currency"),
    ],
)
def test_bad_field_is_refused_with_what_was_typed_kept(changed: dict[str, str], code: str) -> None:
    word = setup.give()
    answer = send(word, **changed)
    page = answer.content.decode()
    assert (answer.status_code, f'data-code="{code}"' in page) == (409, True)
    assert "<script>" not in page.replace("<script src", "")
    assert word not in page
    assert not Hall.objects.exists()
    assert not Person.objects.exists()
    # The word is still good.
    assert send(word).status_code == 302


def test_unusual_currency_is_told_and_taken() -> None:
    client = Client()
    client.post("/first/", {**FORM, "word": setup.give(), "currency": "EUR"})
    assert Hall.objects.get().currency == "EUR"
    page = client.get("/first-steps/", follow=True).content.decode()
    assert "CVE" in page
