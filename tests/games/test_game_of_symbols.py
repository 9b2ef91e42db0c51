"""A game whose cards bear symbols is called, keyed, shown, told and printed by them (R80)."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.stock import IssueState
from draws.balls import draw
from draws.boards.queries import board, still
from draws.cards import labels, stock
from draws.claims import services as claims_services
from draws.complaints import services as complaints_services
from draws.games import services as games_services
from draws.models import Ball, Issue
from draws.record import journal_text
from draws.record.acta import game_queries
from draws.record.audit import audit
from draws.record.audit.cards import put_on_sale
from draws.record.audit.expected_rows import Books
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import (
    BACK_COLOUR,
    FACE,
    FACE_COLOUR,
    SIZE,
    STAGES,
    Evening,
    browser_of,
    order,
)
from tests.support.planting_rows import plant_row

pytestmark = pytest.mark.django_db


class OfSymbols(Evening):
    """An evening of 30 whose issue bears symbols; the hall has two of numbers besides."""

    def issue(self, number: int = 1) -> Issue:
        """Return the issue of symbols, or the hall's second one, of numbers."""
        found = self.hall.issues.select_related("series")
        return found.get(symbols=True) if number == 1 else super().issue(number)


def of_symbols(stage: str = "none") -> Evening:
    """Receive an issue of symbols, and play with it up to a stage."""
    evening = OfSymbols(format=30)
    stock.receive(
        hall=evening.hall, series=evening.issue(2).series, identification="simbolos", face=FACE,
        face_colour=FACE_COLOUR, back_colour=BACK_COLOUR, counted=SIZE, symbols=True,
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    return evening.reach(stage)


def drawing() -> Evening:
    """The same with its draw announced and no ball out."""
    evening = of_symbols("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def key(evening: Evening, typed: str, *, count: int = 1) -> Any:
    """Key a ball on the caller's page."""
    return order(evening.at("caller"), "caller", "ball", number=typed, order=count)


@pytest.mark.rule(80)
@pytest.mark.parametrize("typed", ["Cobra", "cob", " COBRA ", "16"])
@pytest.mark.slow
def test_ball_is_keyed_by_its_symbol(typed: str) -> None:
    evening = drawing()
    answer = key(evening, typed)
    assert answer.status_code == 200
    assert "Bola Cobra (16)" in answer.content.decode()
    assert Ball.objects.get().number == 16
    entry = JournalEntry.objects.get(kind="ball_announced")
    assert entry.data["symbol"] == "snake"
    assert journal_text.describe_entry(entry).startswith("Cobra (16)")


@pytest.mark.slow
@pytest.mark.rule(80)
def test_complaint_about_a_ball_of_symbols_is_one_of_a_game_of_symbols() -> None:
    evening = drawing()
    key(evening, "cobra")
    made = complaints_services.open_complaint(
        session=evening.session, text="x", game=evening.game, ball=1,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    values = complaints_services.get_complaint_slip(made)
    assert (values.number, values.of_symbols) == (16, True)


@pytest.mark.rule(80)
@pytest.mark.parametrize(
    ("typed", "code", "told"),
    [
        ("ca", "symbol_ambiguous", "Caracol, Caranguejo, Casa, Cadeira"),
        ("dragão", "symbol_unknown", "dragão"),
        ("", "symbol_unknown", ""),
        ("31", "ball_out_of_range", "31"),
        ("x" * 61, "bad_input", ""),
    ],
)
@pytest.mark.slow
def test_what_is_no_symbol_announces_nothing_and_says_what_to_do(
    typed: str, code: str, told: str
) -> None:
    evening = drawing()
    answer = key(evening, typed)
    assert answer.status_code == 409
    assert answer.context["notice"]["code"] == code
    assert told in answer.context["notice"]["text"]
    assert not Ball.objects.exists()


@pytest.mark.rule(80)
@pytest.mark.slow
def test_symbol_keyed_twice_is_refused_by_its_name() -> None:
    evening = drawing()
    assert key(evening, "cobra").status_code == 200
    answer = key(evening, "16", count=2)
    assert answer.context["notice"]["text"] == "Cobra já saiu: olhe outra vez para a bola."
    assert Ball.objects.count() == 1


@pytest.mark.rule(80)
@pytest.mark.slow
def test_name_of_a_symbol_keys_nothing_in_a_game_of_numbers() -> None:
    evening = Evening(format=30).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    answer = key(evening, "Cobra")
    assert (answer.status_code, answer.context["notice"]["code"]) == (409, "bad_input")
    page = evening.at("caller").get("/caller/").content.decode()
    assert "data-fills" not in page
    assert board("sala")[1]["symbols"] is None


@pytest.mark.rule(80)
@pytest.mark.slow
def test_caller_picks_from_a_grid_of_what_is_not_out() -> None:
    evening = drawing()
    key(evening, "cobra")
    page = evening.at("caller").get("/caller/").content.decode()
    offered = re.findall(r'data-fills="([^"]+)"', page)
    assert len(offered) == 29
    assert "Cobra" not in offered
    assert '<option value="Caranguejo">' in page


@pytest.mark.rule(80)
@pytest.mark.slow
@pytest.mark.parametrize("desk", ["seller", "floor_assistant"])
def test_floor_sees_the_symbol_of_the_last_ball(desk: str) -> None:
    evening = drawing()
    key(evening, "cobra")
    address = "/seller/" if desk == "seller" else "/assistant/"
    page = browser_of(evening.person(Role(desk))).get(address).content.decode()
    shown = page.partition('class="ball ball--last"')[2].partition("</section>")[0]
    assert 'class="symbol"' in shown
    assert ">Cobra</p>" in shown


@pytest.mark.rule(80)
@pytest.mark.slow
def test_board_has_the_names_in_the_hall_s_language() -> None:
    evening = drawing()
    key(evening, "cobra")
    assert board("sala")[1]["symbols"][15] == "Cobra"
    evening.hall.language = "es"
    plant_row(evening.hall, "language")
    assert board("sala")[1]["symbols"][15] == "Serpiente"
    assert still(evening.hall)["symbols"] is None


@pytest.mark.rule(31)
@pytest.mark.rule(80)
@pytest.mark.slow
def test_voice_says_the_symbol_and_not_its_number() -> None:
    evening = drawing()
    key(evening, "cobra")
    said = evening.at("caller").get("/caller/").context["said"]
    assert said["balls"] == "symbol_snake"


@pytest.mark.rule(43)
@pytest.mark.rule(80)
@pytest.mark.slow
def test_wrong_card_lacks_symbols_by_their_names() -> None:
    evening = drawing()
    numbers = evening.numbers()
    for number in numbers[1:]:
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    lacking = board("sala")[1]["symbols"][numbers[0] - 1]
    assert board("sala")[1]["check"]["text"] == f"Errado: falta 1 símbolo: {lacking}"
    page = evening.at("table").get("/table/").content.decode()
    assert f"<title>{lacking}</title>" in re.sub(r"\s*\n\s*", "", page)


@pytest.mark.rule(57)
@pytest.mark.rule(80)
@pytest.mark.slow
def test_ball_is_recalled_by_its_symbol() -> None:
    evening = drawing()
    draw.announce_ball(game=evening.game, number=1, **evening.who(Role.CALLER))
    recalled: Any = order(evening.at("caller"), "caller", "recall", number=1)
    assert "Sol (1)" in recalled.context["notice"]["title"]
    assert "Sol (1)" in board("sala")[1]["recalled"]


@pytest.mark.slow
@pytest.mark.rule(80)
def test_issue_with_numbers_joins_no_game_of_symbols() -> None:
    evening = of_symbols("prepared")
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    with pytest.raises(Refusal) as refused:
        games_services.open_second_issue(
            game=evening.game, issue=evening.issue(2), **evening.who(Role.TABLE_CHIEF)
        )
    assert refused.value.code == "symbols_and_numbers"


@pytest.mark.rule(80)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_names_the_symbol_of_each_ball_and_the_audit_follows() -> None:
    evening = drawing()
    key(evening, "cobra")
    key(evening, "gir", count=2)
    balls = game_queries.balls(evening.game, ZoneInfo("Atlantic/Cape_Verde"))
    assert [(one.number, one.symbol) for one in balls] == [(16, "Cobra"), (19, "Girafa")]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(80)
def test_audit_finds_a_game_of_numbers_that_is_said_to_be_of_symbols() -> None:
    told = {
        "issue": 1, "letter": "A", "identification": "1", "size": 90, "last_sold": 0, "retired": [],
    }  # fmt: skip
    books = Books(issues={1: IssueState("A", "1", 90)})
    put_on_sale(books, told, kind="game_opened")
    with pytest.raises(Refusal) as refused:
        put_on_sale(books, told | {"symbols": True}, kind="game_opened")
    assert refused.value.code == "fact_disagrees"
    of_symbols = Books(issues={1: IssueState("A", "1", 90, symbols=True)})
    put_on_sale(of_symbols, told | {"symbols": True}, kind="game_opened")
    # Games of before said nothing of it.
    put_on_sale(of_symbols, told, kind="game_opened")


@pytest.mark.rule(80)
@pytest.mark.slow
def test_replay_shows_the_symbols_and_what_wins() -> None:
    evening = drawing()
    key(evening, "cobra")
    page = evening.at("inspector").get("/inspector/1/1/replay/")
    played = page.context["played"]
    assert played["symbols"][15] == "Cobra"
    assert [step["told"] for step in played["steps"] if "ball" in step] == [
        journal_text.describe_entry(JournalEntry.objects.get(kind="ball_announced"))
    ]
    text = page.content.decode()
    assert 'id="symbol-16"' in text
    assert "qualquer linha horizontal do cartão" in text


@pytest.mark.rule(43)
@pytest.mark.parametrize(("played", "checked"), [(1, 2), (2, 1), (1, 1)])
def test_board_shows_a_called_card_by_what_is_printed_on_it(played: int, checked: int) -> None:
    evening = of_symbols("shift")
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.open_game(session=evening.session, issue=evening.issue(played), **chief)
    evening.stage = STAGES.index("prepared")
    evening.reach("stopped")
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(checked), card=5, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    shown = board("sala")[1]
    named = {True: labels.all_names(language="pt"), False: None}
    assert (shown["symbols"], shown["check"]["symbols"]) == (
        named[played == 1],
        named[checked == 1],
    )
