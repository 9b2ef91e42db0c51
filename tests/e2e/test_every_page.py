"""Every page of everybody: nothing is cut off, whatever the names and the screen.

On a telephone long pages are cut into parts. On each page one button at most stands out, and no rule is
named by its number. A wall's board has tests of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from halls.models import Hall, Person, Till
from tests.e2e.conftest import RunningHall
from tests.support import axe
from tests.support.evening import Evening
from tests.support.every_page import STAFF, opened_by, routes
from tests.support.people import PHONE, enter
from tests.support.planting_rows import plant

pytestmark = pytest.mark.browser

LAPTOP = ViewportSize(width=1366, height=768)
SMALL = ViewportSize(width=1280, height=720)
SIZES = (LAPTOP, SMALL, PHONE)
LANGUAGES = ("pt", "es")
DESKS = frozenset(
    {"manager", "table", "caller", "till", "seller", "assistant", "door", "watch",
     "inspector-session", "inspector-game", "inspector-replay", "unclaimed", "custody"}
)  # fmt: skip
SCENES = ("drawing", "stopped", "checked", "window", "paying")
# What is there only after what this evening does not bring about.
ELSEWHERE = {
    "cameras-one", "cameras-calibrate", "cameras-showing", "checkpoint", "inspector-acta", "ask-second-factor",
    "rectify",
}  # fmt: skip
OTHERS = {"board", "components"}  # a wall, and the pieces that pages are made of
TALLEST = 2_700  # px on a telephone
# The form of a jackpot is as long as its levels are many.
TALLER = {"cards-authorise": 4_600, "cards": 3_400}
LONG = (
    "Sociedade Cooperativa Desportiva Recreativa e Cultural da Ribeira Grande de Santiago "
    "Otorrinolaringologistastropical "
) * 2
# Words cut off or running out of their box; a page that scrolls sideways.
CUT = """() => {
  const found = [], root = document.documentElement, hides = /hidden|clip/;
  const named = one => `${one.tagName}.${one.getAttribute("class")} ${one.textContent.trim().slice(0, 30)}`;
  const words = one => [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (root.scrollWidth > root.clientWidth) found.push(`scrolls sideways: ${root.scrollWidth}`);
  for (const one of document.body.querySelectorAll("*")) {
    if (one.closest("svg, .visually-hidden, .skip, [inert], option, progress, input, dialog:not([open])")) continue;
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const style = getComputedStyle(one);
    if (one.offsetWidth < 2 || (style.clipPath !== "none" && style.position === "absolute")) continue;
    if (one.matches(".bar__name[title]")) continue; // two lines, and the whole name in its title
    if (hides.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1)
      found.push(`cut off: ${named(one)}`);
    if (hides.test(style.overflowY) && one.scrollHeight > one.clientHeight + 2)
      found.push(`cut off below: ${named(one)}`);
    if (root.clientWidth > 1000 && one.matches(".table-frame") && one.scrollWidth > one.clientWidth + 1)
      found.push(`beyond its frame: ${named(one)}`);
    if (words(one) && style.display !== "inline" && style.overflowX === "visible"
        && one.scrollWidth > one.clientWidth + 2) found.push(`out of its box: ${named(one)}`);
  }
  return found;
}"""
STANDING_OUT = """() => [...document.querySelectorAll("main .button--primary")]
  .filter(one => one.checkVisibility() && !one.closest("dialog")).map(one => one.textContent.trim())"""
RULES = (
    r"() => document.body.dataset.why ? document.body.innerText.match(/\(R\d[^()]*\)/g) ?? [] : []"
)
# The page learns of its new width a frame later.
PARTED = """() => document.getElementById("parts") !== null
  || new Set([...document.querySelectorAll("main [data-part]")].flatMap(one => one.dataset.part.split("|"))).size < 2"""
PARTS = "() => [...document.querySelectorAll('#parts a')].map(one => one.textContent)"
CHOOSE = "name => [...document.querySelectorAll('#parts a')].find(one => one.textContent === name).click()"
HEIGHT = "() => document.documentElement.scrollHeight"


def name_at_length(hall: Hall) -> None:
    """Give hall, people and tills names as long as their fields take."""
    plant(Hall.objects.filter(pk=hall.pk), name=LONG[:200])
    for person in hall.people.all():
        plant(Person.objects.filter(pk=person.pk), name=f"{person.pk} {LONG}"[:200])
    for till in hall.tills.all():
        plant(Till.objects.filter(pk=till.pk), name=f"{till.pk} {LONG}"[:50].strip())


def heights(page: Page) -> Iterator[tuple[str, int]]:
    """Return how high a telephone's page is, or each of its parts."""
    page.wait_for_function(PARTED)
    for name in page.evaluate(PARTS) or [""]:
        if name:
            page.evaluate(CHOOSE, name)
        yield name, page.evaluate(HEIGHT)


def faults(page: Page, tallest: int = TALLEST) -> list[str]:
    """Return what is wrong with the page that is open, at every size."""
    found: list[str] = []
    for size in SIZES:
        page.set_viewport_size(size)
        found += [f"{size['width']} px: {one}" for one in page.evaluate(CUT)]
    tall = [f"{part} {height} px high" for part, height in heights(page) if height > tallest]
    page.set_viewport_size(LAPTOP)
    standing = page.evaluate(STANDING_OUT)
    several = [f"stand out: {standing}"] if len(standing) > 1 else []
    return [*found, *tall, *several, *page.evaluate(RULES)]


def judge(page: Page, url: str, pages: Mapping[str, str]) -> list[str]:
    """Open pages one after the other and return what is wrong with them."""
    told = []
    for name, address in pages.items():
        if name not in OTHERS:
            page.goto(url + address)
            told += [f"{address} {one}" for one in faults(page, TALLER.get(name, TALLEST))]
    return told


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_on_any_page_of_anybody(
    browser: Browser, running_hall: RunningHall, language: str
) -> None:
    name_at_length(running_hall.hall)
    plant(running_hall.hall.people.all(), language=language)
    evening = Evening(hall=running_hall.hall).reach("selling").equip()
    people = {name: enter(browser, running_hall, name).page for name in STAFF}
    found, seen = [], set[str]()
    for name, page in people.items():
        pages = opened_by(page, running_hall.url)
        # A manager and an inspector see the same pages otherwise.
        own = (
            pages
            if name in {"chefe", "inspetor"}
            else {one: pages[one] for one in pages.keys() - seen}
        )
        found += [f"{name} {one}" for one in judge(page, running_hall.url, own)]
        seen |= pages.keys()
    assert routes().keys() - seen == ELSEWHERE
    for scene in SCENES:
        evening.reach(scene)
        for name, page in people.items():
            pages = opened_by(page, running_hall.url)
            desks = {one: pages[one] for one in pages.keys() & DESKS}
            found += [f"{scene} {name} {one}" for one in judge(page, running_hall.url, desks)]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_shut_out_of_any_page(
    browser: Browser, running_hall: RunningHall, language: str
) -> None:
    plant(running_hall.hall.people.all(), language=language)
    evening = Evening(hall=running_hall.hall).reach("paying")
    found, seen = [], set[str]()
    for name in STAFF:
        page = enter(browser, running_hall, name).page
        for one, address in opened_by(page, running_hall.url).items():
            if one not in seen | {"board"}:
                page.goto(running_hall.url + address)
                found += axe.in_every_theme(page)
            seen.add(one)
    assert evening.game.phase == "paying"
    assert not found, "\n".join(found)


def test_what_is_cut_off_too_tall_or_stands_out_twice_is_found(browser: Browser) -> None:
    page = browser.new_page(viewport=LAPTOP)
    page.set_content(
        "<body data-why='why?'><main>"
        "<p style='width: 50px; overflow: hidden; white-space: nowrap'>cut off here</p>"
        "<p style='width: 50px; white-space: nowrap'>out of its box</p>"
        "<p style='height: 10px; overflow: hidden'>cut<br>below</p>"
        "<button class='button--primary'>one</button><button class='button--primary'>two</button>"
        "<p>A rule (R53)</p><div style='height: 3000px'></div></main>"
    )
    found = faults(page)
    assert any(one.startswith("390 px: cut off: P") for one in found), found
    assert any("out of its box" in one for one in found)
    assert any("cut off below" in one for one in found)
    assert any("px high" in one for one in found)
    assert "stand out: ['one', 'two']" in found
    assert "(R53)" in found
    page.set_content("<main><p>A page</p><button class='button--primary'>one</button></main>")
    assert faults(page) == []


@pytest.mark.slow
def test_long_list_on_a_telephone_begins_short_and_grows_at_a_press(
    browser: Browser, running_hall: RunningHall
) -> None:
    page = enter(browser, running_hall, "inspetor").page
    for _ in range(30):
        page.goto(f"{running_hall.url}/inspector/looks/")
    rows = page.locator("#looks-frame tbody tr")
    expect(rows.filter(visible=True)).to_have_count(rows.count())
    page.set_viewport_size(PHONE)
    few = rows.filter(visible=True).count()
    assert 2 < few < rows.count()
    page.get_by_role("button", name="Mostrar mais").press("Enter")
    assert rows.filter(visible=True).count() > few
    expect(rows.nth(few)).to_be_focused()
    page.set_viewport_size(LAPTOP)
    expect(rows.filter(visible=True)).to_have_count(rows.count())
