"""Every page can be read and used by all: axe-core finds no violation, in the light and in the dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from halls.web.menu_and_theme import pages_of
from tests.e2e.conftest import RunningHall
from tests.support import axe
from tests.support.evening import Evening
from tests.support.office_pages import STAFF, walk
from tests.support.people import PHONE, board, enter

pytestmark = pytest.mark.browser

AT_WORK = {"chefe": "manager", "mesa": "table", "locutor": "caller", "caixa1": "till"}
REFUSED = {403, 409, 413, 422}
# The page's own forms that ask for words; and one of them sent with what is none.
WORDS = "input:not([type=hidden], [type=checkbox], [type=radio], [type=file])"
ASKING = f"""[...document.querySelectorAll("main form[method=post]")].filter(form =>
  form.querySelector("{WORDS}") && !form.closest("dialog"))"""
NONSENSE = f"""number => {{
  const form = {ASKING}[number];
  form.noValidate = true;
  for (const one of form.querySelectorAll("{WORDS}"))
    if (/text|password|search/.test(one.type)) one.value = "?";
  form.requestSubmit();
}}"""
BROKEN = """() => document.querySelector("main").insertAdjacentHTML("beforeend",
  '<img id="mute" src="/static/icons/ball.svg"><p id="pale">pale</p>') ||
  document.getElementById("pale").style.setProperty("color", "#999") ||
  document.getElementById("pale").style.setProperty("background", "#aaa")"""


def on(page: Page, url: str) -> list[str]:
    """Open an address and judge it."""
    page.goto(url)
    return axe.in_every_theme(page)


@pytest.mark.slow
def test_no_page_of_the_office_shuts_anybody_out(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    stranger = browser.new_context().new_page()
    found = on(stranger, f"{running_hall.url}/login/")
    found += on(stranger, f"{running_hall.url}/nowhere/")
    pages: dict[str, Page] = {}
    for name, page in walk(browser, running_hall, evening):
        found += axe.in_every_theme(page)
        pages[name] = page
    found += on(pages["chefe"], f"{running_hall.url}/components/")
    wall = board(browser, running_hall)
    found += axe.violations(wall.page)  # a board is dark whatever is chosen
    evening.reach("checked")
    for name, path in AT_WORK.items():
        found += on(pages[name], f"{running_hall.url}/{path}/")
    wall.page.reload()
    found += axe.violations(wall.page)
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_nor_any_page_that_is_one_step_further(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("paying")
    found = []
    for name, role in STAFF.items():
        page = enter(browser, running_hall, name).page
        links: set[str] = set()
        for path in pages_of(evening.person(role)):
            page.goto(f"{running_hall.url}/{path}/")
            links |= set(
                page.eval_on_selector_all(
                    "main a[href^='/']:not([download])",
                    "all => all.map(a => a.getAttribute('href').split(/[?#]/)[0])",
                )
            )
        for link in sorted(link for link in links if link.endswith("/")):
            found += on(page, running_hall.url + link)
    page = enter(browser, running_hall, "vendedor1").page
    page.set_viewport_size(PHONE)
    found += axe.violations(page)
    assert not found, "\n".join(found)


def _kept(answers: list[int]) -> Callable[[Response], None]:
    return lambda answer: answers.append(answer.status)


@pytest.mark.slow
def test_nor_any_refusal(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    found, refused = [], 0
    for _name, page in walk(browser, running_hall, evening):
        url, answers = page.url, list[int]()
        page.on("response", _kept(answers))
        for number in range(page.evaluate(f"{ASKING}.length")):
            page.goto(url)
            answers.clear()
            page.evaluate(NONSENSE, number)
            page.wait_for_load_state("networkidle")
            if REFUSED & set(answers):
                refused += 1
                found += axe.in_every_theme(page)
    page = enter(browser, running_hall, "caixa1").page
    page.goto(f"{running_hall.url}/staff/")
    expect(page.locator("h1")).to_have_text("Isto não pode ser feito")
    found += axe.in_every_theme(page)
    assert not found, "\n".join(found)
    assert refused > 10


@pytest.mark.slow
def test_a_picture_without_words_and_a_pale_word_are_found(
    browser: Browser, running_hall: RunningHall
) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{running_hall.url}/login/")
    page.evaluate(BROKEN)
    found = axe.violations(page)
    assert any(one.startswith("image-alt #mute") for one in found), found
    assert any(one.startswith("color-contrast #pale") for one in found), found
