"""From the shares on paper, tried before they are recorded, to a game that a figure wins."""

import re

import pytest
from playwright.sync_api import Browser, expect

from bingo.rules import patterns
from draws.models import Game
from halls.models import Authorisation, JournalEntry
from tests.e2e.conftest import RunningHall
from tests.support.evening import day_of
from tests.support.people import DESKTOP, PHONE, check_equipment, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEART = "/".join(patterns.draw(patterns.get("heart").cells))


@pytest.mark.rule(73)
def test_shares_are_tried_recorded_and_played_for_a_figure(
    browser: Browser, running_hall: RunningHall
) -> None:
    manager = enter(browser, running_hall, "chefe")
    page = manager.page
    page.goto(f"{running_hall.url}/cards/authorisations/record/")
    page.fill("#reference", "Despacho 9/2026")
    page.fill("#valid_from", day_of(running_hall.hall).isoformat())
    expect(page.locator("#kind-75-figure-bingo")).to_be_hidden()
    page.check("#kind-75-figure")
    page.fill("#kind-75-figure-bingo", "70")
    page.fill("#kind-75-figure-prima", "5")
    page.fill("#kind-75-figure-prima_limit", "40")
    page.keyboard.press("F4")
    page.wait_for_url("**/do/preview/#sample")
    expect(page.locator("#sample .notice--error")).to_have_count(1)
    expect(page.locator("#kind-75-figure")).to_have_attribute("aria-invalid", "true")
    assert not Authorisation.objects.filter(reference="Despacho 9/2026").exists()

    page.fill("#kind-75-figure-bingo", "75")
    page.fill("#sample_face", "200")
    # Enter tries; it never records for good.
    page.press("#sample_face", "Enter")
    expect(page.locator("#sample .division")).to_have_count(2)
    expect(page.locator("#sample")).to_contain_text(
        "63"
    )  # 63 000,00 of 84 000,00: no jackpot has a number for it
    expect(page.locator("#sample .division").last).to_be_in_viewport()
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]
    manager.picture("authorise-sample")
    page.check("#sure")
    page.keyboard.press("F2")
    page.wait_for_url(re.compile(r"/authorisations/\d+/$"))
    expect(page.locator("#division .division")).to_have_count(2)
    manager.picture("authorisation-division")

    check_equipment(manager, running_hall)
    manager.press("F2")
    chief = enter(browser, running_hall, "mesa")
    page = chief.page
    # Kept while the page follows the hall.
    page.locator("#figures summary").click()
    expect(page.locator("#figure-issue option")).to_have_count(2)
    page.check(f"input[value='{HEART}']")
    chief.picture("table-figures")
    chief.press("F7")
    expect(page.locator("#live [data-wins=bingo] svg")).to_be_visible()
    chief.picture("table-figure")
    caller = enter(browser, running_hall, "locutor")
    expect(caller.page.locator("#live [data-wins=bingo] svg")).to_be_visible()
    caller.picture("caller-figure")
    assert Game.objects.get().issue.series.format == 75
    entry = JournalEntry.objects.get(kind="game_opened")
    assert entry.data["pattern"] == HEART.split("/")
