"""How often a jackpot would be won is seen while its numbers of balls are typed (R9)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from bingo.rules import patterns
from draws.authorisations.labels import today
from halls.models import Authorisation, JournalEntry
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import day_of
from tests.support.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CORNERS = "/".join(patterns.draw(patterns.get("four_corners").cells))


@pytest.mark.rule(9)
def test_chances_follow_what_is_typed_and_a_likely_one_needs_a_second_person(
    browser: Browser, running_hall: RunningHall
) -> None:
    manager = enter(browser, running_hall, "chefe")
    page = manager.page
    page.goto(f"{running_hall.url}/cards/authorisations/record/")
    page.fill("#reference", "Despacho 9/2026")
    page.fill("#valid_from", day_of(running_hall.hall).isoformat())
    page.fill("#jackpot_limit-90", "46")
    chances = page.locator("#jackpot_chances")
    # One game of 448 with 200 cards, by the closed form.
    expect(chances).to_contain_text("448")
    page.fill("#jackpot_limit-30", "30")
    expect(chances).to_contain_text("29")
    page.fill("#jackpot_limit-30", "20")
    expect(chances.locator(".notice--warning")).to_have_count(1)
    page.select_option("#jackpot_figure-figure0", CORNERS)
    page.fill("#jackpot_limit-figure0", "10")
    expect(chances).to_contain_text("32")
    page.locator("#jackpot_level").scroll_into_view_if_needed()
    manager.picture("authorise-jackpot-chances")
    page.check("#sure")
    page.keyboard.press("F2")
    expect(page.locator("[role=alert]")).to_be_visible()
    assert not Authorisation.objects.filter(reference="Despacho 9/2026").exists()
    expect(page.locator("#jackpot_limit-30")).to_have_value("20")
    manager.picture("authorise-jackpot-refused")
    page.fill("#authorise-witness-username", "mesa")
    page.fill("#authorise-witness-password", PASSWORD)
    page.check("#sure")
    page.keyboard.press("F2")
    page.wait_for_url(re.compile(r"/authorisations/\d+/$"))
    manager.picture("authorisation-jackpot")
    assert JournalEntry.objects.latest("number").data["witness"] == "mesa"
    assert today(running_hall.hall) == Authorisation.objects.get(reference="Despacho 9/2026")
    page.goto(f"{running_hall.url}/jackpot/")
    expect(page.locator(".panels")).to_contain_text("448")
    manager.picture("jackpot-limits")
