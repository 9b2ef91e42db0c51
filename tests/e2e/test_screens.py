"""Three boards on the wall, each with a part of its own, through a game and a lost server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from halls.models import WallRole, WallScreen
from tests.e2e.conftest import CODE, RunningHall
from tests.support.evening import Evening
from tests.support.people import PICTURES, board, enter
from tests.support.screens import APART
from tests.support.truth import SURE, UNSURE, restart

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
    manager = enter(browser, running_hall, "chefe").page
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


SIZES = {"wide": (1920, 1080), "old": (1024, 768), "tall": (1080, 1920)}


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["selling", "drawing", "checked", "paying"])
def test_every_part_fits_every_screen(
    browser: Browser, running_hall: RunningHall, stage: str
) -> None:
    """Nothing to scroll, nothing over anything else, on wide, old and tall screens."""
    Evening(hall=running_hall.hall).reach(stage)
    wall = board(browser, running_hall)
    for role in WallRole.values:
        wall.page.goto(f"{running_hall.url}/board/{CODE}/?as={role}")
        expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes")
        for name, (wide, high) in SIZES.items():
            wall.page.set_viewport_size({"width": wide, "height": high})
            wall.page.wait_for_timeout(120)
            shows(wall.page, seen=(".board__head",), not_seen=())
            assert wall.page.evaluate(APART) == [], (role, name)
            if PICTURES:
                wall.page.screenshot(path=f"{PICTURES}/screen-{stage}-{role}-{name}.png")


@pytest.mark.slow
def test_telephone_that_opens_the_board_is_no_screen_of_the_wall(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("drawing")
    held = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    telephone = held.new_page()
    with telephone.expect_response(lambda answer: "/screen.json?held" in answer.url):
        telephone.goto(f"{running_hall.url}/board/{CODE}/")
    expect(telephone.locator("body")).to_have_attribute("data-sure", "yes")
    expect(telephone.locator("#pairing")).to_be_hidden()
    assert not WallScreen.objects.exists()
    held.close()


KEPT = """async () => {
  const at = await navigator.serviceWorker.ready;
  return Boolean(at.active) && (await caches.match(new URL("?still", at.scope).href)) !== undefined;
}"""


@pytest.mark.slow
def test_board_switched_on_without_its_hall_stands_still_and_comes_back(
    browser: Browser, running_hall: RunningHall, restart: Callable[[], None]
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    wall = board(browser, running_hall)
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes")
    assert wall.page.evaluate(KEPT)
    running_hall.server.kill()
    running_hall.server.wait()
    wall.page.reload(timeout=WITHIN)
    expect(wall.page.locator("#unsure")).to_be_visible(timeout=WITHIN)
    expect(wall.page.locator("h1")).to_have_text(evening.hall.name)
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "no")
    assert wall.page.locator("#last-ball").text_content() == ""
    assert wall.page.locator("[data-put=session]").text_content() == ""
    wall.picture("board-still")
    restart()
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes", timeout=BACK)
    expect(wall.page.locator(".board__ball")).to_have_text(str(evening.numbers()[-1]))
    expect(wall.page.locator("#pairing")).to_be_visible()


@pytest.mark.slow
def test_hall_s_own_pictures_stand_between_games_and_give_way_at_once(
    browser: Browser, running_hall: RunningHall, tmp_path: Path
) -> None:
    evening = Evening(hall=running_hall.hall)
    file = tmp_path / "jantar.png"
    Image.linear_gradient("L").resize((1600, 900)).convert("RGB").save(file)
    manager = enter(browser, running_hall, "chefe")
    manager.page.goto(f"{running_hall.url}/screens/")
    manager.page.locator("#picture").set_input_files(file)
    manager.page.locator("#pictures form .button--primary").click()
    expect(manager.page.locator(".wall-pictures img")).to_be_visible()
    manager.picture("screens-pictures")

    wall = board(browser, running_hall)
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes")
    between = wall.page.locator("#between")
    expect(between).to_be_hidden()  # the board itself comes first
    expect(between).to_be_visible(timeout=25_000)
    wall.picture("board-between")
    evening.reach("selling")
    expect(between).to_be_hidden(timeout=WITHIN)
    expect(wall.page.locator("#board")).to_have_attribute("data-phase", "selling")
