"""The till and the draw are worked without a mouse, and a screen reader is told of keys and balls."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
  if (one === document.body || one === document.documentElement) return null;
  const all = [...document.querySelectorAll("*")];
  return {
    order: all.indexOf(one),
    name: one.tagName + " " + one.className + " " + one.textContent.trim().slice(0, 25),
    seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    within: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    tabindex: one.tabIndex,
  };
}"""
UNTOLD = """() => [...document.querySelectorAll("[data-key]:not([aria-keyshortcuts])")]
  .map(one => one.outerHTML.slice(0, 80))"""
MOST = 200


def tabbed(page: Page) -> list[dict[str, object]]:
    """Return what Tab leads through, from the first of the page to the last."""
    page.evaluate("() => { document.activeElement.blur(); getSelection().removeAllRanges() }")
    page.evaluate(
        "() => { document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex') }"
    )
    steps: list[dict[str, object]] = []
    for _step in range(MOST):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None or (steps and found["order"] == steps[0]["order"]):
            return steps
        steps.append(found)
    raise AssertionError("Tab leads nowhere out of the page")


@pytest.mark.slow
def test_till_and_draw_are_worked_by_keys_alone(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    till = enter(browser, running_hall, "caixa1").page
    evening.reach("drawing")
    caller = enter(browser, running_hall, "locutor").page
    for page in (till, caller):
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator("main")).to_have_count(1)
        expect(page.locator("#connection")).to_have_attribute("data-state", "live")
        steps = tabbed(page)
        assert len(steps) > 5
        assert "skip" in str(steps[0]["name"])
        orders = [int(str(step["order"])) for step in steps]
        assert orders == sorted(orders), steps
        assert [one for one in steps if not (one["seen"] and one["within"])] == []
        assert page.evaluate(UNTOLD) == []
        page.locator(".skip").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.id") == "main"


@pytest.mark.slow
def test_focus_stays_where_balls_are_keyed(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    page = enter(browser, running_hall, "locutor").page
    left = sorted(set(range(1, 91)) - set(evening.numbers()))
    for number in left[:2]:
        before = page.locator("#live").get_attribute("data-number") or ""
        page.locator("#number").fill(str(number))
        with page.expect_response("**/do/**"):
            page.keyboard.press("Enter")
        expect(page.locator("#live")).not_to_have_attribute("data-number", before)
        expect(page.locator("#number")).to_be_focused()
        expect(page.locator("#told")).to_contain_text(str(number))
