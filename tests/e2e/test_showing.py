"""The called card before the table's camera, seen by the hall beside the system's own (R43, BOE II)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, expect

from draws.balls import queries as balls_queries
from draws.models import ShownCard
from tests.e2e.conftest import RunningHall
from tests.support.claims import look
from tests.support.evening import Evening
from tests.support.people import Person, board, enter

pytestmark = [pytest.mark.browser, pytest.mark.rule(43)]

GREEN = (20, 140, 60)


def filmed(place: Path) -> Path:
    """A film, as a browser takes it for a camera: a card with a green frame, over and over."""
    sheet = Image.new("RGB", (640, 480), GREEN)
    ImageDraw.Draw(sheet).rectangle((60, 60, 580, 420), fill="ivory")
    bright, *colours = sheet.convert("YCbCr").split()
    planes = [bright, *(one.resize((320, 240)) for one in colours)]
    frame = b"FRAME\n" + b"".join(one.tobytes() for one in planes)
    film = place / "table.y4m"
    film.write_bytes(b"YUV4MPEG2 W640 H480 F25:1 Ip A1:1 C420jpeg\n" + frame * 10)
    return film


@pytest.fixture
def at_the_table(browser: Browser, chromium: str, tmp_path: Path) -> Iterator[Browser]:
    """A browser whose computer has a camera over the table."""
    started = browser.browser_type.launch(
        executable_path=chromium,
        args=[
            "--no-sandbox",
            "--disable-gpu",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={filmed(tmp_path)}",
        ],
    )
    try:
        yield started
    finally:
        started.close()


def until(person: Person, holds: str) -> None:
    """Wait until something holds on a page, whose own rules let no text be run by it."""
    end = time.monotonic() + 10
    while not person.page.evaluate(holds):
        assert time.monotonic() < end, holds
        person.page.wait_for_timeout(50)


def stands_on(wall: Person) -> None:
    """The board's picture is there, whole, and beside the system's card."""
    picture = wall.page.locator(".board__check-picture")
    expect(picture).to_be_visible()
    until(wall, "document.querySelector('.board__check-picture')?.naturalWidth > 0")
    card, beside = wall.page.locator(".board__card").bounding_box(), picture.bounding_box()
    assert card is not None
    assert beside is not None
    assert card["x"] + card["width"] <= beside["x"] + 1
    assert wall.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
def test_card_before_the_camera_is_seen_by_the_hall(
    browser: Browser, at_the_table: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("stopped")
    wall, chief = board(browser, running_hall), enter(at_the_table, running_hall, "mesa")
    look(chief, 1)
    expect(wall.page.locator(".board__card")).to_be_visible()
    expect(wall.page.locator(".board__check-picture")).to_have_count(0)
    chief.page.keyboard.press("F9")
    expect(chief.page.locator("[data-shoot]")).to_be_visible()
    until(chief, "'seen' in document.querySelector('#photograph video').dataset")
    with chief.page.expect_response("**/do/show/"):
        chief.page.keyboard.press("F9")
    stands_on(wall)
    shown = ShownCard.objects.get()
    answer = wall.page.request.get(
        f"{running_hall.url}{balls_queries.picture_address(shown.picture)}"
    )
    kept = Image.open(BytesIO(answer.body()))
    corner = kept.convert("RGB").getpixel((5, 5))
    assert isinstance(corner, tuple)
    assert max(abs(a - b) for a, b in zip(corner, GREEN, strict=True)) < 25
    chief.picture("table-photograph")
    wall.picture("board-photograph")

    look(chief, 2)  # the next card begins without a picture, and the camera still runs
    expect(wall.page.locator(".board__check-picture")).to_have_count(0)
    expect(chief.page.locator("[data-shoot]")).to_be_visible()
    assert chief.page.evaluate("document.querySelector('#photograph video').srcObject !== null")


@pytest.mark.slow
def test_without_a_camera_a_picture_is_chosen_and_outlives_a_refresh(
    browser: Browser, running_hall: RunningHall, tmp_path: Path
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    wall, chief = board(browser, running_hall), enter(browser, running_hall, "mesa")
    look(chief, 1)
    chief.page.keyboard.press("F9")
    expect(chief.page.locator("[data-told=refused]")).to_be_visible()
    file = tmp_path / "card.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (1800, 2400, 3), dtype=np.uint8)
    Image.fromarray(noise).save(file, "JPEG", quality=70)  # as large as telephones make them
    assert file.stat().st_size > 2_000_000
    chief.page.set_input_files("#photograph-file", file)
    with chief.page.expect_response("**/table/live/"):
        chief.page.evaluate("htmx.trigger(document.getElementById('live'), 'live')")
    until(chief, "document.getElementById('photograph-file').files.length === 1")
    with chief.page.expect_response("**/do/show/"):
        chief.page.click("[data-send]")
    stands_on(wall)
    assert ShownCard.objects.filter(claim__game=evening.game).count() == 1
    assert chief.page.evaluate("document.getElementById('photograph-file').files.length") == 0
    chief.picture("table-chosen")
