"""An evening's consoles bring no complaint of the browser: no style or script that the policy forbids."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ConsoleMessage, expect

from tests.e2e.conftest import CODE, RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DESKS = {"caixa1": "till", "locutor": "caller", "mesa": "table", "chefe": "manager"}
SCENES = ("selling", "drawing", "checked", "window", "paying")


def test_no_console_complains_while_a_game_is_played(
    browser: Browser, running_hall: RunningHall
) -> None:
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    pages = []
    for username in DESKS:
        page = enter(browser, running_hall, username).page
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        pages.append(page)
    wall = browser.new_context().new_page()
    wall.on("console", hear)
    wall.on("response", lambda answer: complaints.extend([answer.url] * (answer.status >= 400)))
    wall.goto(f"{running_hall.url}/board/{CODE}/")
    evening = Evening(hall=running_hall.hall)
    for scene in SCENES:
        for page in pages:
            # As the ring of the draw's pace is: set by a script, and there when the page is renewed.
            page.evaluate("document.getElementById('live').style.setProperty('--left', '0.5')")
        evening.reach(scene)
        for page in pages:
            page.wait_for_timeout(1_200)
        if scene == "selling":
            pages[0].fill("#quantity", "1")
            pages[0].keyboard.press("Enter")
            pages[0].click("#sold .sold__label")  # nothing stands there to be pressed
        expect(wall.locator("#board")).to_be_visible()
    assert complaints == []
