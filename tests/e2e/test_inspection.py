"""The inspector's desk in a browser: a game found, played again, its acta remarked on and answered."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Browser, expect

from draws.games import services as games_services
from draws.models import Acta
from halls.models import JournalEntry, Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening, authorise
from tests.support.people import Person, enter
from tests.support.service_commands.prizes import paid
from tests.support.session_ends import ended

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.rule(61)
def test_game_is_found_and_played_again_by_keys_alone(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    authorise(evening.hall, reference="2/2026", tax_rate=1000)
    evening.reach("paying")
    paid(evening)
    inspector = enter(browser, running_hall, "inspetor")
    page = inspector.page
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.keyboard.press("F3")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    inspector.picture("inspector-search")
    sold = JournalEntry.objects.get(kind="cards_sold")
    page.locator(f"a[href$='?at={sold.number}']").first.click()
    expect(page.locator("#told")).not_to_be_empty()
    balls, told = page.locator("#balls > li"), page.locator("#told")
    expect(balls).to_have_count(0)
    _to_ball(inspector, 14)
    last = page.locator("#balls > .is-last")
    expect(last).to_have_text(str(evening.numbers()[13]))
    expect(page.locator("#near")).to_contain_text("1: 1")
    expect(page.locator("#no-picture")).to_be_visible()
    inspector.picture("inspector-replay")

    entry = JournalEntry.objects.filter(kind="ball_announced").order_by("number")[13]
    assert page.url.endswith(f"?at={entry.number}")
    said = told.inner_text()
    page.reload()
    expect(told).to_have_text(said)

    page.keyboard.press("Home")
    expect(page.locator("#won > tr")).to_have_count(0)
    for _faster in range(5):
        page.keyboard.press("+")
    page.keyboard.press("Space")
    # What took seconds is over at once, and stops by itself at its end.
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false", timeout=20_000)
    won = page.locator("#won > tr").first.locator("td").last
    expect(won).to_have_text(re.compile("^imposto .* · a entregar "))
    expect(balls).to_have_count(15)
    page.locator("#moments a").first.click()
    expect(balls).to_have_count(0)
    assert errors == []


def _to_ball(inspector: Person, count: int) -> None:
    """Go on until so many balls are out."""
    for _moment in range(60):
        if inspector.page.locator("#balls > li").count() == count:
            return
        inspector.page.keyboard.press("ArrowRight")
    raise AssertionError(inspector.page.inner_text("#told"))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_remark_goes_to_the_hall_and_its_answer_back(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    session = ended(evening)
    until = time.monotonic() + 60
    while not Acta.objects.filter(session=session).exists():
        assert time.monotonic() < until
        time.sleep(0.2)
    inspector = enter(browser, running_hall, "inspetor")
    page = inspector.page
    page.goto(f"{running_hall.url}/inspector/1/acta/")
    page.keyboard.press("F2")
    expect(page.locator(".console__head .badge--ok")).to_be_visible()
    page.fill("#remark-text", "Falta a hora da última jogada.")
    page.keyboard.press("F8")
    expect(page.locator(".remark")).to_have_count(2)
    inspector.picture("inspector-acta")

    manager = enter(browser, running_hall, "chefe")
    expect(manager.page.locator("#live > .notice--warning").first).to_contain_text("Falta a hora")
    manager.page.goto(f"{running_hall.url}/inspector/1/acta/")
    manager.picture("inspector-answer")
    manager.page.locator("textarea").first.fill("Foi às 23:10.")
    manager.page.locator(".remark button").click()
    page.reload()
    expect(page.locator(".remark").last).to_contain_text("Foi às 23:10.")

    page.goto(f"{running_hall.url}/inspector/looks/")
    expect(page.locator("tbody")).to_contain_text(re.compile("/inspector/1/acta/do/remark/"))
    inspector.picture("inspector-looks")
