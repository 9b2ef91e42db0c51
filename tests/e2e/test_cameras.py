"""A camera is set up, shown where balls rest, and shown the balls: by keys alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from draws.balls import cameras_and_live_picture, enrolment_queries
from draws.balls.camera_outbox import ShowingWatch
from draws.balls.vision import exit_area
from draws.balls.vision.calibration import Survey
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.style import Style, prints, unseen_fonts
from draws.balls.vision.values import Spot
from draws.models import Camera
from halls.equipment import ball_sets
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.people import DESKTOP, PHONE, Person, enter
from tests.support.vision_answers import Eyes

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ADDRESS = "rtsp://sala:segredo@192.0.2.7/saida"
NARROW = {"width": 1280, "height": 800}


@pytest.fixture
def scene() -> Scene:
    rng = np.random.default_rng(21)
    look = Style(
        (235, 240, 245), (20, 20, 20), unseen_fonts()[0], 0.9, prints(rng, 6), marked="all"
    )
    return Scene(look, rng, size=(640, 360), rest=(0.5, 0.6))


@pytest.fixture
def hall(running_hall: RunningHall, static_folder: Path, settings: Any) -> RunningHall:
    settings.DATA_DIR, settings.PICTURES_DIR = static_folder, static_folder / "pictures"
    return running_hall


def picture(person: Person, what: str) -> None:
    """Keep the page at the sizes of an office and a phone, and see that nothing scrolls sideways."""
    for size in (NARROW, PHONE):
        person.page.set_viewport_size(size)  # type: ignore[arg-type]
        wide = person.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= size["width"], f"{what} at {size['width']} px is {wide} px wide"
    person.picture(what)
    person.page.set_viewport_size(NARROW)  # type: ignore[arg-type]


def set_up(hall: RunningHall, **changed: Any) -> Camera:
    manager = hall.hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]
    usual: dict[str, Any] = {"name": "Saída", "url": ADDRESS, "format": 30, "settings": {}}
    return cameras_and_live_picture.set_up(
        hall=hall.hall, **(usual | changed), by=manager, at=timezone.now()
    )


def register(hall: RunningHall) -> None:
    manager = hall.hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]
    ball_sets.register(
        hall=hall.hall, serial="T-30", format=30, marks=(6, 9), by=manager, at=timezone.now()
    )


def film(scene: Scene, watch: ShowingWatch, *acts: Act) -> None:
    """Let the camera's process see some balls."""
    watch.round(drawing=False, at=timezone.now())
    for frame in scene.play(acts):
        watch.see(frame, at=timezone.now())


def test_camera_is_set_up_and_shown_where_balls_rest(
    browser: Browser, hall: RunningHall, scene: Scene
) -> None:
    manager = enter(browser, hall, "chefe")
    page = manager.page
    page.set_viewport_size(DESKTOP)
    page.goto(f"{hall.url}/cameras/")
    page.fill("#name", "Saída")
    page.fill("#url", "/etc/passwd")
    page.click("form[action$='/add/'] button")
    expect(page.locator("[data-code=not_a_camera]")).to_be_visible()
    picture(manager, "cameras-refused")
    set_up(hall)
    camera = Camera.objects.get()
    page.goto(f"{hall.url}/cameras/{camera.pk}/calibrate/")
    page.click("form:has([value=ball]) button")
    # Nothing answers there: the page says so, and soon.
    expect(page.locator(".takes__told").first).not_to_have_attribute(
        "data-code", "taking", timeout=9000
    )
    picture(manager, "calibration-no-picture")
    with_ball = [frame for frame in scene.play([Act("ball", 17)]) if scene.labels and
                 frame.at >= scene.labels[0].at]  # fmt: skip
    for name, frames in (("empty", list(scene.still(1.0))), ("ball", with_ball[:12])):
        shelf = enrolment_queries.enrolment_shelf(camera, name)
        shelf.ask(at=time.time())
        shelf.answer()
        shelf.save(frames, at=time.time())
    page.reload()
    expect(page.locator(".calibrate__still")).to_be_visible()
    x, y = scene.plan.cup
    found = [int(page.input_value(f"#{name}")) for name in ("x", "y", "radius")]
    assert found == pytest.approx([x, y, scene.plan.radius], abs=8)
    page.focus(".calibrate__still")
    for key in ("ArrowLeft", "Shift+ArrowLeft", "+"):
        page.keyboard.press(key)
    moved = [int(page.input_value(f"#{name}")) for name in ("x", "y", "radius")]
    assert moved == [found[0] - 11, found[1], found[2] + 1]
    box = page.locator(".calibrate__still").bounding_box()
    assert box
    scale = box["width"] / 640
    page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)
    page.fill("#x", str(x))
    page.fill("#radius", str(round(scene.plan.radius)))
    expect(page.locator("[data-hint=light]")).to_have_attribute("data-verdict", "good")
    picture(manager, "calibration")
    page.keyboard.press("F2")
    expect(page.locator(".alerts .notice--ok")).to_be_visible()
    camera.refresh_from_db()
    kept = exit_area.read(camera.settings)
    assert kept.radius == round(scene.plan.radius)
    assert kept.empty


def test_balls_are_named_with_one_key_and_called(
    browser: Browser, hall: RunningHall, scene: Scene
) -> None:
    x, y = scene.plan.cup
    spot = Spot(float(x), float(y), scene.plan.radius)
    place = Survey().take(scene.still(1.0)).area(fps=scene.fps, spot=spot)
    camera = set_up(hall, settings=place.document())
    register(hall)
    watch = ShowingWatch(camera, place, Eyes(scene, 14))
    manager = enter(browser, hall, "chefe")
    page = manager.page
    page.set_viewport_size(DESKTOP)
    page.goto(f"{hall.url}/cameras/{camera.pk}/")
    picture(manager, "camera")
    page.click("button[value=enrol]")
    expect(page.locator(".shown-now__number")).to_have_text("1")
    film(scene, watch, Act("ball", 23))
    expect(page.locator(".shown-now__told .button--primary")).to_contain_text("23")
    picture(manager, "showing-asks")
    page.focus("#number")
    page.keyboard.press("Enter")
    expect(page.locator(".shown-grid li").nth(22)).not_to_have_attribute("data-state", "missing")
    film(scene, watch, Act("ball", 11))
    expect(page.locator(".shown-now__told .button--primary")).to_be_visible()
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    expect(page.locator(".shown-grid li").nth(10)).not_to_have_attribute("data-state", "missing")
    assert page.input_value("#number") == ""
    picture(manager, "showing")
    page.click("form[action$='/certify/'] button")
    expect(page.locator("[data-code=balls_not_shown]")).to_be_visible()
    picture(manager, "showing-refused")
    page.click("form[action$='/give-up/'] button")
    page.click("button[value=opening]")
    film(scene, watch, *(Act("ball", number) for number in (3, 14, 27)))
    # Two were read for sure; of the third the caller is asked.
    expect(page.locator(".shown-grid [data-state=done]")).to_have_count(2)
    expect(page.locator(".shown-now__number")).to_have_text("14")
    picture(manager, "roll-call")
    page.keyboard.press("Enter")
    expect(page.locator(".shown-grid [data-state=done]")).to_have_count(3)
    page.click("form[action$='/call/'] button")
    expect(page.locator(".camera__todo").first).to_be_visible()
    expect(page.locator(".camera__todo").first).to_contain_text("1, 2, 4, 5")
    picture(manager, "roll-call-done")
