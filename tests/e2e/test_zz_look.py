import pytest
from playwright.sync_api import Browser, ViewportSize
from tests.draws.views.evening import Evening
from tests.e2e.conftest import RunningHall, CODE
from tests.e2e.people import board, enter

pytestmark = pytest.mark.browser


def test_look(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    wall = board(browser, running_hall).page
    wall.wait_for_timeout(800)
    wall.screenshot(path="/tmp/s12/pics/h7_paired.png")

    def pics(tag, roles):
        for role in roles:
            wall.goto(f"{running_hall.url}/board/{CODE}/?as={role}")
            for w, h in ((1920, 1080), (1024, 768), (1080, 1920)):
                wall.set_viewport_size(ViewportSize(width=w, height=h))
                wall.wait_for_timeout(500)
                wall.screenshot(path=f"/tmp/s12/pics/h7_{tag}_{role}_{w}.png")

    pics("draw", ("everything", "numbers", "last", "prizes"))
    page = enter(browser, running_hall, "gerente").page
    page.goto(f"{running_hall.url}/screens/")
    page.screenshot(path="/tmp/s12/pics/h7_screens.png")
    evening.reach("checked")
    pics("check", ("check", "last"))
