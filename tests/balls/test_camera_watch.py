"""The camera's process, before a machine that is rendered and sent as a network camera sends it."""

from __future__ import annotations

import inspect
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from draws.balls import cameras_and_live_picture, draw
from draws.balls.camera_watch import FAULT_OF, CameraWatch
from draws.balls.vision import background, exit_area, sources
from draws.balls.vision.finding import Finder
from draws.balls.vision.live_camera import Live
from draws.balls.vision.rendering.lens import Trouble, disturb
from draws.balls.vision.rendering.scene import Act
from draws.balls.vision.watching import Watcher
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Ball, Camera, Reading
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support import filmed_balls
from tests.support.evening import Evening
from tests.support.machines import NEAR, Knowing, learned, machine
from tests.support.network_camera import NetworkCamera

pytestmark = pytest.mark.usefixtures("fresh_database")

PATIENCE = 25.0  # seconds a machine that shares its cores may take


class Extractor:
    """A machine whose ball comes when the test says so, and lies there until it says so."""

    def __init__(self) -> None:
        self.lying: int | None = None
        self.scene = machine(3, size=NEAR, rest=(0.1, 0.1))
        self.area = learned(self.scene)
        self.scene.lasting = lambda act: act.kind == "ball" and act.number == self.lying
        eye = Knowing(self.scene)
        self.eyes = SimpleNamespace(plain=eye, padded=eye)
        self.trouble: list[Trouble] = []
        self.camera = NetworkCamera(disturb(self.scene.play(self._acts()), self.trouble))

    def _acts(self) -> Iterator[Act]:
        while True:
            yield Act("empty") if self.lying is None else Act("ball", self.lying)


@contextmanager
def watching(extractor: Extractor, told: list[str] | None = None) -> Iterator[None]:
    """Run the camera's process of a hall, as a thread."""
    stop = Event()
    tell = (told if told is not None else []).append
    watch = CameraWatch(
        Camera.objects.select_related("hall").get(), stop=stop, tell=tell, pair=extractor.eyes
    )
    thread = Thread(target=watch.run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def extractor() -> Iterator[Extractor]:
    made = Extractor()
    with made.camera, override_settings(CAMERA_LOOPBACK=True):
        yield made


def filmed(extractor: Extractor, *, automatic: int = 900, patience: int = 20) -> Evening:
    """A draw by camera, announced by itself where the reader is that sure."""
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    set_policy(
        hall=evening.hall, source="camera", automatic=automatic, patience=patience, **who
    )  # fmt: skip
    cameras_and_live_picture.set_up(
        hall=evening.hall, name="Exit", url=extractor.camera.url, format=90,
        settings=extractor.area.document(), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    evening.reach("closed")
    games_services.announce_draw(
        game=evening.game, by=evening.person(Role.CALLER), at=timezone.now()
    )
    return evening


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that a camera brings about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def count(told: list[str], words: str) -> int:
    """How many of the lines begin, after the camera's name, with these words."""
    return sum(line.startswith(f"Exit: {words}") for line in told)


def posted() -> list[int]:
    return list(Ball.objects.order_by("order").values_list("number", flat=True))


def health() -> str:
    return Camera.objects.values_list("health", flat=True).get()


@pytest.mark.slow
@pytest.mark.rule(24)
def test_balls_before_the_camera_are_posted_each_once(extractor: Extractor) -> None:
    filmed(extractor)
    with watching(extractor):
        for count, number in enumerate((17, 4, 90), start=1):
            extractor.lying = number
            until(lambda count=count: len(posted()) == count)  # type: ignore[misc]
            extractor.lying = None
    assert posted() == [17, 4, 90]
    assert Reading.objects.count() == 3
    assert all(one.picture and one.confidence == 990 for one in Reading.objects.all())
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_process_that_is_killed_in_mid_game_neither_loses_nor_repeats_a_ball(
    extractor: Extractor,
) -> None:
    filmed(extractor)
    with watching(extractor):
        extractor.lying = 17
        until(lambda: posted() == [17])
    told: list[str] = []
    # The ball still lies there when the process is back; the next comes while it is watched.
    with watching(extractor, told):
        until(lambda: any("still there" in words for words in told))
        extractor.lying = 4
        until(lambda: posted() == [17, 4])
        extractor.lying = None
    assert posted() == [17, 4]
    assert Reading.objects.count() == 2
    # And one that came to rest while nobody watched is not lost.
    extractor.lying = 55
    time.sleep(1.5)
    with watching(extractor):
        until(lambda: posted() == [17, 4, 55])
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_ball_that_came_already_is_put_to_the_caller(extractor: Extractor) -> None:
    filmed(extractor)
    with watching(extractor):
        extractor.lying = 17
        until(lambda: posted() == [17])
        extractor.lying = None
        time.sleep(1.5)
        extractor.lying = 17
        until(lambda: Reading.objects.filter(standing="pending").exists())
    assert posted() == [17]
    assert Reading.objects.get(standing="pending").reason == "drawn_already"


@pytest.mark.slow
@pytest.mark.rule(27)
def test_lost_camera_is_told_and_found_again(extractor: Extractor) -> None:
    filmed(extractor)
    told: list[str] = []
    with watching(extractor, told):
        until(lambda: extractor.camera.sent > 30)
        extractor.camera.cut()
        until(lambda: count(told, "No camera answers") == 1)
        until(lambda: told.count("Exit: watched") == 2)
        extractor.lying = 8
        until(lambda: posted() == [8])
    assert audit(Hall.objects.get()) == []


def told_of_camera() -> list[tuple[str, str | None]]:
    kinds = JournalEntry.objects.filter(kind__startswith="camera_").order_by("number")
    return [(one.kind, one.data.get("fault")) for one in kinds]


@pytest.mark.slow
def test_settings_that_cannot_be_used_are_named_and_not_the_cable(extractor: Extractor) -> None:
    evening = filmed(extractor)
    stored = Camera.objects.values_list("settings", flat=True).get()
    Camera.objects.update(settings=stored | {"empty": stored["mask"]})
    with watching(extractor):
        until(lambda: health() == "bad_settings")
        page = evening.at("manager").get("/cameras/").content.decode()
        assert "As definições da câmara não podem ser usadas" in page
        cameras_and_live_picture.set_up(
            hall=evening.hall, name="Exit", url=extractor.camera.url, format=90, settings=stored,
            **evening.who(Role.HALL_MANAGER),
        )  # fmt: skip
        until(lambda: health() == "")


def test_whatever_a_camera_is_refused_for_when_it_is_opened_has_its_fault() -> None:
    opening = (
        CameraWatch, Live, Watcher, Finder, exit_area, background, sources.camera, sources._parsed,
    )  # fmt: skip
    written = "".join(inspect.getsource(part) for part in opening)
    refused = set(re.findall(r'Refusal\(\s*"(\w+)"', written))
    assert {"camera_not_calibrated", "camera_sends_on", "address_not_allowed"} < refused
    assert refused == FAULT_OF.keys()
    assert set(FAULT_OF.values()) <= set(cameras_and_live_picture.FAULTS)


@pytest.mark.slow
def test_camera_without_settings_is_told_as_that_and_not_as_its_cable() -> None:
    camera = filmed_balls.camera_of(Evening())
    Camera.objects.update(settings={}, url="rtsp://127.0.0.1:1/none")
    watch = CameraWatch(camera, stop=Event(), pair=SimpleNamespace(plain=None, padded=None))
    try:
        assert watch._is_ours()
        watch._try()
        watch._say_lost()
    finally:
        watch._lock.release()
    assert told_of_camera()[-1] == ("camera_fault", "bad_settings")


@pytest.mark.slow
def test_camera_that_gives_no_picture_fails_once_and_is_restored_by_a_picture(
    extractor: Extractor,
) -> None:
    filmed(extractor)
    told: list[str] = []
    failed = [("camera_set", None), ("camera_fault", "no_signal")]
    with socket.create_server(("127.0.0.1", 0)) as mute, watching(extractor, told):
        # However often it is tried, one that answers and shows nothing is not back.
        Camera.objects.update(url=f"rtsp://127.0.0.1:{mute.getsockname()[1]}/draw")
        until(lambda: health() == "no_signal")
        mute.settimeout(PATIENCE)
        tries = [mute.accept()[0] for _try in range(3)]
        assert count(told, "No camera answers at rtsp://127.0.0.1") == 1  # said once, tried again
        assert told_of_camera() == failed
        Camera.objects.update(url=extractor.camera.url)
        for each in tries:
            each.close()
        until(lambda: health() == "")
    assert told_of_camera() == [*failed, ("camera_restored", "no_signal")]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_fault_that_lasts_while_the_process_is_started_again_is_not_told_as_ended(
    extractor: Extractor,
) -> None:
    filmed(extractor)
    with watching(extractor):
        until(lambda: extractor.camera.sent > 60)
        extractor.trouble.append(Trouble("covered", extractor.scene.index / 30, 600.0))
        until(lambda: health() == "covered")
    told: list[str] = []
    with watching(extractor, told):
        until(lambda: "Exit: covered began" in told)
        time.sleep(2.0)
    assert told_of_camera() == [("camera_set", None), ("camera_fault", "covered")]


@pytest.mark.slow
def test_camera_of_another_size_is_told_as_that(extractor: Extractor) -> None:
    filmed(extractor)
    with watching(extractor):
        until(lambda: extractor.camera.sent > 60)
        extractor.trouble.append(Trouble("resolution", extractor.scene.index / 30, 8.0))
        until(lambda: health() == "resolution_changed")
        until(lambda: health() == "")
        extractor.lying = 8
        until(lambda: posted() == [8])
    assert ("camera_fault", "resolution_changed") in told_of_camera()
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_camera_is_watched_by_one_process_and_by_the_next_when_that_has_ended(
    extractor: Extractor,
) -> None:
    filmed(extractor)
    one: list[str] = []
    other: list[str] = []
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(watching(extractor, one))
        until(lambda: "Exit: watched" in one)
        second.enter_context(watching(extractor, other))
        until(lambda: any("another process" in words for words in other))
        extractor.lying = 17
        until(lambda: posted() == [17])
        extractor.lying = None
        time.sleep(1.5)
        extractor.lying = 17
        until(lambda: Reading.objects.filter(standing="pending").exists())
        time.sleep(1.0)
        assert (len(other), Reading.objects.count()) == (1, 2)
        first.close()
        until(lambda: any("still there" in words for words in other))
        extractor.lying = 4
        until(lambda: Reading.objects.count() == 3)
    assert one.count("Exit: watched") == other.count("Exit: watched") == 1
    assert told_of_camera() == [("camera_set", None)]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_ball_whose_picture_cannot_be_kept_is_told_and_announced_when_it_can(
    extractor: Extractor, tmp_path: Path, settings: Any
) -> None:
    filmed(extractor)
    good = settings.PICTURES_DIR
    (tmp_path / "full").write_text("no folder")
    settings.PICTURES_DIR = tmp_path / "full"
    with watching(extractor):
        extractor.lying = 17
        until(lambda: health() == "not_kept")
        extractor.lying = None
        time.sleep(1.5)
        extractor.lying = 4
        time.sleep(1.5)
        assert posted() == []
        settings.PICTURES_DIR = good
        until(lambda: posted() == [17, 4])
        until(lambda: health() == "")
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_covered_camera_is_journalled_and_reads_nothing(extractor: Extractor) -> None:
    filmed(extractor)
    with watching(extractor):
        until(lambda: extractor.camera.sent > 60)
        now = extractor.scene.index / 30
        extractor.trouble.append(Trouble("covered", now, 4.0))
        until(lambda: health() == "covered")
        until(lambda: health() == "")
        extractor.lying = 8
        until(lambda: posted() == [8])
    assert told_of_camera() == [
        ("camera_set", None),
        ("camera_fault", "covered"),
        ("camera_restored", "covered"),
    ]


def missed() -> int:
    return Reading.objects.filter(reason="missing").count()


@pytest.mark.slow
def test_missing_ball_is_told_and_the_one_that_comes_is_announced(extractor: Extractor) -> None:
    filmed(extractor, patience=5)
    begun = time.monotonic()
    with watching(extractor):
        until(lambda: missed() == 1)
        assert time.monotonic() - begun >= 5.0
        extractor.lying = 17
        until(lambda: posted() == [17])
    assert missed() == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_missing_ball_is_told_once_a_wait_and_not_while_none_is_waited_for(
    extractor: Extractor,
) -> None:
    evening = filmed(extractor, patience=5)
    with watching(extractor):
        until(lambda: missed() == 1)
        # The question stands, and another is not asked, however long nothing comes.
        time.sleep(7.0)
        extractor.lying = 17
        until(lambda: posted() == [17])
        extractor.lying = None
        caller = evening.who(Role.CALLER)
        draw.call_claim(game=evening.game, combination="line", **caller)
        time.sleep(7.0)
        assert missed() == 1
        resumed = time.monotonic()
        chief = evening.who(Role.TABLE_CHIEF)
        claims_services.resume(game=evening.game, withdrawn="Engano", **chief)
        until(lambda: missed() == 2)
        assert time.monotonic() - resumed >= 5.0
    # The process that comes back waits as long, and what was told is told no more.
    told: list[str] = []
    with watching(extractor, told):
        time.sleep(8.0)
    assert (missed(), any("missing" in words for words in told)) == (2, False)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_missing_ball_is_never_told_where_the_hall_asks_for_it(extractor: Extractor) -> None:
    filmed(extractor, patience=0)
    with watching(extractor):
        until(lambda: extractor.camera.sent > 30)
        time.sleep(7.0)
    assert missed() == 0


@pytest.mark.slow
def test_nothing_is_proposed_while_no_game_is_drawn(extractor: Extractor) -> None:
    evening = Evening()
    cameras_and_live_picture.set_up(
        hall=evening.hall, name="Exit", url=extractor.camera.url, format=90,
        settings=extractor.area.document(), **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    with watching(extractor):
        extractor.lying = 17
        until(lambda: Camera.objects.get().seen_at is not None)
        time.sleep(3.0)
    assert Reading.objects.count() == 0


@pytest.mark.slow
def test_camera_whose_address_is_a_file_is_never_opened(extractor: Extractor) -> None:
    evening = filmed(extractor)
    Camera.objects.update(url="file:///etc/passwd")
    told: list[str] = []
    with watching(extractor, told):
        until(lambda: count(told, "No camera answers at") == 1)
        until(lambda: health() == "no_signal")
    assert evening.game.phase == "drawing"
