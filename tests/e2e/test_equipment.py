"""A hall registers its balls, checks its equipment while players watch, and opens its session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from draws.models import Issue
from halls.models import BallSet, EquipmentCheck, Role, Session
from halls.services import ball_sets, sessions
from tests.draws.views.drawn import drawn
from tests.draws.views.evening import Evening
from tests.e2e.conftest import CODE, RunningHall
from tests.e2e.people import PHONE, enter

pytestmark = pytest.mark.browser

LAPTOP = ViewportSize(width=1280, height=800)
PICTURES = os.environ.get("BINGO_PICTURES")


def seen(page: Page, name: str) -> None:
    """Look at a page on a laptop and a phone: nothing runs out of it sideways."""
    for size, viewport in (("laptop", LAPTOP), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(100)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= viewport["width"], f"{name} on a {size} is {width} px wide"
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{PICTURES}/{name}-{size}.png", full_page=True)
    page.set_viewport_size(LAPTOP)


@pytest.mark.rule(32)
@pytest.mark.slow
def test_equipment_is_checked_before_the_players_and_the_session_opened(
    browser: Browser, running_hall: RunningHall
) -> None:
    page = enter(browser, running_hall, "chefe").page
    page.goto(f"{running_hall.url}/equipment/")
    seen(page, "equipment-empty")
    page.fill("#serial", "B-0017")
    page.fill("#marks", "6, 9 16")
    page.fill("#games", "1921")
    page.click("#set-form button")
    page.click("text=/^(Put it in use|Pôr em uso)$/ >> nth=-1")
    page.goto(f"{running_hall.url}/equipment/")
    if not page.locator("#device-form").get_attribute("open"):
        page.click("#device-form summary")
    page.fill("#device-name", "Bombo 1")
    page.click("#device-form button")
    used = BallSet.objects.get()
    assert (used.standing, used.marks, used.games) == ("in_use", [6, 9, 16], 1921)
    seen(page, "equipment")
    page.goto(f"{running_hall.url}/equipment/sets/{used.pk}/")
    seen(page, "ball-set")

    watching = browser.new_context(viewport=LAPTOP).new_page()
    watching.goto(f"{running_hall.url}/board/{CODE}/check/")
    page.goto(f"{running_hall.url}/equipment/check/")
    items = page.locator(".checklist__item")
    assert page.locator("[data-key=F2]").is_disabled()
    for place in range(items.count()):
        if place == 2:
            items.nth(place).locator("summary").click()
            items.nth(place).locator("[name=note] >> visible=true").fill("Sem imagem")
            items.nth(place).locator("details button").click()
        else:
            items.nth(place).locator("button[value=works]").click()
        page.wait_for_load_state()
    expect(watching.locator(".checklist__item--fails")).to_contain_text("Sem imagem")
    seen(page, "check-going-on")
    seen(watching, "check-watched")
    items.nth(2).locator("button[value=works]").click()
    page.wait_for_load_state()
    page.keyboard.press("F2")
    page.wait_for_selector(".notice--ok")
    assert EquipmentCheck.objects.get().passed
    seen(page, "check-done")
    page.goto(f"{running_hall.url}/manager/")
    seen(page, "manager-checked")
    assert page.locator("#checked").count() == 0
    page.keyboard.press("F2")
    page.wait_for_selector("text=/Sess[aã]o? ?.* 1/")
    expect(page.locator(".next-step").first).to_be_visible()
    assert Session.objects.get().state["terms"]["checked"]


@pytest.mark.slow
def test_statistics_fit_their_page(browser: Browser, running_hall: RunningHall) -> None:
    hall = running_hall.hall
    evening = Evening(hall=hall)
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=hall, checked=True, **manager)
    assert Issue.objects.filter(hall=hall).exists()
    sets = [
        ball_sets.register(hall=hall, serial=serial, format=90, **manager)
        for serial in ("B-0017", "B-0018")
    ]
    drawn(evening, 150, ball_set=sets[0], heavy=17)
    drawn(evening, 150, ball_set=sets[1])
    ball_sets.use(ball_set=sets[0], **manager)
    page = enter(browser, running_hall, "chefe").page
    for name, one in (("crooked", sets[0]), ("fair", sets[1])):
        page.goto(f"{running_hall.url}/equipment/statistics/?ball_set={one.pk}")
        assert page.locator("#alarm").count() == (name == "crooked")
        assert page.locator(".plot__bar").count() == 90
        seen(page, f"statistics-{name}")
    page.goto(f"{running_hall.url}/equipment/")
    seen(page, "equipment-alarm")
