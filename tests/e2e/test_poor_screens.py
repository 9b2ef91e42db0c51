"""Screens that are not as they should be: a wrong clock, a thin network, letters thrice as large."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from draws.services import draws, suspensions
from halls.models import Role
from tests.draws.views.evening import Evening
from tests.e2e.conftest import CODE, RunningHall
from tests.e2e.people import DESKTOP
from tests.e2e.test_screens import APART

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WRONG = "const right = Date.now; Date.now = () => right() + {minutes} * 60_000;"
THIN = {"offline": False, "latency": 300, "downloadThroughput": 5e5, "uploadThroughput": 5e5}
SOON = 5_000  # ms, on a thin network
LARGE = "document.documentElement.style.fontSize = '300%'"


def wall(browser: Browser, running: RunningHall, *, script: str = "") -> Page:
    page = browser.new_context(viewport=DESKTOP).new_page()
    if script:
        page.add_init_script(script)
    page.goto(f"{running.url}/board/{CODE}/")
    return page


@pytest.mark.rule(55)
@pytest.mark.parametrize("minutes", [-10, 10])
def test_clock_that_is_wrong_by_minutes_changes_nothing_of_what_is_left(
    browser: Browser, running_hall: RunningHall, minutes: int
) -> None:
    evening = Evening(hall=running_hall.hall).reach("closed")
    page = wall(browser, running_hall, script=WRONG.replace("{minutes}", str(minutes)))
    suspensions.suspend(game=evening.game, reason="Extrator parado", **evening.who(Role.CALLER))
    expect(page.locator("#suspended-clock")).to_contain_text("14:", timeout=SOON)


def test_thin_network_shows_each_ball_all_the_same(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    page = wall(browser, running_hall)
    lines = page.context.new_cdp_session(page)
    lines.send("Network.enable")
    lines.send("Network.emulateNetworkConditions", THIN)
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-sure", "yes", timeout=2 * SOON)
    left = [number for number in range(1, 91) if number not in evening.game.balls.values_list(
        "number", flat=True
    )]  # fmt: skip
    for number in left[:3]:
        draws.announce(game=evening.game, number=number, **evening.who(Role.CALLER))
        expect(page.locator(".board__ball")).to_have_text(str(number), timeout=SOON)


@pytest.mark.parametrize("stage", ["selling", "drawing", "checked"])
def test_board_holds_with_letters_thrice_as_large(
    browser: Browser, running_hall: RunningHall, stage: str
) -> None:
    Evening(hall=running_hall.hall).reach(stage)
    page = wall(browser, running_hall)
    expect(page.locator("body")).to_have_attribute("data-sure", "yes")
    page.evaluate(LARGE)
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(APART) == []
    if stage == "drawing":
        expect(page.locator(".board__ball")).to_be_visible()
