"""A hall registers its balls, checks its equipment while players watch, and opens its session."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from draws.balls import readings
from draws.demonstration import hall as demonstration_hall
from draws.games import services as games_services
from draws.models import Issue
from draws.rng import client
from draws.sales import services as sales_services
from halls import sessions
from halls.equipment import ball_sets
from halls.models import BallSet, EquipmentCheck, JournalEntry, Role, Session
from halls.policy.services import set_policy
from tests.e2e.conftest import CODE, PASSWORD, RunningHall
from tests.support.drawn_pages import drawn
from tests.support.equipment import LAPTOP, seen
from tests.support.evening import Evening, tonight
from tests.support.people import enter
from tests.support.programs import kill

pytestmark = pytest.mark.browser

SEEN = 10_000  # milliseconds until a page has noticed; it asks every two seconds


@pytest.mark.rule(32)
@pytest.mark.slow
def test_equipment_is_checked_before_the_players_and_the_session_opened(
    browser: Browser, running_hall: RunningHall
) -> None:
    page = enter(browser, running_hall, "chefe").page
    page.goto(f"{running_hall.url}/equipment/")
    seen(page, "equipment-empty")
    page.fill("#serial", "B-0017")
    page.fill("#marks", "6, 9 16")
    page.fill("#games", "1921")
    page.click("#set-form button")
    page.click("text=/^(Put it in use|Pôr em uso)$/ >> nth=-1")
    page.goto(f"{running_hall.url}/equipment/")
    if not page.locator("#device-form").get_attribute("open"):
        page.click("#device-form summary")
    page.fill("#device-name", "Bombo 1")
    for field, text in (("approval", "3/2026"), ("authority", "IGJ"), ("on", "2026-01-02")):
        page.fill(f"#device-{field}", text)
    page.click("#device-form button")
    used = BallSet.objects.get()
    assert (used.standing, used.marks, used.games) == ("in_use", [6, 9, 16], 1921)
    seen(page, "equipment")
    page.goto(f"{running_hall.url}/equipment/sets/{used.pk}/")
    seen(page, "ball-set")

    watching = browser.new_context(viewport=LAPTOP).new_page()
    watching.goto(f"{running_hall.url}/board/{CODE}/check/")
    page.goto(f"{running_hall.url}/equipment/check/")
    items = page.locator(".checklist__item")
    assert page.locator("[data-key=F2]").is_disabled()
    screen, sound = items.nth(2), items.nth(4)
    for item, fault in ((screen, "Sem imagem"), (sound, "Chia")):
        item.locator("summary").click()
        item.locator("[name=note] >> visible=true").fill(fault)
        item.locator("details button").click()
        page.wait_for_load_state()
    expect(watching.locator(".checklist__item--fails").first).to_contain_text("Sem imagem")
    seen(page, "check-going-on")
    seen(watching, "check-watched")
    # The RNG says of itself that it works, and is no part of what is left.
    expect(page.locator(".checklist__item", has=page.locator("#rng-"))).to_have_class(
        re.compile("checklist__item--works")
    )
    page.keyboard.press("F4")
    expect(page.locator("[data-key=F2]")).to_be_enabled()
    page.keyboard.press("F2")
    expect(page.locator(".finding")).to_have_count(2)
    assert not EquipmentCheck.objects.get().passed
    seen(page, "check-failed")

    # No session opens on it, and the hall manager's page says why.
    page.goto(f"{running_hall.url}/manager/")
    expect(page.locator("#in-the-way")).to_contain_text("Sem imagem")
    seen(page, "manager-in-the-way")
    page.fill("#session-ends", Evening(hall=running_hall.hall).hour())
    page.keyboard.press("F2")
    expect(page.locator("[data-code=equipment_fails]")).to_contain_text("Sem imagem")
    assert not Session.objects.exists()

    # One is mended and looked at again; without the other it goes on.
    page.goto(f"{running_hall.url}/equipment/check/")
    screen.locator("button[value=works]").click()
    page.wait_for_load_state()
    sound.locator("summary").click()
    sound.locator("[name=note] >> visible=true").fill("Chia")
    sound.locator("details button").click()
    page.wait_for_load_state()
    page.keyboard.press("F2")
    way = page.locator(".finding")
    expect(way).to_have_count(1)
    way.locator("summary").click()
    way.locator("[name=reason]").fill("Anuncia-se com o megafone")
    way.locator("[name=witness_username]").fill("mesa")
    way.locator("[name=witness_password]").fill(PASSWORD)
    way.locator("details button").click()
    page.wait_for_selector(".notice--ok")
    seen(page, "check-done")
    page.goto(f"{running_hall.url}/manager/")
    expect(page.locator("#live")).to_contain_text("megafone")
    seen(page, "manager-checked")
    assert page.locator("#checked").count() == 0
    page.fill("#session-ends", Evening(hall=running_hall.hall).hour())
    page.keyboard.press("F2")
    page.wait_for_selector("text=/Sess[aã]o? ?.* 1/")
    expect(page.locator(".next-step").first).to_be_visible()
    assert Session.objects.get().state["terms"]["checked"]


@pytest.mark.slow
def test_statistics_fit_their_page(browser: Browser, running_hall: RunningHall) -> None:
    hall = running_hall.hall
    evening = Evening(hall=hall)
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=hall, checked=True, ends_at=tonight(), **manager)
    assert Issue.objects.filter(hall=hall).exists()
    sets = [
        ball_sets.register(hall=hall, serial=serial, format=90, **manager)
        for serial in ("B-0017", "B-0018")
    ]
    drawn(evening, 150, ball_set=sets[0], heavy=17)
    drawn(evening, 150, ball_set=sets[1])
    ball_sets.use(ball_set=sets[0], **manager)
    page = enter(browser, running_hall, "chefe").page
    for name, one in (("crooked", sets[0]), ("fair", sets[1])):
        page.goto(f"{running_hall.url}/equipment/statistics/?ball_set={one.pk}")
        assert page.locator("#alarm").count() == (name == "crooked")
        assert page.locator(".plot__bar").count() == 90
        seen(page, f"statistics-{name}")
    page.goto(f"{running_hall.url}/equipment/")
    seen(page, "equipment-alarm")


@pytest.mark.rule(42)
@pytest.mark.slow
def test_rng_killed_before_the_sale_is_told_decided_about_and_comes_back(
    browser: Browser, running_hall: RunningHall, static_folder: Path
) -> None:
    hall, folder = running_hall.hall, static_folder / "rng"
    evening = Evening(hall=hall)
    manager, chief = evening.who(Role.HALL_MANAGER), evening.who(Role.TABLE_CHIEF)
    set_policy(hall=hall, source="rng", **manager)
    session = sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    games_services.open_game(session=session, issue=demonstration_hall.issue(hall, "1001"), **chief)
    page = enter(browser, running_hall, "chefe").page
    calling = enter(browser, running_hall, "locutor").page
    page.goto(f"{running_hall.url}/manager/")
    calling.goto(f"{running_hall.url}/caller/")
    expect(calling.locator("#rng .badge--ok")).to_be_visible()
    kill(drawer_of(folder))
    # Nobody touches the pages: they ask by themselves.
    expect(calling.locator("#rng-first")).to_be_visible(timeout=SEEN)
    expect(page.locator("#choice")).to_be_visible(timeout=SEEN)
    seen(page, "manager-rng-down")
    seen(calling, "caller-rng-down")
    with client.running(folder):
        expect(calling.locator("#rng-first")).to_have_count(0, timeout=SEEN)
        expect(page.locator("#choice")).to_have_count(0, timeout=SEEN)
    expect(page.locator("#choice")).to_be_visible(timeout=SEEN)
    page.click("#choice button")
    expect(page.locator("#choice.panel")).to_be_visible()
    seen(page, "manager-rng-decided")
    expect(calling.locator("#rng-first")).to_have_count(0)
    evening.equip()  # what is drawn by hand is drawn from a set (R22)
    calling.keyboard.press("F2")
    expect(calling.locator("#live")).to_have_attribute("data-place", re.compile("selling"))
    assert JournalEntry.objects.get(kind="source_changed").data["source"] == "by_hand"


def drawer_of(folder: Path) -> int:
    """Return the process that draws the numbers in a folder."""
    for one in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            argv = (one / "cmdline").read_bytes().decode().split("\0")
            if argv[1:4] == ["-m", "draws.rng", str(folder)]:
                return int(one.name)
    raise LookupError(folder)


@pytest.mark.slow
@pytest.mark.rule(55)
def test_suspended_game_runs_down_on_the_hall_manager_s_page(
    browser: Browser, running_hall: RunningHall
) -> None:
    hall = running_hall.hall
    evening = Evening(hall=hall)
    evening.reach("session").reach("shift")
    chief, caller = evening.who(Role.TABLE_CHIEF), evening.who(Role.CALLER)
    issue = demonstration_hall.issue(hall, "1001")
    game = games_services.open_game(session=evening.session, issue=issue, **chief)
    games_services.announce_sale(game=game, **caller)
    sales_services.sell(game=game, shift=evening.shift, quantity=6, **evening.who(Role.CASHIER))
    games_services.close_sale(game=game, **caller)
    page = enter(browser, running_hall, "chefe").page
    page.goto(f"{running_hall.url}/manager/")
    assert page.locator(".clock").count() == 0
    readings.suspend(game=game, reason="Sem luz", **evening.who(Role.CALLER))
    clock = page.locator(".clock[role=timer]")
    expect(clock).to_be_visible()
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)
    seen(page, "manager-suspended")
    readings.resume_suspension(game=game, decision="Gerador", **evening.who(Role.TABLE_CHIEF))
    expect(clock).to_have_count(0)
