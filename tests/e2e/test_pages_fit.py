"""Every console fits a phone and a large screen: nothing scrolls sideways."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, ViewportSize

from draws.demonstration import hall as demonstration_hall
from draws.games import services as games_services
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening, tonight
from tests.support.office_pages import walk
from tests.support.people import DESKTOP, PHONE, enter

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_consoles_fit_phone_and_large_screen(browser: Browser, running_hall: RunningHall) -> None:
    hall, now = running_hall.hall, timezone.now
    staff = {
        role: hall.people.filter(roles__contains=[role]).order_by("username")[0] for role in Role
    }
    session = sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(now()), by=staff[Role.HALL_MANAGER], at=now()
    )
    cashier = staff[Role.CASHIER]
    shift = tills.open_shift(
        session=session, till=hall.tills.earliest("pk"), float=5_000_00, by=cashier, at=now()
    )
    issue = demonstration_hall.issue(hall, "1001")
    game = games_services.open_game(
        session=session, issue=issue, by=staff[Role.TABLE_CHIEF], at=now()
    )
    games_services.announce_sale(game=game, by=staff[Role.CALLER], at=now())
    sales_services.sell(game=game, shift=shift, quantity=120, by=cashier, at=now())
    for name in ("chefe", "mesa", "locutor", "caixa1", "inspetor"):
        page = enter(browser, running_hall, name).page
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            width = page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= size["width"], f"{name} at {size['width']} px is {width} px wide"


ZOOMED = ViewportSize(width=640, height=360)  # what a screen of 1280 by 720 shows at 200 %
LARGE_TEXT = "() => { document.documentElement.style.fontSize = '300%' }"
# Sideways scroll of the page, what reaches beyond it, words cut off in a control, controls covered.
FAULTS = """() => {
  const faults = [], wide = document.documentElement.clientWidth;
  const named = one => one.tagName + "." + one.className + "#" + one.id + " " + one.textContent.trim().slice(0, 25);
  const scrolls = one => { for (let up = one.parentElement; up; up = up.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) && up !== document.body) return true; };
  const shown = one => one.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && !one.closest(".visually-hidden, .skip, [inert]") && one.getBoundingClientRect().width > 1;
  if (document.documentElement.scrollWidth > wide) {
    faults.push("scrolls sideways: " + document.documentElement.scrollWidth);
    for (const one of document.body.querySelectorAll("*"))
      if (shown(one) && one.getBoundingClientRect().right > wide + 1 && !scrolls(one))
        faults.push("beyond the page: " + named(one));
  }
  for (const one of document.querySelectorAll("a[href], button, summary, input:not([type=hidden]), select, textarea")) {
    if (!shown(one)) continue;
    if (one.matches("button, .button") && one.scrollWidth > one.clientWidth + 1) faults.push("cut: " + named(one));
    if (one.disabled) continue;
    one.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const box = one.getClientRects()[0];
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const label = one.labels?.[0];
    if (there === null || !(one.contains(there) || there.contains(one) || label?.contains(there)))
      faults.push("covered: " + named(one) + " by " + (there ? named(there) : "nothing"));
  }
  return faults;
}"""


@pytest.mark.slow
def test_pages_hold_together_at_twice_the_size_and_with_large_text(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    found: list[str] = []
    for name, page in walk(browser, running_hall, evening):
        page.set_viewport_size(ZOOMED)
        found += [f"{name} {page.url} zoomed: {one}" for one in page.evaluate(FAULTS)]
        page.set_viewport_size(DESKTOP)
        page.evaluate(LARGE_TEXT)
        found += [f"{name} {page.url} large text: {one}" for one in page.evaluate(FAULTS)]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_a_page_too_wide_and_a_button_covered_are_found(browser: Browser) -> None:
    page = browser.new_page(viewport=ZOOMED)
    page.set_content(
        '<p class="wide" style="width: 900px">wide</p><button>covered</button>'
        '<div style="position: fixed; inset: 0"></div>'
    )
    found = page.evaluate(FAULTS)
    assert [one.split(":")[0] for one in found] == [
        "scrolls sideways",
        "beyond the page",
        "covered",
    ]
