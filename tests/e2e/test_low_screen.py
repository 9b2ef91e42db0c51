"""On the low screens that most halls have, what a desk works with now is in sight without scrolling."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAPTOP = ViewportSize(width=1366, height=768)
SMALL = ViewportSize(width=1280, height=720)
# What must be in sight, by desk and stage.
WORK = {
    ("caller", "locutor", "sold"): (
        ".next-step__title", "#live .next-step > [data-key=F2]", "[data-voice=switch]",
    ),
    ("caller", "locutor", "closed"): (
        ".next-step__title", "#live .next-step > [data-key=F2]", "[data-voice=switch]",
    ),
    ("caller", "locutor", "drawing"): (
        ".ball--last", "#live .balls li:last-child", "[data-call=line] button",
        "[data-call=bingo] button", "#number", "[data-voice=switch]",
    ),
    ("caller", "locutor", "stopped"): (
        ".next-step__title", "#live .balls li:last-child", "[data-voice=switch]",
    ),
    ("table", "mesa", "stopped"): (
        ".next-step__title", "#card", "#live [data-key=F2]", "#live .balls li:last-child",
        "[data-opens=withdraw-dialog]",
    ),
    ("table", "mesa", "checked"): ("#live [data-key=F6]", ".badge--ok", ".card-table"),
    ("till", "caixa1", "paying"): ("#prize-card", "#pay-form [data-key=F2]"),
}  # fmt: skip

IN_SIGHT = """
(selector) => {
  const found = document.querySelector(selector);
  if (found === null) return `${selector}: missing`;
  const { left, top, right, bottom } = found.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
    return `${selector}: out of sight, ${Math.round(top)} to ${Math.round(bottom)}`;
  }
  const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return found.contains(shown) || shown?.contains(found) ? "" : `${selector}: covered`;
}
"""


def unseen(page: Page, selectors: tuple[str, ...]) -> list[str]:
    """Return what of a desk's work is not in sight."""
    return [told for one in selectors if (told := page.evaluate(IN_SIGHT, one))]


@pytest.mark.parametrize("size", [LAPTOP, SMALL], ids=["1366x768", "1280x720"])
def test_work_of_a_desk_is_in_sight(
    browser: Browser, running_hall: RunningHall, size: ViewportSize
) -> None:
    evening = Evening(hall=running_hall.hall)
    pages = {
        name: enter(browser, running_hall, name).page for name in ("locutor", "mesa", "caixa1")
    }
    for page in pages.values():
        page.set_viewport_size(size)
    missed = {}
    for (desk, name, stage), selectors in WORK.items():
        evening.reach(stage)
        page = pages[name]
        page.goto(f"{running_hall.url}/{desk}/")
        page.wait_for_selector(selectors[0])
        missed[desk, stage] = unseen(page, selectors)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert {place: told for place, told in missed.items() if told} == {}
