"""Every way a claim at the table can end, as the chief, the caller, the cashier and the hall see it."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from playwright.sync_api import Browser, expect

from bingo.rules import cards
from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.claims import queries as claims_queries
from draws.games import services as games_services
from draws.models import ClaimCheck, Prize
from halls.models import JournalEntry, Role
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.claims import look
from tests.support.evening import Evening
from tests.support.people import Person, board, enter
from tests.support.refusals import refused
from tests.support.service_commands import games, prizes, sales

pytestmark = pytest.mark.browser

PLACE = "Mesa 12"


def answered(chief: Person, wall: Person, *, right: bool = False, **found: Any) -> None:
    """The chief's page and the board say the same of the card."""
    with translation.override("pt"):
        said = claims_queries.verdict(found)
    expect(chief.page.locator(".badge--ok" if right else ".badge--wrong").first).to_have_text(said)
    expect(wall.page.locator(".board__verdict")).to_have_text(said)


def missing_of(evening: Evening, card: int, balls: list[int]) -> list[int]:
    """The numbers of a card that are not out."""
    return sorted(set(evening.numbers(card)) - set(balls))


@pytest.mark.slow
@pytest.mark.rule(30)
@pytest.mark.rule(43)
@pytest.mark.rule(48)
@pytest.mark.rule(50)
def test_claim_ends_in_every_way_it_can_and_each_is_said(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    wall, caller = board(browser, running_hall), enter(browser, running_hall, "locutor")
    chief = enter(browser, running_hall, "mesa")
    expect(caller.page.locator("#uncalled")).to_be_visible()
    expect(caller.page.locator(".uncalled__cards")).to_have_count(0)
    expect(chief.page.locator("#uncalled .uncalled__cards").last).to_have_text("1")
    expect(wall.page.locator("#uncalled")).to_have_count(0)
    caller.picture("caller-uncalled")

    caller.press("b")
    expect(chief.page.locator("#card")).to_be_visible()
    for typed, refusal in (
        ("sete", Refusal("bad_input", field="card", wanted="whole")),
        ("0", Refusal("no_such_card", card=0)),
        ("1681", Refusal("no_such_card", card=1681)),
        ("0000 0000 0000 0001", Refusal("bad_code")),
    ):
        look(chief, typed)
        refused(chief, refusal)
    assert not ClaimCheck.objects.exists()

    look(chief, 500)
    answered(chief, wall, reason="not_sold")
    look(chief, cards.code_of(evening.issue(2).pk, 1))
    answered(chief, wall, reason="not_sold", why="other_issue")
    missing = missing_of(evening, 2, evening.numbers(1))
    look(chief, 2)
    answered(chief, wall, reason="numbers_missing", missing=missing)
    chief.picture("table-missing")
    look(chief, 1, fault="altered")
    answered(chief, wall, reason="not_sound", fault="altered")
    chief.picture("table-altered")
    wall.picture("board-altered")
    expect(wall.page.locator(".board__due")).to_have_count(0)

    look(chief, 1, place=PLACE)
    answered(chief, wall, reason="refused_before")
    chief.picture("table-refused-before")
    reverse(chief)
    look(chief, 1, place=PLACE)
    answered(chief, wall, right=True, reason=None)
    before = ClaimCheck.objects.filter(card=1, valid=False).latest("pk")
    expect(chief.page.locator(".notice--ok")).to_contain_text(hour(before.at, evening))
    expect(wall.page.locator(".board__due")).to_contain_text(PLACE)
    expect(chief.page.locator("#uncalled")).to_have_count(0)
    chief.picture("table-right-place")
    wall.picture("board-right-place")

    look(chief, 1)
    right = ClaimCheck.objects.get(valid=True)
    again = chief.page.locator("#live [data-code=already_right]")
    expect(again).to_contain_text(hour(right.at, evening))
    chief.picture("table-again")

    to_the_payment(evening, running_hall, browser, chief, wall)


def reverse(chief: Person) -> None:
    """Reverse the refusal of card 1, before the hall manager (R30)."""
    page = chief.page
    page.click("#refused details summary")
    page.fill("[id^=reverse-bingo-reason-]", "Era da luz")
    page.fill("[id^=reverse-bingo-witness-username-]", "chefe")
    page.fill("[id^=reverse-bingo-witness-password-]", PASSWORD)
    chief.picture("table-reverse")
    with page.expect_response("**/do/reverse-refusal/"):
        page.click("#refused button.button--danger")
    expect(page.locator(".notice--ok")).to_be_visible()
    expect(page.locator("#refused")).to_have_count(0)


def hour(moment: datetime, evening: Evening) -> str:
    """When something was, by the hall's clock."""
    return f"{moment.astimezone(ZoneInfo(evening.hall.time_zone)):%H:%M:%S}"


def to_the_payment(
    evening: Evening, running_hall: RunningHall, browser: Browser, chief: Person, wall: Person
) -> None:
    """The winner is signalled until the cashier has paid (R48)."""
    chief.press("F6")
    expect(wall.page.locator(".board__due")).to_contain_text(PLACE)
    wall.picture("board-window-place")
    chief.page.wait_for_timeout(3_100)
    chief.press("F7")
    chief.press("F8")
    expect(wall.page.locator(".board__due")).to_contain_text(PLACE)
    wall.picture("board-paying-place")
    chief.picture("table-paying-place")
    cashier = enter(browser, running_hall, "caixa1")
    expect(cashier.page.locator("#prizes-frame tbody")).to_contain_text(PLACE)
    cashier.picture("till-place")
    cashier.page.fill("#prize-card", "1")
    cashier.press("F2")
    expect(wall.page.locator(".board__due")).to_have_count(0)
    expect(chief.page.locator("#live")).not_to_contain_text(PLACE)
    assert PLACE not in str(wall.page.content())
    assert Prize.objects.filter(card=1).exists()
    wall.picture("board-paid")


@pytest.mark.slow
@pytest.mark.rule(43)
def test_card_of_an_earlier_game_and_one_written_off_are_told_apart(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
    games.void(evening, chief)
    prizes.refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **caller)
    sales.write_off(evening, evening.who(Role.HALL_MANAGER), first=8, last=9)
    sales.sell(evening, evening.who(Role.CASHIER), quantity=4)
    games_services.close_sale(game=evening.game, **caller)
    games_services.announce_draw(game=evening.game, **caller)
    evening.equip()
    draw.announce_ball(game=evening.game, number=1, **caller)
    draw.call_claim(game=evening.game, combination="line", **caller)

    wall, table = board(browser, running_hall), enter(browser, running_hall, "mesa")
    look(table, 3)
    answered(table, wall, reason="not_sold", why="earlier")
    look(table, 8)
    answered(table, wall, reason="not_sold", why="written_off")
    wall.picture("board-written-off")
    assert not ClaimCheck.objects.filter(valid=True).exists()


@pytest.mark.slow
@pytest.mark.rule(47)
def test_prize_that_closed_meanwhile_is_refused_on_a_page_left_open(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("window")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator("#combination option")).to_have_count(2)
    chief.page.route("**/table/live/", lambda route: route.abort())
    evening.reach("awarded")
    chief.page.fill("#card", "2")
    with chief.page.expect_response("**/do/check/") as came:
        chief.page.keyboard.press("F2")
    assert came.value.status == 409
    refused(chief, Refusal("prize_closed"))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_complaint_is_opened_with_one_key_and_one_line_about_what_stands(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("window")
    chief = enter(browser, running_hall, "mesa")
    chief.page.keyboard.press("F4")
    # The text has the focus; ball and card are those that stand.
    chief.page.keyboard.type("A linha não foi ouvida")
    chief.picture("table-complaint")
    with chief.page.expect_response("**/do/complain/") as came:
        chief.page.keyboard.press("Enter")
    assert came.value.status == 200
    told = JournalEntry.objects.filter(kind="complaint_opened").latest("number").data
    stands = (1, evening.game.balls.count(), 1)
    assert (told["game"], told["ball"], told["card"]) == stands
    expect(chief.page.locator("#complaints-open")).to_contain_text("A linha não foi ouvida")
