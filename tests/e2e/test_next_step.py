"""When the hall moves on by itself, a page lets its person go on: typing at once, and no key too far."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Game
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def lose(route: Route) -> None:
    """Let an order be carried out, and lose its answer."""
    route.fetch()
    route.abort()


@pytest.mark.rule(30)
def test_card_that_was_called_is_typed_without_a_press(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator("#uncalled")).to_be_visible()
    for typed in ("18", "19"):  # a browser gives the first such field of a page the focus by itself
        expect(chief.page.locator("#card")).to_have_count(0)
        draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
        expect(chief.page.locator("#card")).to_be_focused()
        chief.page.keyboard.type(typed)
        expect(chief.page.locator("#card")).to_have_value(typed)
        claims_services.resume(
            game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF)
        )


@pytest.mark.rule(30)
def test_nobody_is_taken_from_where_they_are(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator("#uncalled")).to_be_visible()
    menu = chief.page.locator("header summary").first
    menu.focus()
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    expect(chief.page.locator("#card")).to_be_visible()
    expect(menu).to_be_focused()


@pytest.mark.rule(50)
def test_card_that_won_is_typed_without_a_press(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    expect(cashier.page.locator("#quantity")).to_be_focused()
    evening.reach("awarded")
    expect(cashier.page.locator("#quantity")).to_have_count(0)
    games_services.finish(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    expect(cashier.page.locator("#prize-card")).to_be_focused()
    cashier.page.keyboard.type("6")
    expect(cashier.page.locator("#prize-card")).to_have_value("6")


@pytest.mark.rule(41)
def test_key_that_is_pressed_again_does_not_do_what_comes_next(
    browser: Browser, running_hall: RunningHall
) -> None:
    """The answer to "close the sale" is lost; when the page is back, its key would begin the draw."""
    Evening(hall=running_hall.hall).reach("sold")
    caller = enter(browser, running_hall, "locutor")

    caller.page.route("**/caller/do/close-sale/", lose)
    expect(caller.page.locator('#live [data-key="F2"]')).to_be_enabled()
    caller.page.keyboard.press("F2")
    expect(caller.page.locator('form[action$="/announce-draw/"]')).to_be_visible(timeout=10_000)
    expect(caller.page.locator("#moved-on")).to_be_visible()
    caller.page.wait_for_timeout(300)
    caller.page.keyboard.press("F2")
    caller.page.wait_for_timeout(700)
    assert Game.objects.get().phase == "closed"
    expect(caller.page.locator("#moved-on")).to_be_visible()
    caller.press("F2")  # read, and meant
    assert Game.objects.get().phase == "drawing"
    expect(caller.page.locator("#moved-on")).to_be_hidden()


@pytest.mark.rule(43)
def test_a_draw_is_stopped_at_once_though_an_answer_was_lost(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("closed")
    caller = enter(browser, running_hall, "locutor")

    caller.page.route("**/caller/do/announce-draw/", lose)
    expect(caller.page.locator('#live [data-key="F2"]')).to_be_enabled()
    caller.page.keyboard.press("F2")
    expect(caller.page.locator("#moved-on")).to_be_visible(timeout=10_000)
    caller.press("l")
    assert Game.objects.get().phase == "stopped"
