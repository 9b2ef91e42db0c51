"""Practising in a browser: marked wherever one looks, by keys alone, and apart from a real tab beside it."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from draws.models import Sale
from halls import training
from halls.models import Hall
from tests.e2e.conftest import CODE, RunningHall
from tests.support.evening import Evening
from tests.support.people import DESKTOP, Person, enter, leave_a_sale_waiting

pytestmark = pytest.mark.browser


def usable(page: Page) -> None:
    """Nothing on the page of training is told by colour alone, or too pale on its other ground."""
    rules = {"runOnly": ["color-contrast", "link-name", "button-name", "landmark-unique"]}
    found = Axe().run(page, options=rules)
    assert found.response["passes"]
    assert found.response["violations"] == [], found.generate_report()


def marked(page: Page) -> None:
    """The page says TRAINING in a band and a frame that stay where they are."""
    word = page.locator(".training__word")
    expect(word).to_be_in_viewport()
    page.mouse.wheel(0, 5_000)
    expect(word).to_be_in_viewport()
    frame = page.evaluate(
        """() => { const frame = getComputedStyle(document.body, "::after");
                   return [frame.position, frame.borderTopWidth, frame.pointerEvents]; }"""
    )
    assert frame == ["fixed", "12px", "none"]
    assert page.title().startswith("TRAINING") or page.title().startswith("TREINO")


@pytest.mark.slow
def test_training_is_one_key_away_and_never_taken_for_the_real_hall(
    browser: Browser, running_hall: RunningHall
) -> None:
    hall = running_hall.hall
    Evening(hall=hall).reach("session")
    before = Hall.objects.values().get(pk=hall.pk)
    cashier = enter(browser, running_hall, "caixa1")
    page = cashier.page
    page.goto(f"{running_hall.url}/till/")
    real = page.context.new_page()
    real.goto(f"{running_hall.url}/till/")
    expect(page.locator(".training__word")).to_have_count(0)
    page.keyboard.press("Shift+F9")
    page.wait_for_url("**/training/till/")
    marked(page)
    usable(page)
    cashier.picture("training-till")

    page.goto(f"{running_hall.url}/training/practise/")
    usable(page)
    cashier.picture("training-lessons")
    page.keyboard.press("2")
    page.wait_for_url("**/training/caller/")
    cashier.press("Space")
    cashier.picture("training-caller")
    usable(page)
    marked(page)

    wall = browser.new_context(viewport=DESKTOP).new_page()
    wall.goto(f"{running_hall.url}/board/{CODE}-training/")
    expect(wall.locator(".board__training")).to_be_visible()
    wall.wait_for_timeout(800)
    Person(wall, "wall").picture("training-board")

    # The tab beside it is where it was, and what is ordered there is of the real hall.
    real.bring_to_front()
    expect(real.locator(".training__word")).to_have_count(0)
    assert "/training/" not in real.content().replace("/practise/", "")
    page.bring_to_front()
    page.goto(f"{running_hall.url}/training/till/")
    page.emulate_media(media="print")
    cashier.picture("training-print")
    page.emulate_media(media="screen")
    page.keyboard.press("Shift+F9")
    page.wait_for_url(f"{running_hall.url}/till/")
    expect(page.locator(".training__word")).to_have_count(0)
    cashier.picture("real-till")

    assert Hall.objects.values().get(pk=hall.pk) == before
    there = training.hall_of(hall)
    assert there is not None
    assert there.sessions.count() == 1


@pytest.mark.slow
def test_sale_that_waits_at_a_real_till_waits_there_while_its_cashier_practises(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "caixa1").page
    leave_a_sale_waiting(page)
    page.keyboard.press("Shift+F9")
    page.wait_for_url("**/training/till/")
    page.unroute("**/till/sell/")
    page.goto(f"{running_hall.url}/training/practise/")
    page.keyboard.press("1")
    page.wait_for_url("**/training/till/")
    page.wait_for_selector("#quantity")
    page.wait_for_timeout(1_000)
    assert list(Sale.objects.values_list("issue__identification", "last")) == [("T001", 12)]
    page.keyboard.press("Shift+F9")
    page.wait_for_url(f"{running_hall.url}/till/")
    expect(page.locator("#sold .sold__cards strong")).to_have_text("1–4")
    assert Sale.objects.filter(game__session__hall=running_hall.hall).count() == 1
    assert Sale.objects.count() == 2
