"""How long things are kept, as manager and inspector read it, and as the manager sets it."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone, translation

from draws.custody import services as custody_services
from draws.retention.services import remove
from halls.models import Hall, JournalEntry, Removal, Retention, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, browser_of
from tests.support.filmed_balls import camera_of
from tests.support.removing import after, lived
from tests.support.session_closing import closed, drawn

pytestmark = pytest.mark.django_db

PATH = "/policy/retention/"
PASSWORD = "Vim assistir 1979"
HUGE = "9" * 20
NOT_TEXT = (None, "1\x00", "x" * 10_000)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Iterator[Path]:
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    with translation.override("pt"):
        yield tmp_path


def form(**changed: str | None) -> dict[str, str]:
    """Return the fields of a good form; None leaves one out."""
    fields: dict[str, str | None] = {
        "pictures": "30", "looks": "365", "prints": "7", "stills": "0", "admissions": "0",
        "valid_from": (timezone.now() + timedelta(days=2)).date().isoformat(),
    }  # fmt: skip
    return {name: value for name, value in (fields | changed).items() if value is not None}


def send(client: Client, fields: dict[str, str]) -> HttpResponse:
    answer: HttpResponse = client.post(  # type: ignore[assignment]
        f"{PATH}do/set/", {"key": str(uuid4())} | fields
    )
    return answer


def shown(answer: Any) -> str:
    page = html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
    return re.sub(r"\s+", " ", page)


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_page_is_shown_to_manager_and_inspector_and_set_by_the_manager_alone() -> None:
    evening = Evening()
    for role in Role:
        reads = role in (Role.HALL_MANAGER, Role.INSPECTOR)
        client = browser_of(evening.person(role))
        assert client.get(PATH).status_code == (200 if reads else 403), role
        assert client.get(f"{PATH}1.txt").status_code == (404 if reads else 403), role
        orders = role == Role.HALL_MANAGER
        assert send(client, form()).status_code == (302 if orders else 403), role
    assert Retention.objects.count() == 1
    assert "/do/set/" not in evening.at("inspector").get(PATH).content.decode()


def test_days_are_set_as_they_were_typed_and_told() -> None:
    evening = Evening()
    fields = form()
    assert send(evening.at("manager"), fields).status_code == 302
    days = {"pictures": 30, "looks": 365, "prints": 7, "stills": 0, "admissions": 0}
    told = {"valid_from": fields["valid_from"], "days": days}
    assert JournalEntry.objects.get(kind="retention_set").data == told
    assert fields["valid_from"] in shown(evening.at("inspector").get(PATH))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("pictures", (*NOT_TEXT, "", "7", "3651", "30,5", "-1", HUGE)),
        ("looks", (*NOT_TEXT, "", "89", "3651", HUGE)),
        ("prints", (*NOT_TEXT, "-1", "3651")),
        ("stills", (*NOT_TEXT, "3651")),
        ("valid_from", (*NOT_TEXT, "", "2001-01-01", "2026-13-01", "22/11/2026", HUGE)),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_is_refused_and_kept_in_its_field(
    name: str, values: tuple[str | None, ...]
) -> None:
    manager = Evening().at("manager")
    for value in values:
        answer = send(manager, form(**{name: value}))
        assert answer.status_code == 409, value
        assert 'id="retention-form"' in answer.content.decode()
    assert not Retention.objects.exists()


@pytest.mark.slow
def test_second_person_is_asked_for_where_the_hall_wants_one() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["retention_set"], **evening.who(Role.HALL_MANAGER))
    manager, chief = evening.at("manager"), evening.person(Role.TABLE_CHIEF)
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    assert "witness_password" in manager.get(PATH).content.decode()
    assert send(manager, form()).status_code == 409
    named = {"witness_username": chief.username, "witness_password": "wrong"}
    assert send(manager, form(**named)).status_code == 409
    named["witness_password"] = PASSWORD
    assert send(manager, form(**named)).status_code == 302
    assert JournalEntry.objects.get(kind="retention_set").data["witness"] == chief.username


@pytest.mark.slow
def test_page_tells_what_is_kept_back_and_why_and_what_was_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, source="camera", automatic=900, picture_days=30, **manager)
    camera_of(evening)
    drawn(evening, 17, 44)
    first = closed(evening)
    lived(evening, 3)
    custody_services.open_case(game=first.games.get(), reference="7/2026", reason="x", **manager)
    drawn(evening, 5)
    closed(evening)
    lived(evening, 34)
    later = after(40)
    with monkeypatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: later)
        page = shown(browser_of(evening.person(Role.INSPECTOR)).get(PATH))
    assert re.search(r": 2 , [^·]*1", page), page
    row = remove(hall=Hall.objects.get(), at=later)
    assert row is not None
    inspector = evening.at("inspector")
    assert row.entry.data["list"] in shown(inspector.get(PATH))
    sent = inspector.get(f"{PATH}{row.number}.txt").content
    assert hashlib.sha256(sent).hexdigest() == row.entry.data["list"]
    assert Evening("outra").at("inspector").get(f"{PATH}1.txt").status_code == 404
    assert Removal.objects.get().finished_at is not None
