"""The draw in the browser: a camera's balls judged by keys, the RNG's own pace, a fault answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from draws.balls import cameras_and_live_picture, readings
from draws.balls.vision import exit_area
from draws.models import Ball, Camera, Reading
from halls.models import JournalEntry, Role
from tests.e2e.conftest import RunningHall
from tests.support.browser_photographs import photograph
from tests.support.draw import HELD, closed, decide
from tests.support.evening import Evening
from tests.support.filmed_balls import URL
from tests.support.people import Person, board, enter

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def one_folder(static_folder: Path, settings: Any) -> None:
    """Let the services here use the pictures and the RNG of the hall that is served."""
    settings.PICTURES_DIR = static_folder / "pictures"
    settings.RNG_DIR = static_folder / "rng"


def shows(person: Person, what: str, text: str = "") -> None:
    """Wait until the page shows a part, with a text in it."""
    part = person.page.locator(f"#live {what}").first
    expect(part).to_be_visible()
    expect(part).to_contain_text(text)


def camera_of(evening: Evening) -> Camera:
    """The hall's camera, which sees well now."""
    camera = Camera.objects.filter(hall=evening.hall).first() or cameras_and_live_picture.set_up(
        hall=evening.hall, name="Saída", url=URL, format=90, settings=exit_area.around(160.0, 120.0, 40.0, (320, 240)).document(),
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    cameras_and_live_picture.beat(camera=camera, at=timezone.now())
    return camera


def see(
    camera: Camera,
    number: int | None,
    *guesses: tuple[int, int],
    reason: str = "",
    truly: int | None = None,
) -> Reading:
    """Let the camera tell of a ball that it has taken a picture of; `truly` where it is another."""
    cameras_and_live_picture.beat(camera=camera, at=timezone.now())
    return readings.propose(
        camera=camera, number=number, confidence=guesses[0][1] if guesses else 0,
        candidates=guesses, runner_up=guesses[1][0] if len(guesses) > 1 else None, reason=reason,
        picture=photograph(truly or (guesses[0][0] if guesses else None)), seen_at=timezone.now(),
        stream_at=0, frame=0, key=uuid4(),
    )  # fmt: skip


def retype(caller: Person, number: str) -> None:
    """Announce another number than the guesses."""
    expect(caller.page.locator(HELD.format(key="F4"))).to_be_visible()
    caller.page.keyboard.press("F4")
    expect(caller.page.locator("[id^=other-]")).to_be_focused()
    caller.page.keyboard.type(number)
    with caller.page.expect_response("**/do/confirm/"):
        caller.page.keyboard.press("Enter")


@pytest.mark.slow
@pytest.mark.rule(42)
@pytest.mark.rule(57)
def test_camera_s_balls_are_announced_by_key_or_by_themselves_dismissed_and_recalled(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = closed(running_hall, source="camera", automatic=950)
    camera = camera_of(evening)
    caller, wall = enter(browser, running_hall, "locutor"), board(browser, running_hall)
    caller.press("F2")
    shows(caller, ".ask--looking")
    caller.picture("caller-camera-waiting")

    see(camera, 45, (45, 990), (54, 6))  # sure: the hall's rule announces it
    expect(caller.page.locator(".draw__last > .ball")).to_have_text("45")
    expect(wall.page.locator("#last-ball")).to_have_text("45")
    expect(wall.page.locator("#ball-picture")).to_be_visible()
    # A picture that was just put on the page is loaded a moment later.
    loaded = "() => document.querySelector('.draw__shot img')?.naturalWidth > 0"
    caller.page.wait_for_function(loaded)

    see(camera, None, reason="hand")
    expect(caller.page.locator(HELD.format(key="Escape")).first).to_be_visible()
    caller.page.keyboard.press("Escape")
    expect(caller.page.locator("dialog:modal")).to_be_visible()
    caller.picture("caller-camera-dismissing")
    caller.press("2")
    shows(caller, ".ask--looking")

    see(camera, None, (61, 480), (19, 470), reason="no_mark")
    shows(caller, ".ask__why", "61")
    shows(caller, ".ask__why", "19")
    expect(caller.page.locator("#told")).to_contain_text("61")
    expect(caller.page.locator('[data-reading] [data-key="Enter"]')).to_have_count(0)
    caller.picture("caller-camera-no-mark")
    decide(caller, "1")
    expect(wall.page.locator("#last-ball")).to_have_text("61")
    wall.picture("board-camera")

    see(camera, 45, (45, 990), reason="drawn_already", truly=46)
    expect(caller.page.locator('.guess[data-key="1"]')).to_be_disabled()
    caller.picture("caller-camera-drawn-already")
    retype(caller, "46")
    expect(wall.page.locator("#last-ball")).to_have_text("46")

    caller.press("F8")
    expect(wall.page.locator("#focus")).to_contain_text("46")
    shows(caller, "[data-reading$='/recalled']:not([inert])")
    caller.picture("caller-camera-recalled")
    wall.picture("board-recalled")
    retype(caller, "47")

    see(camera, 12, (12, 700), (72, 200), reason="low")
    expect(caller.page.locator(HELD.format(key="Enter")).first).to_be_visible()
    caller.picture("caller-camera-low")
    caller.press("l")
    shows(caller, ".next-step--stop")
    shows(caller, ".held li")
    caller.picture("caller-camera-stopped")

    drawn = list(Ball.objects.order_by("order").values_list("number", "source"))
    assert drawn == [(45, "camera"), (61, "camera"), (47, "camera")]
    facts = JournalEntry.objects.filter(kind="ball_announced").order_by("number")
    assert [entry.data.get("automatic") for entry in facts] == [True, None, None, None]
    assert JournalEntry.objects.get(kind="reading_dismissed").data["reason"] == "hand"
    assert JournalEntry.objects.get(kind="ball_recalled").data["number"] == 46


@pytest.mark.slow
def test_rng_draws_at_the_hall_s_pace_once_a_number_and_stops_at_a_call(
    browser: Browser, hurried: None, running_hall: RunningHall
) -> None:
    evening = closed(running_hall, source="rng", interval=3)
    caller = enter(browser, running_hall, "locutor")
    caller.press("F2")
    caller.picture("caller-rng")
    caller.page.keyboard.press("a")
    expect(caller.page.locator("#pace")).to_have_attribute("aria-pressed", "true")
    caller.picture("caller-rng-pace")
    expect(caller.page.locator("#draw-form[data-order='4']")).to_be_visible()
    caller.press("l")
    shows(caller, ".next-step--stop")
    out = evening.game.balls.count()
    caller.page.wait_for_timeout(2500)  # longer than two intervals
    assert evening.game.balls.count() == out
    games_of = JournalEntry.objects.filter(kind="ball_announced").values_list("data__count")
    assert [count for (count,) in games_of.order_by("number")] == list(range(1, out + 1))
    assert not JournalEntry.objects.filter(kind="command_refused").exists()


@pytest.mark.slow
@pytest.mark.rule(55)
def test_fault_is_answered_by_suspension_then_by_hand_before_a_second_person(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = closed(running_hall, source="camera")
    camera = camera_of(evening)
    caller, chief = enter(browser, running_hall, "locutor"), enter(browser, running_hall, "mesa")
    manager, wall = enter(browser, running_hall, "chefe"), board(browser, running_hall)
    caller.press("F2")
    cameras_and_live_picture.beat(camera=camera, health="covered", at=timezone.now())
    shows(caller, "#cameras .badge--error")
    caller.picture("caller-camera-covered")
    caller.page.keyboard.press("F6")
    expect(caller.page.locator("#suspend-reason")).not_to_have_value("")
    with caller.page.expect_response("**/do/suspend/"):
        caller.page.keyboard.press("Enter")
    expect(chief.page.locator(".clock")).to_contain_text("14:")
    expect(wall.page.locator("#suspended-clock")).to_contain_text("14:")
    caller.picture("caller-suspended")
    chief.picture("table-suspended")
    wall.picture("board-suspended")
    chief.page.fill("#decision-taken", "Câmara destapada")
    chief.press("F8")
    expect(wall.page.locator("#suspended-clock")).to_have_count(0)

    see(camera, 45, (45, 990))
    decide(caller, "Enter")
    caller.page.keyboard.press("F9")
    caller.page.fill("#source-reason", "A câmara parou")
    caller.picture("caller-source")
    with caller.page.expect_response("**/do/change-source/"):
        caller.page.keyboard.press("Enter")
    expect(caller.page.locator("#number")).to_be_focused()
    caller.picture("caller-by-hand")
    caller.page.keyboard.type("7")
    with caller.page.expect_response("**/do/ask-second/"):
        caller.page.keyboard.press("Enter")
    shows(caller, ".ask--keyed", "7")
    caller.picture("caller-keyed")
    expect(chief.page.locator(HELD.format(key="Enter")).first).to_be_visible()
    chief.picture("table-second")
    manager.picture("manager-second")
    decide(chief, "Escape")
    expect(caller.page.locator("#number")).to_be_focused()
    caller.page.keyboard.type("77")
    with caller.page.expect_response("**/do/ask-second/"):
        caller.page.keyboard.press("Enter")
    decide(manager, "Enter")
    expect(wall.page.locator("#last-ball")).to_have_text("77")
    told = JournalEntry.objects.filter(kind="ball_announced").latest("number")
    assert (told.by.username if told.by else "", told.data["witness"]) == ("locutor", "chefe")
    caller.page.keyboard.press("F9")
    caller.page.fill("#source-reason", "A câmara vê de novo")
    with caller.page.expect_response("**/do/change-source/"):
        caller.page.keyboard.press("Enter")
    shows(caller, ".ask--looking")
