"""What is due of the balls leads from the desk to where it is done, or is left out by two persons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from draws.demonstration import hall as demonstration_hall
from draws.games import services as games_services
from halls.models import JournalEntry, Role
from halls.policy.services import set_policy
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.ball_sets import ball_set, device, own, use_set
from tests.support.equipment import seen
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.rule(23)]


@pytest.mark.slow
def test_roll_call_is_done_from_the_desk_and_an_approval_left_out_by_two(
    browser: Browser, running_hall: RunningHall
) -> None:
    hall = running_hall.hall
    evening = Evening(hall=hall)
    set_policy(hall=hall, source="by_hand", **evening.who(Role.HALL_MANAGER))
    own(device, lambda e, w: ball_set(e, w, authority="", approved_on=None), use_set)(evening)
    page = enter(browser, running_hall, "chefe").page
    page.goto(f"{running_hall.url}/manager/")
    seen(page, "duties-manager-closed")
    evening.reach("shift")
    issue = demonstration_hall.issue(hall, "1001")
    games_services.open_game(session=evening.session, issue=issue, **evening.who(Role.TABLE_CHIEF))
    calling = enter(browser, running_hall, "locutor").page
    expect(calling.locator("#duties-due")).to_be_visible()
    calling.keyboard.press("F2")
    expect(calling.locator("[data-code=not_approved]")).to_be_visible()
    seen(calling, "duties-caller")

    page.goto(f"{running_hall.url}/manager/")
    seen(page, "duties-manager")
    page.click("#duties-due a[href*='when=opening']")
    page.click("#call-form button")
    page.wait_for_load_state()
    seen(page, "duties-set")
    page.goto(f"{running_hall.url}/equipment/")
    expect(page.locator(".finding")).to_have_count(1)
    page.locator(".finding summary").click()
    page.locator(".finding [name=reason]").fill("A aprovação está a ser renovada")
    page.locator(".finding [name=witness_username]").fill("mesa")
    page.locator(".finding [name=witness_password]").fill(PASSWORD)
    seen(page, "duties-equipment")
    page.locator(".finding details button").click()
    expect(page.locator(".finding")).to_have_count(0)
    told = JournalEntry.objects.get(kind="duty_left_out")
    assert told.by is not None
    assert (told.data["duty"], told.by.username) == ("approval", "chefe")
    expect(calling.locator("#duties-due")).to_have_count(0, timeout=10_000)
    calling.keyboard.press("F2")
    expect(calling.locator("#live")).to_have_attribute("data-place", re.compile("selling"))
    expect(calling.locator("#duties-due")).to_have_count(0)
    assert JournalEntry.objects.get(kind="sale_announced").data["unapproved"]
