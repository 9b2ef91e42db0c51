"""A floor seller's telephone: what is in hand, and what to pay for what was sold of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from draws.sales import floor
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter
from tests.support.till_hall import sellers

pytestmark = pytest.mark.browser

WITHIN = 5_000  # ms


@pytest.mark.slow
@pytest.mark.rule(36)
def test_cards_handed_out_come_onto_the_telephone_with_what_is_owed(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    seller = enter(browser, running_hall, "vendedor1")
    seller.page.set_viewport_size({"width": 390, "height": 844})
    expect(seller.page.locator("[data-block]")).to_have_count(0)
    floor.hand_out(
        game=evening.game, shift=evening.shift, seller=sellers(evening)[0], quantity=24,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    block = seller.page.locator("[data-block]")
    expect(block.locator(".seller__cards")).to_have_text("1–24", timeout=WITHIN)
    expect(block.locator("[data-owes=cards]")).to_have_text("0")
    more, fewer = (block.locator(f"[data-sold='{step}']") for step in ("1", "-1"))
    fewer.click()
    expect(block.locator("[data-owes=cards]")).to_have_text("0")
    for sold in ("1", "2", "3"):
        more.click()
        expect(block.locator("[data-owes=cards]")).to_have_text(sold)
    block.locator("[name=unsold]").fill("19")
    expect(block.locator("[data-owes=cards]")).to_have_text("18")
    expect(block.locator("[data-owes=amount]")).to_contain_text("600,00")
    assert seller.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seller.picture("seller")
