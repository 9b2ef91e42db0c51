"""What an office prints is black on white, without what can only be pressed, and no table is cut."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import RunningHall
from tests.support import axe
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

PRINTED = ("manager", "inspector", "custody", "equipment", "equipment/check", "policy", "cameras")
PAPER = 718  # CSS px between the margins of a sheet of A4
FAULTS = """() => {
  const faults = [];
  const named = one => one.tagName + "." + one.className + " " + one.textContent.trim().slice(0, 25);
  for (const one of document.querySelectorAll("nav, .top, .button, .skip"))
    if (one.checkVisibility()) faults.push("printed: " + named(one));
  for (const one of document.querySelectorAll("main table"))
    if (one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
      faults.push("cut: " + named(one));
  for (const one of [document.documentElement, document.body, document.querySelector("main")]) {
    const style = getComputedStyle(one);
    if (style.color !== "rgb(0, 0, 0)") faults.push("not black: " + style.color);
    if (!/^(rgba\\(0, 0, 0, 0\\)|rgb\\(255, 255, 255\\))$/.test(style.backgroundColor))
      faults.push("not white: " + style.backgroundColor);
  }
  return faults;
}"""


@pytest.mark.slow
def test_pages_that_an_office_prints_are_clean_on_paper(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("paying")
    page = enter(browser, running_hall, "chefe").page
    found = []
    for path in PRINTED:
        page.emulate_media(media="screen")
        page.goto(f"{running_hall.url}/{path}/")
        page.evaluate("() => { document.documentElement.dataset.theme = 'dark' }")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": PAPER, "height": 1000})
        page.evaluate(axe.SETTLE)
        found += [f"{path}: {one}" for one in page.evaluate(FAULTS)]
        assert page.pdf(format="A4").startswith(b"%PDF")
    assert not found, "\n".join(found)
