"""Staff read no rule by its number: a page answers "why?" with what the law says (R30, R53 …)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from halls.models import Hall
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.rule(52)
def test_staff_ask_why_and_inspectors_see_the_number(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("drawing")
    desk = enter(browser, running_hall, "chefe").page
    desk.goto(f"{running_hall.url}/custody/")
    asked = desk.locator("a.why:visible").first
    expect(asked).to_be_visible()
    assert desk.locator("body").inner_text().count("(R") == 0
    asked.press("Enter")
    told = desk.get_by_role("dialog")
    expect(told).to_contain_text("Portaria 1/2017")
    desk.keyboard.press("Escape")
    expect(told).to_be_hidden()
    inspector = enter(browser, running_hall, "inspetor").page
    inspector.goto(f"{running_hall.url}/custody/")
    assert "(R" in inspector.locator("body").inner_text()
    assert inspector.locator("a.why").count() == 0


def test_hall_under_a_law_without_these_numbers_shows_none_to_anybody(
    browser: Browser, running_hall: RunningHall
) -> None:
    plant(Hall.objects.filter(pk=running_hall.hall.pk), rulebook="spain-1979")
    for name in ("chefe", "inspetor"):
        page = enter(browser, running_hall, name).page
        page.goto(f"{running_hall.url}/custody/")
        expect(page.locator("h1")).to_be_visible()
        assert "(R" not in page.locator("body").inner_text()
        assert page.locator("a.why").count() == 0


@pytest.mark.rule(29)
def test_new_screen_comes_onto_the_managers_page_by_itself(
    browser: Browser, running_hall: RunningHall
) -> None:
    desk = enter(browser, running_hall, "chefe").page
    desk.goto(f"{running_hall.url}/screens/")
    expect(desk.locator("#screens .empty")).to_be_visible()
    wall = browser.new_context().new_page()
    wall.goto(f"{running_hall.url}/board/{running_hall.hall.code}/")
    expect(desk.locator("#screens tr[id^=screen-], #screens [id^=screen-]").first).to_be_visible(
        timeout=15_000
    )
