"""Boards and consoles look as they did when they were last looked at, at each size, in each language."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.conftest import CODE, RunningHall
from tests.e2e.likeness import differences, unlike
from tests.support.evening import Evening
from tests.support.people import DESKTOP, PHONE, enter
from tests.support.pictures import sure
from tests.support.planting_rows import plant, plant_row

pytestmark = pytest.mark.browser

LANGUAGES = [code for code, _name in settings.LANGUAGES]
WALLS = {
    "wide": DESKTOP,
    "square": ViewportSize(width=1024, height=768),
    "tall": ViewportSize(width=1080, height=1920),
}
SCENES = ("selling", "drawing", "checked", "window", "paying")
CONSOLES = {
    "caixa1": "till",
    "locutor": "caller",
    "mesa": "table",
    "chefe": "manager",
    "vendedor1": "seller",
    "inspetor": "inspector",
}
SIZES = {"desk": DESKTOP, "phone": PHONE}
AT_WORK = "checked"


def wall(browser: Browser, running: RunningHall, size: ViewportSize) -> Page:
    page = browser.new_context(viewport=size).new_page()
    page.goto(f"{running.url}/board/{CODE}/?as=everything")
    return page


@pytest.mark.slow
@pytest.mark.rule(29)
def test_boards_look_as_they_did_at_each_size_and_in_each_language(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    walls = {shape: wall(browser, running_hall, size) for shape, size in WALLS.items()}
    found = []
    for scene in SCENES:
        evening.reach(scene)
        for shape, page in walls.items():
            page.reload()
            found += unlike(sure(page), f"board-{scene}-{shape}")
        if scene == AT_WORK:
            for language in LANGUAGES:
                evening.hall.language = language
                plant_row(evening.hall, "language")
                walls["wide"].reload()
                found += unlike(sure(walls["wide"]), f"board-{scene}-{language}")
            evening.hall.language = LANGUAGES[0]
            plant_row(evening.hall, "language")
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_consoles_look_as_they_did_on_desk_and_telephone_in_each_language(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach(AT_WORK)
    found = []
    for username, path in CONSOLES.items():
        page = enter(browser, running_hall, username).page
        for language in LANGUAGES:
            plant(evening.hall.people.filter(username=username), language=language)
            for shape, size in SIZES.items():
                if shape == "phone" and language != LANGUAGES[0] and path != "seller":
                    continue
                page.set_viewport_size(size)
                page.goto(f"{running_hall.url}/{path}/")
                expect(page.locator("html")).to_have_attribute("lang", language)
                page.wait_for_timeout(150)
                found += unlike(page, f"{path}-{language}-{shape}")
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_a_part_that_is_gone_and_one_of_another_colour_are_found(browser: Browser) -> None:
    page = browser.new_page(viewport=ViewportSize(width=640, height=360))

    def shot(style: str) -> Image.Image:
        page.set_content(
            "<body style='margin: 0; background: #111'>"
            f"<p style='margin: 40px; width: 200px; height: 60px; background: #ffe; {style}'>80 %</p>"
        )
        return Image.open(BytesIO(page.screenshot())).convert("RGB")

    kept = shot("")
    assert differences(shot("font-size: 17px"), kept) == []
    assert differences(shot("visibility: hidden"), kept)
    assert differences(shot("background: #d33"), kept)
    assert differences(shot("translate: 40px"), kept)
    assert differences(kept.resize((360, 640)), kept)
