"""An evening by the keyboard alone, on a small screen: every step of it within so many keys."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from draws.balls import draw
from draws.models import ClaimCheck, Game, Payment, Sale
from draws.sales import services as sales_services
from halls.models import Role
from halls.policy.services import set_policy
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

SMALL = ViewportSize(width=1366, height=768)
# Keys that each step of an evening may cost, whoever does it.
MOST = {"sale": 2, "check": 10, "game": 5, "payment": 2}
LONG_ENOUGH = 3_100  # ms that a hall is given to answer (R46)

CALM = 5_000  # milliseconds: CALM_MS of live.js, and a second to fetch it


@dataclass
class Keyboard:
    """Somebody's only hand at a page; `pressed` are the keys of each step."""

    page: Page
    pressed: dict[str, list[str]] = field(default_factory=dict)

    def press(self, step: str, *keys: str) -> None:
        """Press keys one after the other, as fast as a person who knows them."""
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed.setdefault(step, []).append(key)

    def answered(self, step: str, key: str, path: str = "**/do/**") -> None:
        """Press the key that gives an order, and wait for the page that follows from it."""
        with self.page.expect_response(path) as response:
            self.press(step, key)
        assert response.value.status == 200
        # A page that was just swapped in takes the next key.
        self.page.wait_for_timeout(150)


def at(browser: Browser, running_hall: RunningHall, username: str) -> Keyboard:
    """Log somebody in, and put the page on a small screen."""
    page = enter(browser, running_hall, username).page
    page.set_viewport_size(SMALL)
    return Keyboard(page)


def offered(hand: Keyboard, key: str) -> None:
    """See that the page offers a key, within the window: nobody scrolls to press one."""
    button = hand.page.locator(f'#live [data-key="{key}"]').first
    expect(button).to_be_enabled()
    expect(button).to_be_in_viewport()


@pytest.mark.slow
def test_each_step_of_an_evening_costs_few_keys(
    browser: Browser, hurried: None, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    set_policy(hall=evening.hall, source="rng", interval=3, **evening.who(Role.HALL_MANAGER))
    evening.reach("prepared")
    caller = at(browser, running_hall, "locutor")
    cashier = at(browser, running_hall, "caixa1")
    chief = at(browser, running_hall, "mesa")

    offered(caller, "F2")
    caller.answered("game", "F2")

    expect(cashier.page.locator("#quantity")).to_be_focused()
    for sales, cards in enumerate(("3", "6", "1"), 1):
        cashier.press(f"sale {sales}", cards)
        cashier.answered(f"sale {sales}", "Enter", "**/till/sell/")
        expect(cashier.page.locator("#quantity")).to_be_focused()
        expect(cashier.page.locator("#quantity")).to_have_value("")
        # Keys held or pressed at once would be taken for one (see the till's own test).
        cashier.page.wait_for_timeout(600)
    assert Sale.objects.filter(game=evening.game).count() == 3

    offered(caller, "F2")
    caller.answered("game", "F2")
    offered(caller, "F2")
    caller.answered("game", "F2")
    offered(caller, "A")
    caller.press("game", "a")
    expect(caller.page.locator("#draw-form[data-order='3']")).to_be_visible()
    offered(caller, "B")
    caller.answered("game", "b")

    # A card that has not won is found out, and the draw goes on.
    expect(chief.page.locator("#card")).to_be_focused()
    chief.press("check wrong", "7")
    chief.answered("check wrong", "F2")
    expect(chief.page.locator(".badge--wrong").first).to_be_visible()
    offered(chief, "F8")
    chief.answered("check wrong", "F8")
    assert ClaimCheck.objects.get().valid is False

    counted(caller, cashier, chief)


@pytest.mark.slow
def test_winning_card_is_checked_and_paid_by_few_keys(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    chief, cashier = at(browser, running_hall, "mesa"), at(browser, running_hall, "caixa1")
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    expect(chief.page.locator("#card")).to_be_focused()
    chief.press("check", *"1")
    chief.answered("check", "F2")
    offered(chief, "F6")
    chief.answered("check", "F6")
    chief.page.wait_for_timeout(LONG_ENOUGH)
    offered(chief, "F7")
    chief.answered("check", "F7")
    offered(chief, "F8")
    chief.answered("check", "F8")
    expect(cashier.page.locator("#prize-card")).to_be_focused()
    cashier.press("payment", *"1")
    cashier.answered("payment", "F2")
    assert Payment.objects.get().card == 1
    counted(chief, cashier)


def counted(*hands: Keyboard) -> None:
    """Fail where a step costs more keys than it may, and say which they were."""
    told = {step: keys for hand in hands for step, keys in hand.pressed.items()}
    over = {step: keys for step, keys in told.items() if len(keys) > MOST[step.partition(" ")[0]]}
    assert over == {}, over


def test_one_key_too_many_is_noticed() -> None:
    hand = Keyboard.__new__(Keyboard)
    hand.pressed = {"sale 1": ["3", "Enter"], "sale 2": ["1", "2", "Enter"]}
    with pytest.raises(AssertionError, match="sale 2"):
        counted(hand)


def state_of(page: Page) -> str:
    told = page.locator("#connection").evaluate("one => getComputedStyle(one).visibility")
    return str(told)


@pytest.mark.slow
def test_page_that_refused_is_not_called_live_beside_it(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("prepared")
    page = enter(browser, running_hall, "locutor").page
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    assert state_of(page) == "visible"
    page.context.clear_cookies(name="csrftoken")
    with page.expect_response("**/do/**") as answer:
        page.keyboard.press("F2")
    assert answer.value.status == 403
    expect(page.locator("#page-refused")).to_be_visible()
    assert state_of(page) == "hidden"
    assert Game.objects.get().phase == "prepared"


@pytest.mark.slow
def test_sale_is_among_my_sales_within_a_second_and_in_another_window_at_the_calm_pace(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    first = enter(browser, running_hall, "caixa1").page
    other = enter(browser, running_hall, "caixa1").page
    for page in (first, other):
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    first.locator("#quantity").fill("4")
    with first.expect_response("**/till/sell/"):
        first.keyboard.press("Enter")
    for page in (first, other):
        expect(page.locator("#sales-frame")).to_contain_text("1–4", timeout=1_000)
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=2, **evening.who(Role.CASHIER)
    )
    # Sold elsewhere: while cards are on sale pages are fetched anew no oftener than that.
    for page in (first, other):
        expect(page.locator("#sales-frame")).to_contain_text("5–6", timeout=CALM)


@pytest.mark.slow
def test_each_of_two_sales_in_a_row_is_at_once_among_the_sales_of_their_page(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "caixa1").page
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    for cards, sold in (("4", "1–4"), ("2", "5–6")):
        expect(page.locator("#quantity")).to_be_focused()
        page.keyboard.press(cards)
        with page.expect_response("**/till/sell/"):
            page.keyboard.press("Enter")
        expect(page.locator("#sales-frame")).to_contain_text(sold, timeout=1_000)
        page.wait_for_timeout(600)  # keys pressed at once would be taken for one
