"""A game drawn from a network camera: rendered balls rest, are read, and stand on console and board."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from draws.balls import queries as balls_queries
from draws.balls.vision.rendering.scene import Act
from draws.demonstration.play import AUTOMATIC
from draws.models import Ball, Reading
from draws.record.audit import audit
from halls.models import Hall, JournalEntry
from tests.e2e.conftest import RunningHall
from tests.support.database import FreshDatabase
from tests.support.draw import HELD, closed, decide
from tests.support.extractor import CameraProcess, Extractor
from tests.support.people import Person, board, enter

pytestmark = pytest.mark.browser

SURE, WORN, AFTER = (17, 45, 70), 61, 32
SLOW = 30_000  # milliseconds a ball may take on a machine that is busy


@pytest.fixture
def extractor() -> Iterator[Extractor]:
    with Extractor(seed=2017, worn=(WORN,)) as made:
        yield made


@pytest.fixture
def watch(
    running_hall: RunningHall, fresh_database: FreshDatabase, static_folder: Path, settings: Any
) -> Iterator[CameraProcess]:
    """The camera process on the data folder of the hall that is served."""
    settings.PICTURES_DIR = static_folder / "pictures"
    with CameraProcess(fresh_database, static_folder) as made:
        yield made


def shown(picture: Locator) -> str:
    """Wait until a picture is seen; return its SHA-256 as the address tells it."""
    expect(picture).to_be_visible(timeout=SLOW)
    picture.evaluate("one => one.decode()")
    assert picture.evaluate("one => one.naturalWidth") > 0
    return Path(str(picture.get_attribute("src"))).stem


def sees_ball(caller: Person, wall: Person, number: int) -> None:
    """See that console and board show a ball and its picture, and that its row is of this picture."""
    expect(caller.page.locator(".draw__last > .ball")).to_have_text(str(number), timeout=SLOW)
    expect(wall.page.locator("#last-ball")).to_have_text(str(number), timeout=SLOW)
    ball = Ball.objects.get(number=number)
    assert (ball.source, shown(caller.page.locator(".draw__shot img"))) == ("camera", ball.picture)
    expect(wall.page.locator("#ball-picture")).to_have_attribute(
        "src", f"/pictures/{ball.picture}.jpg", timeout=SLOW
    )
    assert shown(wall.page.locator("#ball-picture")) == ball.picture
    kept = balls_queries.picture_path(ball.picture).read_bytes()
    assert hashlib.sha256(kept).hexdigest() == ball.picture
    assert caller.page.request.get(caller.page.url.replace(
        "/caller/", f"/pictures/{ball.picture}.jpg"
    )).body() == kept  # fmt: skip


LATEST = (
    1_000  # ms from the machine to the wall, where the machine is busy; docs/speed.md measures it
)
AGE = "(one) => Date.now() - Number(one.dataset.taken)"
SHADES = (
    """(one) => new Set(one.getContext("2d").getImageData(0, 0, one.width, one.height).data).size"""
)


def sees_the_machine(wall: Person) -> None:
    """See the extractor's live picture after the ball's own, on the whole wall where it is that part."""
    camera = wall.page.locator("#camera")
    expect(camera).to_be_visible(timeout=SLOW)
    expect(wall.page.locator(".board__live")).to_be_visible()
    expect(wall.page.locator(".board__ball")).to_be_visible()
    assert camera.evaluate(SHADES) > 50
    ages = []
    for _one in range(20):
        ages.append(int(camera.evaluate(AGE)))
        wall.page.wait_for_timeout(37)
    assert min(ages) < LATEST, ages
    print("age of the live picture, ms:", sorted(ages))
    wall.picture("film-board-live")
    whole = wall.page.context.new_page()
    whole.goto(f"{wall.page.url}?as=camera")
    expect(whole.locator("#board")).to_have_attribute("data-layout", "camera")
    expect(whole.locator("#camera")).to_be_visible(timeout=SLOW)
    for name, (wide, high) in {
        "wide": (1920, 1080),
        "old": (1024, 768),
        "tall": (1080, 1920),
    }.items():
        whole.set_viewport_size({"width": wide, "height": high})
        shown = whole.locator("#camera").bounding_box()
        assert shown
        assert shown["width"] * shown["height"] > 0.3 * wide * high
        Person(whole, "board").picture(f"film-camera-{name}")
    whole.close()


@pytest.mark.slow
@pytest.mark.rule(42)
@pytest.mark.rule(24)
@pytest.mark.rule(27)
def test_game_is_drawn_from_a_network_camera_and_a_worn_ball_is_put_to_the_caller(
    browser: Browser, running_hall: RunningHall, extractor: Extractor, watch: CameraProcess
) -> None:
    evening = closed(running_hall, source="camera", automatic=AUTOMATIC)
    extractor.hang_up(evening.hall)
    caller, wall = enter(browser, running_hall, "locutor"), board(browser, running_hall)
    caller.press("F2")
    expect(caller.page.locator("#cameras .badge--ok")).to_be_visible(timeout=SLOW)
    for number in SURE:
        extractor.throw(number)
        sees_ball(caller, wall, number)
    caller.picture("film-caller")
    wall.picture("film-board")
    sees_the_machine(wall)

    # Its mark has worn away: 61 or 19, nobody can tell but whoever sees the machine.
    extractor.throw(WORN)
    guess = caller.page.locator(f".guess[value='{WORN}']")
    expect(guess).to_be_visible(timeout=SLOW)
    expect(caller.page.locator(".guess[value='19']")).to_be_visible()
    expect(caller.page.locator("[data-reading] [data-key='Enter']")).to_have_count(0)
    asked = Reading.objects.get(standing="pending")
    assert shown(caller.page.locator(".ask__seen img")) == asked.picture
    assert (asked.number, asked.reason) == (None, "no_mark")
    caller.picture("film-caller-asked")
    decide(caller, str(guess.get_attribute("data-key")))
    sees_ball(caller, wall, WORN)

    extractor.throw(Act("hand"))
    expect(caller.page.locator("[data-reading$='/hand']")).to_be_visible(timeout=SLOW)
    expect(caller.page.locator(HELD.format(key="Escape")).first).to_be_visible()
    caller.page.keyboard.press("Escape")
    expect(caller.page.locator("dialog:modal")).to_be_visible()
    caller.press("2")
    extractor.throw(AFTER)
    sees_ball(caller, wall, AFTER)

    drawn = [*SURE, WORN, AFTER]
    assert list(Ball.objects.order_by("order").values_list("number", flat=True)) == drawn
    assert extractor.rested == drawn
    told = {
        entry.data["number"]: entry
        for entry in JournalEntry.objects.filter(kind="ball_announced").select_related("by")
    }
    for ball in Ball.objects.all():
        fact = told[ball.number]
        assert (fact.data["source"], fact.data["picture"]) == ("camera", ball.picture)
        assert fact.by is not None
        assert fact.by.username == "locutor"
        if ball.number == WORN:
            assert "automatic" not in fact.data
            continue
        assert fact.data["automatic"] is True
        assert fact.data["confidence"] == ball.confidence
        assert ball.confidence is not None
        assert ball.confidence >= AUTOMATIC
    assert audit(Hall.objects.get()) == []
