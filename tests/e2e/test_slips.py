"""Slips of the hand at the moments that cost money, worked by keys at their desks."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from draws.models import Game, Sale
from halls.models import CashMovement, JournalEntry
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import Person, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DOUBLE_PRESS_MS = 600  # a key pressed twice at once is no answer


def sold(cashier: Person) -> None:
    """Send what stands in the form, and wait for its answer."""
    with cashier.page.expect_response("**/till/sell/"):
        cashier.page.keyboard.press("F2")


@pytest.mark.rule(36)
@pytest.mark.rule(41)
def test_mistyped_sale_is_asked_about_and_taken_back_by_keys(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("sold")
    cashier = enter(browser, running_hall, "caixa1")
    before = sum(CashMovement.objects.values_list("amount", flat=True))
    cashier.page.fill("#quantity", "166")
    sold(cashier)
    asked = cashier.page.locator("#sold [data-code=quantity_unusual]")
    expect(asked).to_be_visible()
    assert Sale.objects.count() == 1
    cashier.page.wait_for_timeout(DOUBLE_PRESS_MS)
    with cashier.page.expect_response("**/till/sell/"):
        cashier.page.keyboard.press("F9")
    expect(cashier.page.locator("#sold .sold__cards")).to_contain_text("7–172")

    cashier.page.keyboard.press("F10")
    expect(cashier.page.locator("#take-back-dialog")).to_be_visible()
    cashier.picture("till-take-back")
    with cashier.page.expect_response("**/do/take-back/") as answer:
        cashier.page.keyboard.press("F10")
    assert answer.value.status == 200
    expect(cashier.page.locator(".notice--ok")).to_contain_text("7–172")
    expect(cashier.page.locator("#sold")).to_be_empty()
    assert sum(CashMovement.objects.values_list("amount", flat=True)) == before
    expect(cashier.page.locator(".sale__next")).to_have_text("7")


@pytest.mark.rule(43)
def test_called_bingo_is_not_talked_over_by_one_key(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("stopped")
    chief, caller = enter(browser, running_hall, "mesa"), enter(browser, running_hall, "locutor")
    expect(chief.page.locator(".next-step__title")).to_contain_text("Bingo")
    expect(chief.page.locator("[data-key=F8]")).to_have_count(0)
    chief.page.keyboard.press("F8")
    chief.page.keyboard.press("Enter")
    assert Game.objects.get().phase == "stopped"

    chief.page.click("[data-opens=withdraw-dialog]")
    chief.page.fill("#withdraw-reason", "Um jogador espreguiçou-se")
    chief.picture("table-withdraw")
    with chief.page.expect_response("**/do/withdraw-call/"):
        chief.page.keyboard.press("Enter")
    expect(caller.page.locator(".draw__last")).to_be_visible()
    told = JournalEntry.objects.get(kind="draw_resumed").data
    assert told == {"withdrawn": "Um jogador espreguiçou-se", "combination": "bingo"}


@pytest.mark.rule(43)
def test_caller_sees_what_the_table_decides_and_what_to_say(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    caller = enter(browser, running_hall, "locutor")
    caller.sees("Bingo")
    evening.reach("checked")
    caller.sees("Cartão 1, Bingo: Certo")
    caller.sees("Mais algum bingo?")
    caller.picture("caller-decided")
