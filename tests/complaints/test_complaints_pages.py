"""Complaints on the pages: opened at the table, listed, decided by those who may, printed (R61 j)."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from bingo.rules.complaints import LONGEST
from bingo.rules.refusal import Refusal
from draws.claims import services as claims_services
from draws.complaints import services as complaints_services
from draws.games import services as games_services
from draws.models import Complaint, UnclaimedItem
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support import custody_hall
from tests.support.complaints import TEXT, decided, opened, with_complaint
from tests.support.custody_hall import Later
from tests.support.departing_players import not_fetched, pay, quiet, refunds_aside, voided
from tests.support.evening import Evening, browser_of
from tests.support.playing import refuses
from tests.support.session_ends import ended

pytestmark = [pytest.mark.django_db, pytest.mark.rule(61)]

PATH = "/complaints/"
READS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
PASSWORD = "Vim assistir 1979"


@pytest.fixture
def evening() -> Evening:
    return Evening(language="en").reach("window")


def send(client: Client, address: str, **fields: Any) -> HttpResponse:
    sent = {"key": str(uuid4())} | fields
    answer: HttpResponse = client.post(address, sent)  # type: ignore[assignment]
    return answer


def complain(evening: Evening, **fields: Any) -> HttpResponse:
    """Send the table's form as the page made it."""
    stands = {"game": 1, "ball": 15, "card": 1, "issue": evening.issue().pk, "text": TEXT}
    return send(evening.at("table"), "/table/do/complain/", **stands | fields)


def decide(client: Client, **fields: Any) -> HttpResponse:
    named = {"complaint": Complaint.objects.latest("pk").pk, "decision": "rejected", "text": "R47"}
    return send(client, f"{PATH}do/decide/", **named | fields)


def page(client: Client, path: str = PATH) -> str:
    answer: Any = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def code(answer: HttpResponse) -> str:
    assert answer.status_code == 409
    return str(answer.context["notice"]["code"])  # type: ignore[attr-defined]


@pytest.mark.slow
def test_table_offers_what_stands_and_opens_a_complaint_about_it(evening: Evening) -> None:
    shown = page(evening.at("table"), "/table/")
    assert 'data-opens="complaint-dialog" data-key="F4"' in shown
    # The draw stands still after fifteen balls, and card 1 was looked at.
    for name, value in (("ball", 15), ("card", 1)):
        field = shown.split(f'id="complaint-{name}"')[1].split("/>")[0]
        assert f'value="{value}"' in field
    assert 'value="complaint"' not in shown
    assert complain(evening).status_code == 200
    told = JournalEntry.objects.get(kind="complaint_opened").data
    assert (told["game"], told["ball"], told["card"], told["text"]) == (1, 15, 1, TEXT)
    for desk, path in (
        ("table", "/table/"),
        ("manager", "/manager/"),
        ("inspector", "/inspector/"),
    ):
        assert TEXT in page(evening.at(desk), path), desk


def test_card_of_another_issue_that_was_looked_at_is_offered_to_no_complaint() -> None:
    evening = Evening(language="en").reach("stopped")
    for issue, offered in ((evening.issue(2), ""), (evening.issue(), "1")):
        claims_services.check(
            game=evening.game, combination="bingo", issue=issue, card=1, sound=True,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip
        shown = page(evening.at("table"), "/table/")
        field = shown.split('id="complaint-card"')[1].split("/>")[0]
        assert re.findall(r'value="([0-9]*)"', field) == [offered]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"text": ""}, "text_missing"),
        ({"text": "x" * (LONGEST + 1)}, "bad_input"),
        ({"text": "\x1bp\x00"}, "bad_input"),
        ({"ball": "16"}, "ball_not_drawn"),
        ({"ball": "3; drop"}, "bad_input"),
        ({"ball": "-4"}, "ball_not_drawn"),
        ({"card": "7"}, "not_sold"),
        ({"card": "um"}, "bad_input"),
        ({"issue": "0"}, "unknown_issue"),
        ({"game": "2"}, "unknown_game"),
        ({"game": ""}, "complaint_without_game"),
    ],
)
def test_form_that_was_tampered_with_opens_nothing(
    evening: Evening, fields: dict[str, str], refused: str
) -> None:
    assert code(complain(evening, **fields)) == refused
    assert not Complaint.objects.exists()


@pytest.mark.slow
def test_markup_of_a_player_stays_text(evening: Evening) -> None:
    complain(evening, text='<script>alert("1")</script>')
    for desk, path in (("table", "/table/"), ("table", PATH), ("inspector", "/inspector/")):
        assert "<script>alert" not in page(evening.at(desk), path)


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_page_is_shown_to_those_it_concerns_and_decided_by_those_who_decide(
    evening: Evening,
) -> None:
    with_complaint(evening)
    slip = f"{PATH}1/1.pdf"
    for role in Role:
        client = browser_of(evening.person(role))
        wanted = 200 if role in READS else 403
        assert (client.get(PATH).status_code, client.get(slip).status_code) == (wanted, wanted)
        if role not in (Role.HALL_MANAGER, Role.TABLE_CHIEF):
            assert decide(client).status_code == 403
    assert [Client().get(path).status_code for path in (PATH, slip)] == [302, 302]
    assert "/do/" not in page(evening.at("inspector"))
    assert Complaint.objects.get().decision == ""
    assert decide(evening.at("table")).status_code == 302
    assert code(decide(evening.at("manager"))) == "complaint_decided"
    stranger = Evening("outra")
    assert stranger.at("manager").get(slip).status_code == 404
    assert code(decide(stranger.at("manager"))) == "unknown_complaint"
    assert TEXT not in page(stranger.at("manager"))


@pytest.mark.slow
def test_open_ones_come_first_and_decided_ones_name_their_author(evening: Evening) -> None:
    opened(evening, evening.who(Role.TABLE_CHIEF), text="Primeira")
    decided(evening, evening.who(Role.HALL_MANAGER), text="Sem razão")
    opened(evening, evening.who(Role.TABLE_CHIEF), text="Segunda")
    shown = page(evening.at("inspector"))
    assert shown.index("Segunda") < shown.index("Primeira")
    assert '<b>Rejected</b><span class="under">Sem razão</span>' in shown
    assert evening.person(Role.HALL_MANAGER).name in shown


@pytest.mark.slow
def test_what_was_typed_is_kept_when_a_decision_is_refused(evening: Evening) -> None:
    with_complaint(evening)
    assert code(decide(evening.at("table"), decision="perhaps", text="Longa razão")) == "bad_input"
    answer: Any = decide(evening.at("table"), decision="", text="Longa razão")
    assert "Longa razão" in answer.content.decode()


@pytest.mark.slow
def test_second_person_is_asked_for_where_the_hall_wants_one(evening: Evening) -> None:
    set_policy(hall=evening.hall, four_eyes=["complaint_decided"], **evening.who(Role.HALL_MANAGER))
    with_complaint(evening)
    chief = evening.person(Role.TABLE_CHIEF)
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    manager = evening.at("manager")
    assert 'name="witness_password"' in page(manager)
    assert code(decide(manager)) == "second_person_needed"
    second = {"witness_username": chief.username, "witness_password": "falsch"}
    assert code(decide(manager, **second)) == "witness_unknown"
    assert decide(manager, **second | {"witness_password": PASSWORD}).status_code == 302
    assert JournalEntry.objects.get(kind="complaint_decided").data["witness"] == chief.username


@pytest.mark.slow
def test_closing_a_session_warns_of_its_open_complaints_and_is_not_refused() -> None:
    evening = Evening(language="en").reach("window")
    warned = "1 complaint of this session is open"
    with_complaint(evening)
    assert warned not in page(evening.at("manager"), "/manager/")  # the game goes on
    custody_hall.completed(evening)
    assert warned in page(evening.at("manager"), "/manager/")
    ended(evening)
    assert warned not in page(evening.at("manager"), "/manager/")
    # Between sessions it is decided all the same, and still waits for it where it is looked after.
    assert 'id="complaints-waiting"' in page(evening.at("manager"), "/manager/")
    assert decide(evening.at("manager")).status_code == 302
    assert 'id="complaints-waiting"' not in page(evening.at("inspector"), "/inspector/")


@pytest.mark.slow
def test_slip_is_printed_at_a_till_that_has_a_printer(evening: Evening) -> None:
    till = evening.hall.tills.order_by("pk")[0].name
    with_complaint(evening)
    one = Complaint.objects.get()
    asked = {"complaint": one.pk, "till": till}
    for desk, path in (("table", "/table/do/print-complaint/"), ("table", f"{PATH}do/print/")):
        assert code(send(evening.at(desk), path, **asked)) == "no_receipt_printer"
    set_policy(
        hall=evening.hall, printers={till: "10.0.0.9:9100"}, **evening.who(Role.HALL_MANAGER)
    )
    assert f"Print at {till}" in page(evening.at("table"), "/table/")
    assert send(evening.at("table"), "/table/do/print-complaint/", **asked).status_code == 200


@pytest.mark.slow
def test_session_page_lists_its_complaints_with_how_they_stand(evening: Evening) -> None:
    opened(evening, evening.who(Role.TABLE_CHIEF))
    decided(evening, evening.who(Role.HALL_MANAGER))
    opened(evening, evening.who(Role.TABLE_CHIEF), text="<b>Outra</b>", card=None)
    for role in ("manager", "inspector"):
        shown = page(evening.at(role), "/inspector/1/")
        first, second = shown.split('id="complaint-1-')[1:]
        assert (TEXT in first, "Rejected" in first, "Revistas as imagens" in first) == (True,) * 3
        assert ("&lt;b&gt;Outra" in second, "Open" in second) == (True, True)
        assert 'href="/complaints/1/2.pdf"' in second


@pytest.mark.slow
@pytest.mark.rule(30)
@pytest.mark.rule(50)
def test_card_refused_in_an_earlier_session_is_paid_by_a_complaint_opened_where_it_is_looked_up() -> (
    None
):
    evening = quiet()
    item = not_fetched(evening, reason="altered")
    ended(evening)
    later = Later(hall=Hall.objects.get(pk=evening.hall.pk)).reach("shift")
    table = browser_of(later.person(Role.TABLE_CHIEF))
    looked_up = "/unclaimed/?card=1"
    assert "/complaints/do/open/" in table.get(looked_up).content.decode()
    assert "/complaints/do/open/" not in later.at("till").get(looked_up).content.decode()
    told = {"item": item.pk, "card": 1, "text": "O cartão está inteiro", "key": str(uuid4())}
    for _time in range(2):
        assert table.post("/complaints/do/open/", told).status_code == 302
    complaint = Complaint.objects.get()
    assert (complaint.session, complaint.game) == (later.session, item.game)
    entry = complaint.entry
    assert (entry.game, entry.data["game"]) == (None, None)
    assert (entry.data["of_session"], entry.data["of_game"]) == (1, 1)
    page = table.get("/complaints/").content.decode()
    assert re.search("sessão 1, jogada 1", page)
    assert table.get("/complaints/2/1.pdf").status_code == 200
    complaints_services.decide(
        complaint=complaint, decision="upheld", text="Marcas naturais",
        **later.who(Role.HALL_MANAGER),
    )  # fmt: skip
    pay(later, item, complaint=complaint, witness=Role.TABLE_CHIEF)
    with refuses(Refusal("nothing_owed", card=1)):
        complaints_services.open_complaint(
            session=later.session, text="Outra vez", game=item.game, issue=item.issue_id, card=1,
            **later.who(Role.TABLE_CHIEF),
        )  # fmt: skip
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(57)
def test_card_of_a_void_game_is_complained_of_though_the_one_beside_it_was_paid_later() -> None:
    evening = voided(Evening())
    refunds_aside(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    item, game = UnclaimedItem.objects.get(), evening.game
    pay(evening, item, first=2)
    ended(evening)
    later = Later(hall=Hall.objects.get(pk=evening.hall.pk)).reach("session")
    asked: dict[str, Any] = {
        "session": later.session, "text": TEXT, "game": game, "issue": item.issue_id,
        **later.who(Role.TABLE_CHIEF),
    }  # fmt: skip
    with refuses(Refusal("nothing_owed", card=2)):
        complaints_services.open_complaint(card=2, **asked)
    assert complaints_services.open_complaint(card=3, **asked).card == 3


def test_table_takes_a_complaint_about_an_earlier_game_of_the_session() -> None:
    evening = quiet()
    item = not_fetched(evening, reason="altered")
    games_services.open_game(
        session=evening.session, issue=evening.issue(2), **evening.who(Role.TABLE_CHIEF)
    )
    shown = page(evening.at("table"), "/table/")
    form = shown.split('id="complaint-dialog"')[1].split("</form>")[0]
    assert re.findall(r'<option value="([0-9]+)"', form) == [
        "2", "1", str(evening.issue(2).pk), str(evening.issue().pk),
    ]  # fmt: skip
    told = {"game": 1, "issue": item.issue_id, "card": 1, "text": TEXT, "ball": ""}
    assert send(evening.at("table"), "/table/do/complain/", **told).status_code == 200
    assert (Complaint.objects.get().game, Complaint.objects.get().card) == (item.game, 1)
