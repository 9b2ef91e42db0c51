"""A camera is set up by the manager, and its process tells how it is."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture
from draws.balls import queries as balls_queries
from draws.balls.vision import exit_area
from draws.models import Camera
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.filmed_balls import URL, camera_of, filmed
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.undigested_journal import without_digest

pytestmark = pytest.mark.django_db

SETTINGS = exit_area.around(160.0, 120.0, 41.0, (320, 240)).document()
OTHER_SIZE = base64.b64encode(exit_area.encode(np.zeros((100, 101, 3), np.uint8))).decode()


def kinds() -> list[tuple[str, Any]]:
    """What was journalled of faults, with the game."""
    told = JournalEntry.objects.filter(kind__startswith="camera_").exclude(kind="camera_set")
    return list(told.order_by("number").values_list("kind", "game"))


def test_journal_tells_where_a_camera_is_but_no_password() -> None:
    camera = camera_of(Evening())
    entry = JournalEntry.objects.get(kind="camera_set")
    assert entry.data["address"] == "rtsp://192.168.1.30:554/exit"
    assert len(entry.data["settings"]) == 64
    assert "secret" not in str(entry.data) + str(camera)
    assert camera.url == URL


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("/dev/video0", "/dev/video0"),
        ("rtsp://u:p@[::1", ""),
        ("rtsp://a:b@cam.local/x?k=v", "rtsp://cam.local/x"),
        ("u:p@nowhere", "nowhere"),
    ],
)
def test_address_is_bared_of_what_is_secret(url: str, told: str) -> None:
    assert balls_queries.bare(url) == told


def test_camera_set_up_again_is_the_same_one() -> None:
    evening = Evening()
    first = camera_of(evening)
    again = cameras_and_live_picture.set_up(
        hall=evening.hall, name=first.name, url="/dev/video0", settings={}, active=False,
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    assert (again.pk, again.active, again.url) == (first.pk, False, "/dev/video0")
    assert balls_queries.cameras(evening.hall) == []
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"name": " "}, "bad_camera_name"),
        ({"name": "x" * 61}, "bad_camera_name"),
        ({"url": ""}, "bad_camera_address"),
        ({"url": "rtsp://a\n"}, "bad_camera_address"),
        ({"format": 91}, "unknown_format"),
        ({"settings": {"radius": float("nan")}}, "bad_camera_settings"),
        ({"settings": {"radius": 41}}, "bad_camera_settings"),
        ({"settings": SETTINGS | {"empty": OTHER_SIZE}}, "bad_camera_settings"),
        ({"settings": SETTINGS | {"still": OTHER_SIZE}}, "bad_camera_settings"),
    ],
)
def test_camera_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    evening = Evening()
    usual: dict[str, Any] = {"name": "Saída", "url": URL, "format": 90, "settings": {}}
    with refuses(code):
        cameras_and_live_picture.set_up(
            hall=evening.hall, **(usual | changed), **evening.who(Role.HALL_MANAGER)
        )


@pytest.mark.slow
def test_fault_is_journalled_once_and_so_is_its_end() -> None:
    evening = filmed(Evening())
    camera, now = camera_of(evening), timezone.now()
    for second, health in enumerate(("", "", "dark", "dark", "frozen", "", "")):
        cameras_and_live_picture.beat(
            camera=camera, health=health, at=now + timedelta(seconds=second)
        )
    assert kinds() == [("camera_fault", 1), ("camera_fault", 1), ("camera_restored", 1)]
    kept = Camera.objects.get()
    assert (kept.health, kept.seen_at) == ("", now + timedelta(seconds=6))
    assert kept.health_at == now + timedelta(seconds=5)
    assert audit(Hall.objects.get()) == []


def test_fault_outside_a_session_is_journalled_too() -> None:
    evening = Evening()
    cameras_and_live_picture.beat(camera=camera_of(evening), health="covered", at=timezone.now())
    assert kinds() == [("camera_fault", None)]
    assert audit(Hall.objects.get()) == []


def test_fault_that_nobody_knows_is_refused() -> None:
    with refuses("unknown_health"):
        cameras_and_live_picture.beat(
            camera=camera_of(Evening()), health="tired", at=timezone.now()
        )


def test_camera_of_which_nobody_tells_is_silent() -> None:
    camera, now = camera_of(Evening()), timezone.now()
    assert balls_queries.health(camera, at=now) == balls_queries.SILENT
    cameras_and_live_picture.beat(camera=camera, health="dark", at=now)
    assert balls_queries.health(camera, at=now + timedelta(seconds=4)) == "dark"
    assert balls_queries.health(camera, at=now + timedelta(seconds=6)) == balls_queries.SILENT


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"health": "dark"}, "health"),
        ({"url": "rtsp://caller:secret@192.168.1.31:554/exit?token=abc"}, "address, digest"),
        ({"url": "rtsp://caller:secret@192.168.1.30:554/exit?token=abd"}, "digest"),
        ({"salt": "ab" * 32}, "digest"),
        ({"settings": {"radius": 41}}, "settings"),
        ({"calibrated_at": None, "calibrated_by": None}, "calibrated_at, calibrated_by__username"),
    ],
)
def test_changed_camera_is_found(changed: dict[str, Any], told: str) -> None:
    camera_of(Evening())
    plant(Camera.objects.all(), **changed)
    [finding] = audit(Hall.objects.get())
    assert (finding.code, finding.detail) == ("camera_differs", f"('Saída',): {told}")


@pytest.mark.slow
def test_person_who_calibrated_a_camera_stays_until_it_is_calibrated_again() -> None:
    evening = Evening()
    camera = camera_of(evening)
    usual: dict[str, Any] = {"hall": evening.hall, "name": camera.name, "url": URL}
    cameras_and_live_picture.set_up(
        **usual, settings={}, active=False, **evening.who(Role.HALL_MANAGER)
    )
    assert Camera.objects.get().calibrated_at == camera.calibrated_at
    assert audit(Hall.objects.get()) == []
    cameras_and_live_picture.set_up(**usual, settings=SETTINGS, **evening.who(Role.HALL_MANAGER))
    assert Camera.objects.get().calibrated_at != camera.calibrated_at
    assert audit(Hall.objects.get()) == []


def test_journal_from_before_addresses_had_a_digest_is_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_digest(monkeypatch)
    camera_of(Evening())
    assert "digest" not in JournalEntry.objects.get(kind="camera_set").data
    assert audit(Hall.objects.get()) == []
    Camera.objects.update(url="rtsp://192.168.1.31:554/exit")
    assert [finding.code for finding in audit(Hall.objects.get())] == ["camera_differs"]


def test_digest_of_an_address_is_one_cameras_own_and_knows_no_password() -> None:
    evening = Evening()
    who, told = evening.who(Role.HALL_MANAGER), []
    for name, url in (("A", URL), ("B", URL), ("A", URL.replace("secret", "other"))):
        cameras_and_live_picture.set_up(
            hall=evening.hall, name=name, url=url, settings={}, **who | {"key": uuid4()}
        )
        told.append(JournalEntry.objects.filter(kind="camera_set").latest("number").data["digest"])
    assert told[0] == told[2] != told[1]
    assert Camera.objects.values("salt").distinct().count() == 2


@pytest.mark.parametrize("url", ["/var/film.avi", "film.avi", "http://192.168.1.30/", "rtsp://"])
def test_what_is_no_address_of_a_camera_is_refused(url: str) -> None:
    evening = Evening()
    with refuses(Refusal("not_a_camera", address=url)):
        cameras_and_live_picture.set_up(
            hall=evening.hall, name="Saída", url=url, settings={}, **evening.who(Role.HALL_MANAGER)
        )
    assert not JournalEntry.objects.filter(kind="camera_set").exists()


def test_camera_whose_address_is_none_can_be_put_out_of_use() -> None:
    evening = Evening()
    camera = camera_of(evening)
    Camera.objects.update(url="/var/film.avi")
    told: dict[str, Any] = {"hall": evening.hall, "name": camera.name, "settings": {}}
    with refuses("not_a_camera"):
        cameras_and_live_picture.set_up(
            **told, url="/var/film.avi", **evening.who(Role.HALL_MANAGER)
        )
    cameras_and_live_picture.set_up(
        **told, url="/var/film.avi", active=False, **evening.who(Role.HALL_MANAGER)
    )
    assert not Camera.objects.get().active
