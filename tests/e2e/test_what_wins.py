"""What counts as a line is seen on walls and desks, drawn and in words (R67, R75, R84)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import CODE, RunningHall
from tests.support.people import enter
from tests.support.pictures import sure
from tests.support.planting_rows import plant, plant_row
from tests.support.what_wins import DESK, PLAYED, WALLS, Played, keep, playing

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DESKS = {
    "locutor": "caller",
    "mesa": "table",
    "caixa1": "till",
    "vendedor1": "seller",
    "inspetor": "watch",
}


def words_of(page: Page, root: str) -> tuple[str, ...]:
    """Return what a page says of what wins, in its order."""
    return tuple(" ".join(one.split()) for one in page.locator(root).all_text_contents())


@pytest.mark.rule(33)
@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize("played", PLAYED, ids=lambda one: one.name)
def test_what_wins_is_seen_on_walls_and_desks(
    browser: Browser, running_hall: RunningHall, played: Played
) -> None:
    hall = running_hall.hall
    evening = playing(running_hall, played, "sold")
    board = browser.new_context(viewport=DESK).new_page()
    for language, told in (("pt", played.portuguese), ("es", played.spanish)):
        hall.language = language
        plant_row(hall, "language")
        for shape, size in WALLS.items():
            board.set_viewport_size(size)
            board.goto(f"{running_hall.url}/board/{CODE}/?as=everything")
            sure(board)
            assert words_of(board, ".board__wins:not([hidden]) .board__wins-words") == told
            keep(board, f"{played.name}-sale-{shape}-{language}")
    for username, path in DESKS.items():
        page = enter(browser, running_hall, username).page
        page.set_viewport_size(DESK)
        for language, told in (("pt", played.portuguese), ("es", played.spanish)):
            plant(hall.people.filter(username=username), language=language)
            page.goto(f"{running_hall.url}/{path}/")
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert words_of(page, "[data-wins] dd") == told
            assert page.locator("[data-wins] svg").first.is_visible()
            keep(page, f"{played.name}-{path}-{language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= DESK["width"]
    evening.reach("drawing")
    for shape, size in WALLS.items():
        board.set_viewport_size(size)
        board.goto(f"{running_hall.url}/board/{CODE}/?as=everything")
        sure(board)
        assert board.locator(".board__wins:visible svg").count() > 0
        keep(board, f"{played.name}-drawing-{shape}-es")
