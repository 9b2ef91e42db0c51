"""The door by keyboard alone and on a telephone, the list of the excluded, the register before an inspector."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from halls import sessions
from halls.models import Role
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support import axe
from tests.support.evening import Evening, authorise
from tests.support.people import PHONE, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.rule("BOE III")]

WITHIN = 10_000  # ms
LAPTOP = ViewportSize(width=1366, height=768)
PICTURES = os.environ.get("BINGO_PICTURES")
DOCUMENT = "12.345.678-Z"


def seen(page: Page, name: str) -> list[str]:
    """Look at a page on a laptop and a telephone, in light and dark: it fits, and shuts nobody out."""
    for size, viewport in (("laptop", LAPTOP), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(100)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= viewport["width"], f"{name} on a {size} is {width} px wide"
        for theme in axe.THEMES if PICTURES else ():
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            Path(str(PICTURES)).mkdir(parents=True, exist_ok=True)
            page.wait_for_timeout(300)
            page.screenshot(path=f"{PICTURES}/{name}-{size}-{theme}.png", full_page=True)
    page.set_viewport_size(LAPTOP)
    return axe.in_every_theme(page)


def shown(page: Page, document: str) -> None:
    """Type a document and go on by the keyboard alone; the field is ready for the next person then."""
    expect(page.locator("#document")).to_be_focused(timeout=WITHIN)
    page.keyboard.type(document)
    with page.expect_response("**/door/do/admit/"):
        page.keyboard.press("Enter")
    expect(page.locator("#document")).to_have_value("")
    expect(page.locator("#document")).to_be_focused(timeout=WITHIN)


def test_birth_date_half_typed_outlives_what_the_hall_does_meanwhile(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "porta").page
    page.goto(f"{running_hall.url}/door/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    before = page.locator("#live").get_attribute("data-number") or ""
    page.focus("#born")
    page.keyboard.type("1212")  # month and day, in whichever order
    sessions.record_note(
        session=evening.session, category="breakdown", text="Luz", decision="",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    page.wait_for_timeout(4000)
    page.keyboard.type("1990", delay=300)
    assert page.input_value("#born") == "1990-12-12"
    # What was held back comes once the date is whole, and keeps it.
    expect(page.locator("#live")).not_to_have_attribute("data-number", before, timeout=WITHIN)
    assert page.input_value("#born") == "1990-12-12"


def test_door_admits_refuses_and_the_inspector_finds_it(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall)
    authorise(evening.hall, reference="2/2026", capacity=3, identity_asked=True)
    evening.reach("session")
    manager = enter(browser, running_hall, "chefe").page
    manager.goto(f"{running_hall.url}/exclusions/")
    found = seen(manager, "exclusions-empty")
    manager.fill("#document", "999 999 999")
    manager.select_option("#exclusion_reason", "own_request")
    manager.keyboard.press("F2")
    expect(manager.locator("#exclusions tbody tr")).to_have_count(1, timeout=WITHIN)
    assert "999" not in manager.content()

    door = enter(browser, running_hall, "porta").page
    door.goto(f"{running_hall.url}/door/")
    found += seen(door, "door")
    door.keyboard.press("Tab")
    door.locator("#document").focus()
    shown(door, DOCUMENT)
    expect(door.locator(".notice--ok")).to_be_visible()
    shown(door, "999999999")
    expect(door.locator(".notice[data-code=excluded]")).to_be_visible()
    found += seen(door, "door-excluded")
    assert "999999" not in door.content()
    door.fill("#born", "2020-02-29")
    door.locator("#document").focus()
    shown(door, "CV123456")
    expect(door.locator(".notice[data-code=minor]")).to_be_visible()
    found += seen(door, "door-minor")
    for document in ("CV222222", "CV333333"):
        shown(door, document)
    expect(door.locator(".next-step--stop")).to_be_visible()
    shown(door, "CV444444")
    expect(door.locator(".notice[data-code=hall_full]")).to_be_visible()
    found += seen(door, "door-full")
    with door.expect_response("**/door/do/leave/"):
        door.keyboard.press("F4")
    expect(door.locator(".notice--ok")).to_be_visible()

    inspector = enter(browser, running_hall, "inspetor").page
    inspector.goto(f"{running_hall.url}/inspector/admissions/")
    expect(inspector.locator("#refusals tbody tr")).to_have_count(3)
    found += seen(inspector, "admissions")
    inspector.locator("#look-up summary").click()
    inspector.fill("#document", "12345678 z")
    inspector.keyboard.press("F2")
    expect(inspector.locator("#answer li")).to_have_count(1, timeout=WITHIN)
    assert "12345678" not in inspector.content()
    found += seen(inspector, "admissions-found")
    inspector.goto(f"{running_hall.url}/inspector/looks/")
    expect(inspector.get_by_text("look-up/?document=")).to_be_visible()
    inspector.goto(f"{running_hall.url}/exclusions/")
    expect(inspector.locator("form[action$='/add/']")).to_have_count(0)
    found += seen(inspector, "exclusions-inspector")

    manager.goto(f"{running_hall.url}/inspector/admissions/")
    expect(manager.locator("#refusals, #look-up")).to_have_count(0)
    found += seen(manager, "admissions-manager")
    manager.goto(f"{running_hall.url}/exclusions/")
    manager.locator("#lift-form summary").click()
    manager.fill("#exclusion", "1")
    manager.fill("#lift-reason", "Pedido revogado")
    manager.fill("#lift-witness-username", "mesa")
    manager.fill("#lift-witness-password", PASSWORD)
    found += seen(manager, "exclusions-lifting")
    manager.locator("#lift-form button").click()
    expect(manager.locator("#exclusions .badge")).to_have_text("levantada", timeout=WITHIN)
    found += seen(manager, "exclusions")
    manager.goto(f"{running_hall.url}/manager/")
    found += seen(manager, "manager-door")
    assert evening.person(Role.DOOR).username == "porta"
    assert not found, "\n".join(found)
