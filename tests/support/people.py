"""The people of a hall at their screens, each in a browser of their own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.conftest import CODE, PASSWORD, RunningHall
from tests.support.evening import Evening

DESKTOP = ViewportSize(width=1920, height=1080)
PHONE = ViewportSize(width=390, height=844)
PICTURES = os.environ.get("BINGO_PICTURES")


@dataclass(slots=True)
class Person:
    """Somebody at their page."""

    page: Page
    name: str

    def picture(self, what: str) -> None:
        """Keep a picture of the page in BINGO_PICTURES, at both sizes, when that is set."""
        if PICTURES is None:
            return
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        for size, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
            self.page.set_viewport_size(viewport)
            self.page.wait_for_timeout(150)
            self.page.screenshot(path=f"{PICTURES}/{what}-{size}.png", full_page=size == "phone")
        self.page.set_viewport_size(DESKTOP)

    def press(self, key: str) -> None:
        """Press the key of a button, once the page offers it, and wait for its answer."""
        named = key.upper() if len(key) == 1 else key
        expect(self.page.locator(f'#live [data-key="{named}"]').first).to_be_enabled()
        before = self.page.locator("#live").get_attribute("data-number") or ""
        with self.page.expect_response("**/do/**"):
            self.page.keyboard.press(key)
        expect(self.page.locator("#live")).not_to_have_attribute("data-number", before)

    def sell(self, quantity: int, *, given: str = "", key: str = "Enter") -> None:
        """Sell at the till by keys alone, and wait for its answer."""
        expect(self.page.locator("#quantity")).to_be_enabled()
        self.page.fill("#quantity", str(quantity))
        self.page.fill("#given", given)
        with self.page.expect_response("**/till/sell/"):
            self.page.keyboard.press(key)

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        expect(self.page.locator("#live")).to_contain_text(text)


def enter(browser: Browser, running: RunningHall, username: str) -> Person:
    """Log in, in a browser context of one's own."""
    page = browser.new_context(viewport=DESKTOP, locale="pt-PT").new_page()
    page.goto(running.url)
    page.fill("#id_username", username)
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("main")
    page.wait_for_url(lambda url: "/login" not in url)
    return Person(page, username)


def check_equipment(manager: Person, running: RunningHall) -> None:
    """Check all equipment before the session (R32), and go back to the hall."""
    page = manager.page
    page.goto(f"{running.url}/equipment/check/")
    page.keyboard.press("F4")
    expect(page.locator("[data-key=F2]")).to_be_enabled()
    page.keyboard.press("F2")
    expect(page.locator(".notice--ok").first).to_be_visible()
    page.goto(f"{running.url}/manager/")
    page.fill("#session-ends", Evening(hall=running.hall).hour())


def board(browser: Browser, running: RunningHall) -> Person:
    """Stand before the wall board, logged in as nobody."""
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.goto(f"{running.url}/board/{CODE}/")
    return Person(page, "board")


def leave_a_sale_waiting(page: Page) -> None:
    """Sell four cards at a till whose orders reach nobody, until its page waits for an answer."""
    page.wait_for_selector("#quantity")
    page.route("**/till/sell/", lambda route: route.abort())
    page.fill("#quantity", "4")
    page.keyboard.press("Enter")
    expect(page.locator("#sale-waiting")).to_be_visible()
