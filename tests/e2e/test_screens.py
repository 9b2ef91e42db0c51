"""Three boards on the wall, each with a part of its own, through a game and a lost server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from halls.models import WallScreen
from tests.draws.views.evening import Evening
from tests.e2e.conftest import RunningHall
from tests.e2e.people import board, enter
from tests.e2e.test_truth import SURE, UNSURE, restart

__all__ = ["restart"]
pytestmark = pytest.mark.browser

WITHIN = 2_000  # ms: a second until the feed tells it, and the answer
BACK = 8_000  # ms: a socket that is opened every two seconds, on a busy machine


def shows(page: Page, *, seen: tuple[str, ...], not_seen: tuple[str, ...]) -> None:
    """See these parts of the board and not those, without a bar to scroll by."""
    for part in seen:
        expect(page.locator(part)).to_be_visible()
    for part in not_seen:
        expect(page.locator(part)).to_be_hidden()
    assert page.evaluate(
        "document.documentElement.scrollHeight <= innerHeight"
        " && document.documentElement.scrollWidth <= innerWidth"
    )


@pytest.mark.slow
@pytest.mark.rule(29)
@pytest.mark.rule(43)
def test_three_boards_play_three_parts_and_come_back(
    browser: Browser, running_hall: RunningHall, restart: Callable[[], None]
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    walls = [board(browser, running_hall).page for _one in range(3)]
    for wall in walls:
        expect(wall.locator("#pairing")).to_be_visible()
        shows(wall, seen=("#numbers", ".board__figures"), not_seen=("#point",))
    codes = [(wall.locator("#pairing").text_content() or "").split()[-1] for wall in walls]
    manager = enter(browser, running_hall, "gerente").page
    manager.goto(f"{running_hall.url}/screens/")
    for code, name, role in zip(
        codes, ("Sul", "Norte", "Bar"), ("numbers", "last", "prizes"), strict=True
    ):
        row = manager.locator(f"#screen-{WallScreen.objects.get(code=code).pk}")
        row.locator("[name=name]").fill(name)
        row.locator("[name=role]").select_option(role)
        row.locator(".button--primary").click()
        wall = walls[codes.index(code)]
        expect(wall.locator("#board")).to_have_attribute("data-layout", role, timeout=WITHIN)
        expect(wall.locator("#pairing")).to_be_hidden()

    def each_its_part() -> None:
        numbers, last, prizes = walls
        shows(numbers, seen=("#numbers", ".board__ball"), not_seen=(".board__figures",))
        shows(last, seen=(".board__ball", "#before"), not_seen=("#numbers", ".board__figures"))
        shows(prizes, seen=(".board__figures",), not_seen=("#numbers", ".board__ball"))
        expect(prizes.locator("#focus")).to_contain_text("15")
        for wall in walls[:2]:
            expect(wall.locator(".board__ball")).to_have_text(str(evening.numbers()[-1]))

    each_its_part()
    found = WallScreen.objects.get(name="Norte")
    manager.locator(f"#screen-{found.pk} form[action*=find] button").click()
    expect(walls[1].locator("#point")).to_have_text("Norte", timeout=WITHIN)
    expect(walls[0].locator("#point")).to_be_hidden()

    running_hall.server.kill()
    running_hall.server.wait()
    for wall in walls:
        expect(wall.locator("body")).to_have_attribute("data-sure", "no", timeout=UNSURE)
        expect(wall.locator("#unsure")).to_be_visible()
    restart()
    for wall in walls:
        expect(wall.locator("body")).to_have_attribute("data-sure", "yes", timeout=BACK)
        wall.reload()  # as after its power was cut
        expect(wall.locator("body")).to_have_attribute("data-sure", "yes", timeout=SURE)
    expect(walls[1].locator("#point")).to_be_hidden(timeout=12_000)
    each_its_part()
