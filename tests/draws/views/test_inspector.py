"""The inspector reads everything of the own hall, nothing of another, and changes nothing."""

import hashlib
import json
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from draws.models import Acta, Sale
from draws.services import actas, sales
from halls.models import Hall, JournalEntry, Role, Session
from halls.services import notes, sessions, tills
from halls.verify_journal import verify
from tests.draws.views.evening import Evening, books, browser_of, order
from tests.draws.views.test_desk import ALL

pytestmark = pytest.mark.django_db

PAGES = (
    "/inspector/", "/inspector/1/", "/inspector/1/1/", "/inspector/1/acta.pdf",
    "/inspector/1/certificate.pem", "/inspector/journal.jsonl",
)  # fmt: skip


def queries(client: Client, path: str) -> int:
    """Count the queries that showing a page takes."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def closed(evening: Evening) -> None:
    """Close an evening's session before any game."""
    cash = evening.who(Role.CASHIER)
    tills.close_shift(shift=evening.shift, counted=50_000_00, comment="", **cash)
    sessions.close_session(session=evening.session, **evening.who(Role.HALL_MANAGER))


@pytest.mark.parametrize("path", PAGES)
def test_record_is_shown_to_inspector_and_hall_manager_alone(path: str) -> None:
    evening = Evening().reach("sold")
    for role in Role:
        expected = 200 if role in (Role.INSPECTOR, Role.HALL_MANAGER) else 403
        answer = browser_of(evening.person(role)).get(path)
        unsealed = "acta.pdf" in path or "certificate" in path
        assert answer.status_code == (404 if unsealed and expected == 200 else expected), role
    stranger = Client().get(path)
    assert (stranger.status_code, stranger["Location"]) == (302, f"/login/?next={path}")


def test_inspector_changes_nothing_at_any_address() -> None:
    evening = Evening().reach("sold")
    inspector = browser_of(evening.person(Role.INSPECTOR))
    before = books(evening.hall)
    for desk, page in ALL.items():
        for verb in page.verbs:
            assert (
                order(inspector, desk, verb, quantity=1, first=7, checked="on").status_code == 403
            )
    for path in (*PAGES, "/board/sala/", "/board/sala/state.json"):
        for method in (inspector.post, inspector.put, inspector.patch, inspector.delete):
            assert method(path, {"key": str(uuid4())}).status_code in (400, 403, 405), path
    assert books(evening.hall) == before


def test_record_of_another_hall_is_not_found() -> None:
    Evening().reach("sold")
    stranger = Evening("vizinha").at("inspector")
    assert [stranger.get(path).status_code for path in PAGES[1:5]] == [404] * 4
    assert stranger.get("/inspector/").content.count(b"/inspector/1/") == 0
    exported = b"".join(stranger.get("/inspector/journal.jsonl").streaming_content)  # type: ignore[attr-defined]
    assert {json.loads(line)["hall"] for line in exported.splitlines()} == {"vizinha"}


@pytest.mark.parametrize(
    "path",
    [
        "/inspector/99/", "/inspector/1/99/", "/inspector/99999999999999999999/", "/inspector/x/",
        "/inspector/-1/", "/inspector/1/99999999999999999999/", "/inspector/%D9%A1/",
        "/inspector/99/acta.pdf", "/board/nowhere/", "/board/nowhere/state.json", "/nowhere/",
    ],
)  # fmt: skip
def test_what_there_is_not_is_a_page_that_says_so(path: str) -> None:
    evening = Evening().reach("session")
    answer = evening.at("inspector").get(path)
    assert answer.status_code == 404
    assert "<h1>" in answer.content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "kind=nonsense", "kind=ball_announced", "game=1", "game=x", "game=" + "9" * 30, "page=0",
        "page=-1", "page=x", "page=" + "9" * 30, "game=١", "kind=%00", "game=%00", "page=%00",
    ],
)  # fmt: skip
def test_session_page_bears_any_question(query: str) -> None:
    evening = Evening().reach("sold")
    assert evening.at("inspector").get(f"/inspector/1/?{query}").status_code == 200


def test_session_page_tells_kind_and_data_of_each_entry() -> None:
    evening = Evening().reach("paying")
    page = evening.at("inspector").get("/inspector/1/?kind=cards_sold").content.decode()
    assert "1-6" in page
    assert page.count("<code title=") == 1
    every = evening.at("inspector").get("/inspector/1/").content.decode()
    assert every.count("<code title=") == JournalEntry.objects.filter(session=1).count() or (
        every.count("<code title=") == JournalEntry.objects.exclude(session=None).count()
    )


@pytest.mark.rule(58)
def test_sealed_acta_and_certificate_are_given_as_they_were_sealed(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = Evening().reach("shift")
    session = evening.session
    closed(evening)
    session.refresh_from_db()
    sealed = actas.seal_acta(session=session, at=timezone.now())
    inspector = evening.at("inspector")
    given = inspector.get("/inspector/1/acta.pdf")
    assert given["Content-Type"] == "application/pdf"
    assert hashlib.sha256(given.content).hexdigest() == sealed.digest
    assert inspector.get("/inspector/1/certificate.pem").content.decode() == sealed.certificate
    assert sealed.digest in inspector.get("/inspector/1/").content.decode()
    assert Acta.objects.count() == 1


def test_journal_given_to_the_inspector_is_whole() -> None:
    evening = Evening().reach("paying")
    answer = evening.at("inspector").get("/inspector/journal.jsonl")
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    found = verify(lines)
    hall = Hall.objects.get()
    assert (found.fault, found.entries, found.digests[-1]) == (
        None,
        hall.head_number,
        hall.head_digest,
    )


def test_sessions_list_asks_the_database_no_more_for_many() -> None:
    evening = Evening().reach("shift")
    inspector = evening.at("inspector")
    one = queries(inspector, "/inspector/")
    for _again in range(5):
        closed(evening)
        evening.stage = 0
        evening.reach("shift")
    assert Session.objects.count() == 6
    assert queries(inspector, "/inspector/") == one


def test_session_and_game_pages_ask_the_database_no_more_for_many() -> None:
    evening = Evening().reach("selling")
    cashier = evening.who(Role.CASHIER)
    sales.sell(game=evening.game, shift=evening.shift, quantity=1, **cashier)
    inspector = evening.at("inspector")
    paths = ("/inspector/1/", "/inspector/1/1/", "/manager/", "/table/", "/caller/", "/till/")
    people = [inspector, inspector, *(evening.at(p.strip("/")) for p in paths[2:])]
    one = [queries(client, path) for client, path in zip(people, paths, strict=True)]
    seller = evening.person(Role.SELLER)
    for _again in range(12):
        sales.sell(game=evening.game, shift=evening.shift, quantity=1, seller=seller, **cashier)
        notes.record(
            session=evening.session, category="other", text="x", decision="",
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert Sale.objects.count() == 13
    assert [queries(client, path) for client, path in zip(people, paths, strict=True)] == one
