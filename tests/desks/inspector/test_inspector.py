"""The inspector reads everything of the own hall, nothing of another, and changes nothing."""

import hashlib
import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from draws.games import services as games_services
from draws.models import Acta, Payment, Sale
from draws.prizes import services as prizes_services
from draws.record import sealing
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import Hall, JournalEntry, Role, Session
from halls.policy.services import set_policy
from halls.verify_journal import verify
from tests.support.desk import ALL
from tests.support.evening import FACE, Evening, books, browser_of, order
from tests.support.played_games import both_halves
from tests.support.service_commands.games import add_issue, double_cards, several_prices, void
from tests.support.service_commands.sales import sell, seller, write_off

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
    evening.close()


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_session_page_tells_kind_and_data_of_each_entry() -> None:
    evening = Evening().reach("paying")
    page = evening.at("inspector").get("/inspector/1/?kind=cards_sold").content.decode()
    assert "1–6" in page
    assert page.count("<code title=") == 1
    every = evening.at("inspector").get("/inspector/1/").content.decode()
    assert every.count("<code title=") == JournalEntry.objects.filter(session=1).count() or (
        every.count("<code title=") == JournalEntry.objects.exclude(session=None).count()
    )


@pytest.mark.slow
@pytest.mark.rule(58)
def test_sealed_acta_and_certificate_are_given_as_they_were_sealed(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.KEYS_DIR = tmp_path
    evening = Evening().reach("shift")
    session = evening.session
    closed(evening)
    session.refresh_from_db()
    sealed = sealing.seal_acta(session=session, at=timezone.now())
    inspector = evening.at("inspector")
    given = inspector.get("/inspector/1/acta.pdf")
    assert given["Content-Type"] == "application/pdf"
    assert hashlib.sha256(given.content).hexdigest() == sealed.digest
    assert inspector.get("/inspector/1/certificate.pem").content.decode() == sealed.certificate
    assert sealed.digest in inspector.get("/inspector/1/").content.decode()
    assert Acta.objects.count() == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_sessions_list_asks_the_database_no_more_for_many() -> None:
    evening = Evening().reach("shift")
    inspector = evening.at("inspector")
    inspector.get("/inspector/")  # the first look of all has none before it
    one = queries(inspector, "/inspector/")
    for _again in range(5):
        closed(evening)
        evening.stage = 0
        evening.reach("shift")
    assert Session.objects.count() == 6
    assert queries(inspector, "/inspector/") == one


@pytest.mark.slow
def test_session_and_game_pages_ask_the_database_no_more_for_many() -> None:
    evening = Evening().reach("selling")
    cashier, seller = evening.who(Role.CASHIER), evening.person(Role.SELLER)
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=1, seller=seller, **cashier
    )
    inspector = evening.at("inspector")
    paths = ("/inspector/1/", "/inspector/1/1/", "/manager/", "/table/", "/caller/", "/till/")
    people = [inspector, inspector, *(evening.at(p.strip("/")) for p in paths[2:])]
    inspector.get("/inspector/")  # the first look of all has none before it
    one = [queries(client, path) for client, path in zip(people, paths, strict=True)]
    for _again in range(12):
        sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=1, seller=seller, **cashier
        )
        sessions.record_note(
            session=evening.session, category="other", text="x", decision="",
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert Sale.objects.count() == 13
    assert [queries(client, path) for client, path in zip(people, paths, strict=True)] == one


def game_page(evening: Evening, number: int = 1) -> str:
    """Return the inspector's page of a game, blanks as one."""
    content = evening.at("inspector").get(f"/inspector/1/{number}/").content.decode()
    return re.sub(r"[\s\xa0\u202f]+", " ", content)


@pytest.mark.slow
@pytest.mark.rule(61)
def test_game_page_shows_each_issue_with_its_price() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(Role.TABLE_CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, evening.who(Role.CASHIER), quantity=2, face=300_00)
    sell(evening, evening.who(Role.CASHIER), quantity=1, face=FACE)
    shown = game_page(evening)
    for issue, cards, price in (("A sala-1", "1", "200,00"), ("L z-1", "1–2", "300,00")):
        assert re.search(
            rf'{issue}</th> <td>{cards}</td> <td class="is-number">\d</td> '
            rf'<td class="is-number">{price} CVE</td>',
            shown,
        ), issue
    assert "800,00 CVE" in shown


@pytest.mark.rule(36)
def test_game_page_shows_written_off_cards_sellers_and_second_persons() -> None:
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, four_eyes=["cards_written_off"], **manager)
    evening.reach("sold")
    cashier, chief = evening.who(Role.CASHIER), evening.person(Role.TABLE_CHIEF)
    write_off(evening, cashier | {"witness": chief})
    sell(evening, cashier, seller=seller(evening))
    shown = game_page(evening)
    assert "8–9" in shown
    assert "Molhados" in shown
    assert seller(evening).name in shown
    assert shown.count(chief.name) == 2  # beside the cards, and among what two persons did


@pytest.mark.rule(15)
@pytest.mark.rule(45)
@pytest.mark.slow
def test_game_pages_of_double_cards_lead_to_each_other() -> None:
    evening = both_halves()
    first, second = game_page(evening), game_page(evening, 2)
    assert 'href="/inspector/1/2/"' in first
    assert 'href="/inspector/1/1/"' in second
    amount = Payment.objects.get().amount
    assert Payment.objects.get().game.number == 2
    paid = f"{amount // 100:,}".replace(",", " ")
    assert paid in first
    assert paid in second


@pytest.mark.slow
@pytest.mark.rule(57)
def test_void_first_game_of_double_cards_was_collected_and_given_back_whole() -> None:
    evening = Evening()
    issue = double_cards(evening)
    evening.reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    prizes_services.refund(
        game=evening.game, issue=issue, first=1, last=6, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    # Collected, sold, given back in all and at its till.
    assert game_page(evening).count("2 400,00 CVE") == 4
    session = evening.at("inspector").get("/inspector/").content.decode()
    assert "2 400,00" in re.sub(r"[\s\xa0\u202f]+", " ", session)
