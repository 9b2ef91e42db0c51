"""A screen shows the truth or says that it is unsure; a form sent twice, or late, does no harm."""

import re
import signal
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from draws.models import Sale
from draws.sales import services as sales_services
from halls.models import Role
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening
from tests.support.people import DESKTOP, Person, board, enter
from tests.support.truth import SURE, UNSURE, restart

__all__ = ["restart"]  # the fixture

pytestmark = pytest.mark.browser


def sold_behind_its_back(evening: Evening, quantity: int) -> None:
    """Sell at the other till, through no page."""
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=quantity, **evening.who(Role.CASHIER)
    )


def unsure(wall: Person, console: Person) -> None:
    """Both say that they may be old."""
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "no", timeout=UNSURE)
    expect(wall.page.locator("#unsure")).to_be_visible()
    expect(console.page.locator("#connection")).to_have_attribute(
        "data-state", "lost", timeout=UNSURE
    )
    expect(console.page.locator("#connection-lost")).to_be_visible()


def sure(wall: Person, console: Person, *, cards: int) -> None:
    """Both show so many cards sold, and are sure of it."""
    expect(wall.page.locator('[data-put="cards"]')).to_have_text(str(cards), timeout=SURE)
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes", timeout=SURE)
    expect(wall.page.locator("#unsure")).to_be_hidden()
    console_next = console.page.locator("[data-live=next]").first
    expect(console_next).to_have_text(str(cards + 1), timeout=SURE)
    expect(console.page.locator("#connection")).to_have_attribute(
        "data-state", "live", timeout=SURE
    )
    expect(console.page.locator("#connection-lost")).to_be_hidden()


@pytest.mark.slow
def test_screens_that_lose_the_server_say_so_and_come_back_to_the_truth(
    browser: Browser, running_hall: RunningHall, restart: Callable[[], None]
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    wall, console = board(browser, running_hall), enter(browser, running_hall, "caixa1")
    sure(wall, console, cards=6)

    running_hall.server.send_signal(signal.SIGSTOP)
    sold_behind_its_back(evening, 4)
    unsure(wall, console)
    running_hall.server.send_signal(signal.SIGCONT)
    sure(wall, console, cards=10)

    running_hall.server.kill()
    running_hall.server.wait()
    sold_behind_its_back(evening, 5)
    unsure(wall, console)
    restart()
    sure(wall, console, cards=15)

    wall.page.reload()
    console.page.reload()
    sure(wall, console, cards=15)


@pytest.mark.slow
def test_cashier_with_a_keyboard_alone_sells_once_however_often_keys_are_pressed(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = browser.new_context(viewport=DESKTOP, locale="pt-PT").new_page()
    page.goto(running_hall.url)
    page.keyboard.type("caixa2")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#float")
    page.keyboard.type("5000")
    page.keyboard.press("F2")
    expect(page.locator("#quantity")).to_be_focused()

    handed = page.locator("#sold .sold__cards strong")
    page.keyboard.type("3")
    page.keyboard.press("F2")
    page.keyboard.press("F2")
    expect(handed).to_have_text("1–3")
    expect(page.locator("#quantity")).to_be_focused()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(handed).to_have_text("4–5")

    page.fill("#quantity", "1")
    page.evaluate(
        "() => { const b = document.querySelector('#sell-form [data-key=F2]'); b.click(); b.click(); b.click(); }"
    )
    expect(handed).to_have_text("6")
    page.wait_for_timeout(600)  # a press that comes sooner was not meant
    page.locator(".quantities button").first.dblclick()
    expect(handed).to_have_text("7")
    page.wait_for_timeout(500)
    assert list(Sale.objects.order_by("first").values_list("first", "last")) == [
        (1, 3), (4, 5), (6, 6), (7, 7),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(36)
def test_page_left_open_sells_what_is_next_and_says_so(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    deaf = browser.new_context(viewport=DESKTOP, locale="pt-PT")
    deaf.route_web_socket(re.compile("/live/"), lambda _socket: None)
    plain = browser.new_context(viewport=DESKTOP, locale="pt-PT", java_script_enabled=False)
    for number, context in enumerate((deaf, plain)):
        page = context.new_page()
        page.goto(running_hall.url)
        page.fill("#id_username", "caixa1")
        page.fill("#id_password", PASSWORD)
        page.press("#id_password", "Enter")
        page.wait_for_selector("#quantity")
        first = 7 + 3 * number
        expect(page.locator("[data-live=next]").first).to_have_text(str(first))
        sold_behind_its_back(evening, 2)
        page.fill("#quantity", "1")
        page.press("#quantity", "Enter")
        told = (
            page.locator("#sold strong").first if context is deaf else page.locator(".notice--ok")
        )
        expect(told).to_contain_text(str(first + 2))
        expect(page.locator("[data-live=next]").first).to_have_text(str(first + 3))
