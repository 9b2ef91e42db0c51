"""A floor assistant's telephone: what is called, the card taken to the table, the used ones collected."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

WITHIN = 10_000  # ms


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_called_card_is_brought_and_the_table_sees_it(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    assistant = enter(browser, running_hall, "auxiliar")
    assistant.page.set_viewport_size({"width": 390, "height": 844})
    evening.reach("stopped")
    card = assistant.page.locator("#card")
    expect(card).to_be_visible(timeout=WITHIN)
    card.fill("1")
    assistant.page.locator("#place").fill("Mesa 4")
    assistant.page.locator("form[action='/assistant/do/carry/'] button").click()
    expect(assistant.page.locator(".seller__total").first).to_contain_text("Mesa 4", timeout=WITHIN)
    assert assistant.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assistant.picture("assistant")
    table = enter(browser, running_hall, "mesa")
    expect(table.page.get_by_text("Mesa 4")).to_be_visible(timeout=WITHIN)
    table.picture("assistant-table")
