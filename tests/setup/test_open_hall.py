"""manage.py open_hall: asks nothing that an option says, and refuses in a sentence that says what to do."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from bingo.pdf import keys
from halls import setup
from halls.models import Hall, JournalEntry
from tests.support.opening_halls import MANAGER, PASSWORD, open_one

pytestmark = pytest.mark.django_db

OPTIONS = {
    "code": "sala-mindelo",
    "name": "Sala Mindelo",
    "licence": "12/2026",
    "language": "pt",
    "currency": "CVE",
    "time_zone": "Atlantic/Cape_Verde",
    "rulebook": "cape-verde-2017",
    "manager": MANAGER,
    "manager_name": "Maria Lima",
}


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders and a password of the test's own."""
    settings.DATA_DIR, settings.KEYS_DIR = tmp_path, tmp_path / "keys"
    monkeypatch.setenv("BINGO_MANAGER_PASSWORD", PASSWORD)
    return tmp_path


def run(**changed: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("open_hall", **{**OPTIONS, **changed}, json=True, stdout=out, stderr=StringIO())
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def refusal(**changed: Any) -> str:
    with pytest.raises(CommandError) as refused:
        run(**changed)
    assert not Hall.objects.filter(code="sala-mindelo").exists()
    return str(refused.value)


def test_hall_is_opened_with_what_the_options_say(folder: Path) -> None:
    setup.give()
    assert run(tills=2) == {"hall": "sala-mindelo", "manager": MANAGER, "warnings": []}
    hall = Hall.objects.get()
    assert (hall.name, hall.tills.count()) == ("Sala Mindelo", 2)
    assert hall.people.get().check_password(PASSWORD)
    assert JournalEntry.objects.get().kind == "hall_opened"
    assert keys.load(folder / "keys" / "sala-mindelo")
    # The page /first/ needs its word no more.
    assert not list(folder.rglob("setup_word*"))


def test_what_follows_from_the_rule_book_need_not_be_said() -> None:
    run(rulebook="spain-1979", currency=None, time_zone=None, language="es")
    hall = Hall.objects.get()
    assert (hall.currency, hall.time_zone) == ("EUR", "Europe/Madrid")


def test_unusual_currency_is_only_warned_of() -> None:
    assert "CVE" in run(currency="EUR")["warnings"][0]
    assert Hall.objects.get().currency == "EUR"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rulebook": "spain-2079"}, "choose one"),
        ({"language": "fr"}, "choose one of pt, es, gl, ca, en"),
        ({"time_zone": "Mindelo"}, "type one such as Atlantic/Cape_Verde"),
        ({"currency": "ESC"}, "type three letters"),
        ({"code": "Sala Mindelo"}, "small letters"),
        ({"licence": ""}, "licence"),
        ({"name": None}, "give --name"),
        ({"language": None}, "give --language"),
        ({"tills": 0}, "1 to 20"),
        ({"tills": -5}, "1 to 20"),
        ({"tills": 10**9}, "1 to 20"),
        ({"manager": "Maria"}, "small letters"),
    ],
)
def test_bad_option_is_refused_in_a_sentence_that_says_what_to_do(
    changed: dict[str, Any], said: str
) -> None:
    assert said in refusal(**changed)


def test_code_that_is_taken_is_refused_and_another_hall_is_not() -> None:
    open_one()
    with pytest.raises(CommandError, match="type another code"):
        run(manager="outra.pessoa")
    run(code="outra", manager="outra.pessoa")
    assert Hall.objects.count() == 2


def test_weak_password_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BINGO_MANAGER_PASSWORD", "12345678")
    assert "too easy" in refusal()


def test_password_is_asked_for_at_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BINGO_MANAGER_PASSWORD")
    assert "BINGO_MANAGER_PASSWORD" in refusal()
