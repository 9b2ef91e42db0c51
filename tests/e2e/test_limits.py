"""A hall where players have a limit, and a sale that a fault holds, as the desks see them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from draws.models import Sale
from halls.models import JournalEntry
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening, authorise
from tests.support.floor_hall import hand_out
from tests.support.people import enter

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.rule(35)
@pytest.mark.rule(55)
def test_player_is_named_with_few_keys_and_a_held_sale_sells_nothing(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    authorise(evening.hall, reference="2/2026", player_limit=6, faces=[200_00, 100_00])
    evening.reach("selling")
    till = enter(browser, running_hall, evening.shift.cashier.username)
    page = till.page
    expect(page.locator("#player")).to_be_focused()
    till.picture("till-limit")
    page.fill("#quantity", "2")
    page.keyboard.press("Enter")  # the browser itself asks for the player first
    expect(page.locator("#player")).to_be_focused()
    assert not Sale.objects.exists()
    page.keyboard.type("Mesa 4")
    till.sell(4)
    assert Sale.objects.get().player == "Mesa 4"
    expect(page.locator("#player")).to_be_focused()
    page.keyboard.type("mesa 4")
    till.sell(3)
    offer = page.locator("#sold [data-code=over_player_limit]")
    expect(offer).to_be_visible()
    expect(offer.locator("a.why")).to_have_count(1)
    expect(page.locator("#told")).not_to_contain_text("(")
    till.picture("till-over-limit")
    page.wait_for_timeout(600)  # a press that soon would be taken for one not meant
    page.click("#sold [data-offer='2']")
    expect(page.locator("#player")).to_have_value("")
    assert list(Sale.objects.order_by("pk").values_list("first", "last")) == [(1, 4), (5, 6)]
    expect(page.locator("#player-names option").first).to_have_count(1)

    hand_out(evening, 5)
    page.reload()
    page.click("[data-tab=floor]")
    till.picture("till-limit-block")

    caller, chief = enter(browser, running_hall, "locutor"), enter(browser, running_hall, "mesa")
    caller.page.keyboard.press("F6")
    caller.page.fill("#suspend-reason", "Sem luz")
    caller.picture("caller-suspend-sale")
    with caller.page.expect_response("**/do/suspend/"):
        caller.page.keyboard.press("Enter")
    page.reload()
    expect(page.locator("#sell-form")).to_have_count(0)
    till.picture("till-suspended")
    expect(chief.page.locator("#decision-taken")).to_be_visible()
    chief.picture("table-suspended-sale")
    chief.page.fill("#decision-taken", "Gerador")
    chief.press("F8")
    expect(page.locator("#sell-form")).to_be_visible()
    assert JournalEntry.objects.filter(kind="game_resumed").count() == 1
