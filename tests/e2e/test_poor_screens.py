"""Screens that are not as they should be: a wrong clock, a thin network, letters thrice as large."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from draws.balls import draw, readings
from halls.models import Role
from tests.e2e.conftest import CODE, PASSWORD, RunningHall
from tests.support.evening import Evening
from tests.support.people import DESKTOP, enter
from tests.support.screens import APART

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WRONG = "const right = Date.now; Date.now = () => right() + {minutes} * 60_000;"
THIN = {"offline": False, "latency": 300, "downloadThroughput": 5e5, "uploadThroughput": 5e5}
SOON = 5_000  # ms, on a thin network
JUDGED = 600  # ms: twice a second a page looks whether it is behind
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
    readings.suspend(game=evening.game, reason="Extrator parado", **evening.who(Role.CALLER))
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
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
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


def painting(page: Page) -> list[int]:
    """The processes of the browser that paint its pages."""
    assert page.context.browser
    session = page.context.browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return [one["id"] for one in found if one["type"] == "renderer"]


def states(page: Page) -> set[str]:
    """What the system says of them: T is stopped."""
    return {
        Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        for pid in painting(page)
    }


@contextmanager
def asleep(page: Page) -> Iterator[None]:
    """Let the page do nothing meanwhile, as on a machine whose lid is shut; its clock goes on."""
    stopped = painting(page)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize(
    ("username", "path"), [("locutor", "caller"), ("caixa1", "till"), ("", f"board/{CODE}")]
)
def test_screen_that_slept_wakes_to_the_truth(
    browser: Browser, running_hall: RunningHall, username: str, path: str
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, username).page if username else browser.new_page()
    page.clock.install()
    page.goto(f"{running_hall.url}/{path}/")
    told = "[data-phase-told]" if username else ".board__phase"
    live = "#connection[data-state=live]" if username else "body[data-sure=yes]"
    expect(page.locator(live)).to_be_attached()
    with asleep(page):
        evening.reach("drawing")
        time.sleep(4)
        assert states(page) == {"T"}
    page.clock.fast_forward("01:00:00")
    # As soon as it looks at its clock it is not sure, or right already; soon it is right.
    page.wait_for_timeout(JUDGED)
    text, is_live = page.evaluate(
        "([told, live]) => [document.querySelector(told).textContent, !!document.querySelector(live)]",
        [told, live],
    )
    assert text.strip() == "Extracção" or not is_live
    if username:
        # It was idle for an hour: it asks who is there, over a page that it has kept.
        page.fill("#cover #unlock-password", PASSWORD)
        page.keyboard.press("Enter")
        expect(page.locator("#cover")).to_be_hidden()
    expect(page.locator(told)).to_have_text("Extracção", timeout=SOON)
    expect(page.locator(live)).to_be_attached(timeout=SOON)
    if not username:
        expect(page.locator(".board__ball")).to_have_text(str(evening.numbers()[-1]))
