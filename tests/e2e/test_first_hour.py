"""From an empty database to a first game on sale, by the pages alone."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from draws.record.audit import audit
from halls import accounts, setup
from halls.models import Hall, JournalEntry, Session
from tests.support.factors import code_of, secret_on
from tests.support.people import DESKTOP, PHONE, PICTURES

pytestmark = pytest.mark.browser

MANAGER, OWN = "sete-bolas-42", "segunda-senha-8"
STAFF = {
    "chefe.mesa": ("Joana Tavares", "table_chief"),
    "locutor": ("Rui Pires", "caller"),
    "caixa": ("Ana Fortes", "cashier"),
}


def picture(page: Page, name: str) -> None:
    """Keep a picture of the page in BINGO_PICTURES, when that is set."""
    if PICTURES is None:
        return
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    for size, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(200)
        page.screenshot(path=f"{PICTURES}/{name}-{size}.png", full_page=True)
    page.set_viewport_size(DESKTOP)


def fits(page: Page) -> None:
    """Nothing scrolls sideways on a telephone."""
    page.set_viewport_size(PHONE)
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{page.url} is {width} px wide"
    page.set_viewport_size(DESKTOP)


def step(page: Page, url: str, name: str) -> None:
    """See that a step is the next one, the biggest thing on the page, and go where it is done."""
    page.goto(f"{url}/first-steps/")
    expect(page.locator(f"#step-{name}")).to_have_attribute("aria-current", "step")
    expect(page.locator("#next-step .button--big")).not_to_have_count(0)
    page.wait_for_load_state("load")
    page.keyboard.press("F2")
    page.wait_for_url(lambda now: "/first-steps/" not in now)


def is_done(page: Page, url: str, name: str) -> None:
    """See that a step is done."""
    page.goto(f"{url}/first-steps/")
    expect(page.locator(f"#step-{name}")).to_have_class(re.compile("is-done"))


def enter(browser: Browser, url: str, username: str, password: str) -> Page:
    """Log in for the first time: the password that was given is changed before anything else."""
    page = browser.new_context(viewport=DESKTOP, locale="pt-PT").new_page()
    page.goto(url)
    page.fill("#id_username", username)
    page.fill("#id_password", password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/password/")
    page.goto(f"{url}/till/")
    assert page.url.endswith("/password/")
    if username == "caixa":
        picture(page, "first-password")
        fits(page)
    page.fill("#password", OWN)
    page.fill("#password_again", OWN)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda now: "/password/" not in now)
    if "/second-factor/" in page.url:
        add_factor(page)
    return page


def add_factor(page: Page) -> None:
    """Add an authenticator app, and go on from the recovery codes."""
    page.wait_for_url("**/second-factor/**")
    page.fill("#app-code", code_of(secret_on(page.content())))
    page.keyboard.press("Enter")
    expect(page.locator("#codes li")).to_have_count(10)
    page.keyboard.press("F2")
    page.wait_for_url(lambda now: "/second-factor/" not in now)


def open_the_hall(page: Page, url: str, word: str) -> None:
    """Fill in the page of a server without a hall."""
    page.goto(url)
    assert page.url.endswith("/first/")
    page.fill("#word", word)
    for field, value in {
        "name": "Sala Mindelo",
        "licence": "12/2026",
        "code": "sala-mindelo",
        "tills": "2",
        "currency": "CVE",
        "time_zone": "Atlantic/Cape_Verde",
        "manager_name": "Maria Lima",
        "manager": "maria.lima",
        "password": MANAGER,
        "password_again": MANAGER,
    }.items():
        page.fill(f"#{field}", value)


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_empty_database_comes_to_a_first_game_on_sale(browser: Browser, empty_server: str) -> None:
    url, errors = empty_server, []
    word = setup.give()
    page = browser.new_context(viewport=DESKTOP, locale="pt-PT").new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))

    # A stranger who came first over the network opens nothing.
    open_the_hall(page, url, "0000-0000")
    page.keyboard.press("F2")
    expect(page.locator("[data-code=setup_word_wrong]")).to_be_visible()
    assert not Hall.objects.exists()
    picture(page, "first-refused")

    open_the_hall(page, url, word)
    picture(page, "first")
    fits(page)
    page.keyboard.press("F2")
    page.wait_for_url("**/second-factor/**")
    picture(page, "first-factor")
    fits(page)
    add_factor(page)
    page.wait_for_url("**/first-steps/")
    picture(page, "first-steps")
    fits(page)
    page.goto(f"{url}/manager/")
    expect(page.locator("#first-steps")).to_be_visible()
    picture(page, "first-manager")

    step(page, url, "staff")
    expect(page.locator("#missing")).to_contain_text("manage.py account")
    # The first inspector is nobody's of the hall: whoever runs the machine takes them on.
    inspects = accounts.enrol_at_machine(
        hall=Hall.objects.get(), username="inspetor", name="Carlos Évora", roles=["inspector"],
        language="pt", at=timezone.now(),
    )  # fmt: skip
    given = {"inspetor": inspects.password}
    for username, (name, role) in STAFF.items():
        page.fill("#enrol-name", name)
        page.fill("#enrol-username", username)
        page.check(f"#enrol-role-{role}")
        page.keyboard.press("F2")
        expect(page.locator(f"[id='person-{username}']")).to_be_visible()
        expect(page.locator("#given-password")).to_contain_text(username)
        given[username] = page.locator("#given-password code").inner_text()
    picture(page, "first-staff")
    fits(page)
    assert len(set(given.values())) == len(given)
    # The page loaded anew sends the order again: it is not told a second time.
    page.reload()
    page.wait_for_url("**/staff/")
    expect(page.locator("#given-password")).to_have_count(0)
    expect(page.locator(".notice--warning:visible")).to_contain_text("Ana Fortes")
    page.click("[id='person-locutor'] a")
    page.wait_for_url("**/staff/?person=locutor#change")
    picture(page, "first-staff-change")
    fits(page)
    page.fill("#set-name", "Rui Pires Lima")
    page.click("#change .button--primary")
    expect(page.locator("[id='person-locutor']")).to_contain_text("Rui Pires Lima")
    # The paper is lost: another password is given, which is asked once more.
    page.click("[id='person-locutor'] a")
    page.click("[data-opens=give-dialog]")
    expect(page.locator("#give-dialog")).to_be_visible()
    picture(page, "first-staff-give")
    fits(page)
    page.click("#give-dialog .button--primary")
    expect(page.locator("#given-password")).to_contain_text("Rui Pires Lima")
    lost, given["locutor"] = given["locutor"], page.locator("#given-password code").inner_text()
    assert lost != given["locutor"]
    page.click("main a[href='/first-steps/']")

    step(page, url, "authorisation")
    page.fill("#reference", "Despacho 1/2026")
    page.fill("#valid_from", "2026-01-01")
    page.check("[name=format-90]")
    page.fill("#faces", "200")
    page.check("#sure")
    page.keyboard.press("F2")
    page.wait_for_url(lambda now: "/record/" not in now)

    step(page, url, "policy")
    page.check("[name=source][value=by_hand]")
    page.keyboard.press("F2")
    expect(page.locator("#history-frame")).to_be_visible()

    step(page, url, "series")
    page.check("[name=size][value=A-90]")
    page.keyboard.press("F2")
    page.wait_for_url(re.compile(r"/cards/series/\d+/"))
    step(page, url, "stock")
    page.fill("#identification", "1001")
    page.fill("#counted", "90")
    page.keyboard.press("F2")
    page.wait_for_url(lambda now: "/receive/" not in now)

    step(page, url, "balls")
    page.fill("#serial", "B-0001")
    page.click("#set-form .button--primary")
    expect(page.locator(".notice--ok").first).to_be_visible()
    # What is only registered is not drawn from: the step is still the next one, and says so.
    step(page, url, "balls")
    page.click("a:text-is('B-0001')")
    page.click("form[action$='/do/use/'] .button--primary")
    expect(page.locator(".notice--ok").first).to_be_visible()
    is_done(page, url, "balls")
    # A set without an approval in force is not sold on: its page is the step's.
    step(page, url, "approval")
    page.fill("#approve-approval", "Despacho 2/2026")
    page.fill("#approve-authority", "Inspeção-Geral de Jogos")
    page.fill("#approve-on", "2026-01-01")
    page.click("form[action$='/do/approve/'] .button")
    expect(page.locator(".notice--ok").first).to_be_visible()
    is_done(page, url, "approval")
    # No camera is an answer; the key was made with the hall, and the folder is the operator's.
    for name in ("source", "seal", "checkpoints"):
        is_done(page, url, name)
    picture(page, "first-steps-half")

    step(page, url, "board")
    wall = browser.new_context(viewport=DESKTOP).new_page()
    wall.goto(f"{url}/board/sala-mindelo/")
    expect(wall.locator("#pairing")).to_be_visible()
    step(page, url, "check")
    page.keyboard.press("F4")
    expect(page.locator("[data-key=F2]")).to_be_enabled()
    page.keyboard.press("F2")
    expect(page.locator(".notice--ok").first).to_be_visible()

    step(page, url, "roll_call")
    page.click("#call-form button")
    expect(page.locator(".notice--ok").first).to_be_visible()
    is_done(page, url, "roll_call")
    step(page, url, "session")
    page.wait_for_url("**/manager/")
    # No evening before this one tells when it usually ends.
    there = timezone.now().astimezone(ZoneInfo("Atlantic/Cape_Verde"))
    page.fill("#session-ends", f"{there + timedelta(hours=6):%H:%M}")
    with page.expect_response("**/do/**"):
        page.keyboard.press("F2")
    expect(page.locator("#live")).to_contain_text("Sessão 1")
    assert Session.objects.count() == 1
    # All is done: nothing of it is left on the manager's page, and the list is still there.
    page.goto(f"{url}/manager/")
    expect(page.locator("#first-steps")).to_have_count(0)
    page.goto(f"{url}/first-steps/")
    expect(page.locator("[aria-current=step]")).to_have_count(0)
    picture(page, "first-steps-done")

    cashier = enter(browser, url, "caixa", given["caixa"])
    cashier.fill("#float", "5000")
    cashier.keyboard.press("F2")
    chief = enter(browser, url, "chefe.mesa", given["chefe.mesa"])
    chief.select_option("#issue", index=0)
    with chief.expect_response("**/do/**"):
        chief.keyboard.press("F6")
    caller = enter(browser, url, "locutor", given["locutor"])
    expect(caller.locator(".spoken")).to_contain_text("Vai iniciar-se a venda")
    with caller.expect_response("**/do/**"):
        caller.keyboard.press("F2")
    expect(cashier.locator("#quantity")).to_be_visible()
    inspector = enter(browser, url, "inspetor", given["inspetor"])
    inspector.goto(f"{url}/staff/")
    expect(inspector.locator("#people")).to_contain_text("Joana Tavares")

    kinds = set(JournalEntry.objects.values_list("kind", flat=True))
    assert {"hall_opened", "staff_changed", "password_changed", "sale_announced"} <= kinds
    assert audit(Hall.objects.get()) == []
    assert errors == []
