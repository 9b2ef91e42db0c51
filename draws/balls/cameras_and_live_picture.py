"""Set up a hall's cameras, record their health, and store and send their pictures (R27).

The manager sets a camera up; the process that watches it tells of its health. The extractor's live
picture is sent to the hall's screens while a game is drawn before it. It says nothing of the game:
a ball is what the journal says. So a picture that cannot be sent is forgotten, and none is ever
waited for.

Pictures of balls are stored under their SHA-256: written aside, then put in place whole.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Unpack
from uuid import uuid4

import redis
from django.conf import settings
from django.db import transaction

from bingo.rules import formats
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from draws.balls import queries
from draws.balls.vision import calibration, sources
from draws.balls.vision.exit_area import Area
from draws.balls.vision.jpeg_pictures import CHANNEL, shot
from draws.balls.vision.values import Frame
from draws.models import Camera
from halls import permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.journal.services import Who
from halls.models import Hall

LONGEST_NAME, LONGEST_URL = 60, 500
FAULTS = (
    "no_signal", "frozen", "dark", "out_of_focus", "moved", "covered", "wrong_rate",
    "resolution_changed", "bad_settings", "not_kept",
)  # fmt: skip


@transaction.atomic
def set_up(
    *,
    hall: Hall,
    name: str,
    url: str,
    format: int | None = None,
    settings: dict[str, Any],
    active: bool = True,
    **who: Unpack[Who],
) -> Camera:
    """Set up a camera, or change the one of that name; not active, it is no longer looked at.

    `settings` are those of `draws.balls.vision`, as JSON, none before it is calibrated; the journal keeps
    their SHA-256. It tells where the camera is without the name and password in its `url`, whose
    form alone is judged: the host may be away, and is judged whenever it is asked.
    Raises Refusal: not_allowed, key_reused, bad_camera_name, bad_camera_address, not_a_camera,
    bad_camera_settings, unknown_format.
    """
    permissions.require(who["by"], "camera_set", hall=hall.pk)
    _require_plain(name, url, format)
    if settings:
        calibration.require_usable(settings)
    hall = head.lock(hall.pk)
    camera = Camera.objects.filter(hall=hall, name=name).first() or Camera(hall=hall, name=name)
    # What was taken for an address before may still be put out of use.
    if active or url != camera.url:
        sources.require_form(url)
    told = {
        "name": name,
        "address": queries.bare(url),
        "digest": queries.camera_location_digest(url, salt=camera.salt),
        "format": format,
        "settings": queries.settings_digest(settings),
        "active": active,
    }
    if journal_services.earlier(
        hall, kind="camera_set", by=who["by"], key=who.get("key"), inputs=told
    ):
        return camera
    entry = journal_services.append(
        hall, Fact("camera_set", told), session=open_session(hall), **who
    )
    calibrated = {"calibrated_at": entry.at, "calibrated_by": who["by"]} if settings else {}
    values = {"url": url, "format": format, "settings": settings, "active": active, **calibrated}
    for field, value in values.items():
        setattr(camera, field, value)
    camera.save(update_fields=values if camera.pk else None)
    return camera


def _require_plain(name: str, url: str, format: int | None) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("bad_camera_name", most=LONGEST_NAME)
    if not url.strip() or len(url) > LONGEST_URL or not url.isprintable():
        raise Refusal("bad_camera_address", most=LONGEST_URL)
    if format is not None:
        formats.get_format(format)


def beat(*, camera: Camera, health: str = "", at: datetime) -> None:
    """Say that a camera is watched, and what is wrong with it; a change is journalled.

    Called about once a second by the process that watches it. Raises Refusal unknown_health.
    """
    if health and health not in FAULTS:
        raise Refusal("unknown_health", health=health)
    alike = Camera.objects.filter(pk=camera.pk, health=health)
    if not alike.update(seen_at=at):
        _changed(camera, health, at)
    camera.health, camera.seen_at = health, at


@transaction.atomic
def _changed(camera: Camera, health: str, at: datetime) -> None:
    hall = head.lock(camera.hall_id)
    before = Camera.objects.values_list("health", flat=True).get(pk=camera.pk)
    Camera.objects.filter(pk=camera.pk).update(seen_at=at, health=health, health_at=at)
    if before == health:
        return
    session = open_session(hall)
    game = session.games.exclude(phase="complete").first() if session else None
    fact = (
        Fact("camera_fault", {"camera": camera.name, "fault": health})
        if health
        else Fact("camera_restored", {"camera": camera.name, "fault": before})
    )
    moment = max(at, hall.head_at) if hall.head_at else at
    journal_services.append(
        hall, fact, session=session, game=game.number if game else None, by=None, at=moment
    )


EVERY = 1 / 15  # seconds between two pictures
UNWATCHED = 0.5  # seconds between two looks whether a screen shows them by now
SLOWEST = 0.2  # seconds Valkey may take


class Transmission:
    """One camera's; `offer` costs the reader of balls nothing but a look at the clock."""

    def __init__(self, camera: Camera, area: Area) -> None:
        """Prepare; nothing is sent before `on` is set."""
        self.on = False
        self._camera, self._area = camera, area
        self._channel = CHANNEL.format(camera.hall.code)
        self._valkey = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=SLOWEST, socket_connect_timeout=SLOWEST
        )
        self._newest: tuple[Frame, float] | None = None
        self._next = 0.0
        self._there = Condition()
        self._ended = False
        self._thread = Thread(target=self._run, name=f"{camera.name}: pictures", daemon=True)
        self._thread.start()

    def __enter__(self) -> Transmission:
        return self

    def __exit__(self, *_fault: object) -> None:
        with self._there:
            self._ended = True
            self._there.notify()
        self._thread.join()
        self._valkey.close()

    def offer(self, frame: Frame, *, age: float) -> None:
        """Take a frame that is so many seconds old, if it is time for one; it replaces the last."""
        if not self.on or time.monotonic() < self._next:
            return
        with self._there:
            self._newest = frame, time.time() - age
            self._there.notify()

    def _run(self) -> None:
        while (taken := self._wait()) is not None:
            begun = time.monotonic()
            watched = self._send(*taken)
            self._next = begun + (EVERY if watched else UNWATCHED)

    def _wait(self) -> tuple[Frame, float] | None:
        with self._there:
            self._there.wait_for(lambda: self._ended or self._newest is not None)
            newest, self._newest = self._newest, None
            return None if self._ended else newest

    def _send(self, frame: Frame, taken: float) -> bool:
        """Publish one; false where nobody looks, or Valkey is away."""
        made = shot(frame, self._area, camera=self._camera.pk, taken=taken)
        try:
            return bool(self._valkey.publish(self._channel, made.packed()))
        except (redis.RedisError, OSError):
            return False


LARGEST = 500_000  # bytes; a ball's picture has some twenty thousand
BEGINS, ENDS = b"\xff\xd8\xff", b"\xff\xd9"  # of a JPEG
# As far as the mask of the hall's user allows: its group is who removes what is over.
PRIVATE_FILE, PRIVATE_FOLDER = 0o640, 0o770


def save_picture(picture: bytes) -> str:
    """Keep a JPEG, once, and return its SHA-256 in hex.

    Whoever writes the digest down calls this first: a file without a row is nothing, a row without
    a file is a picture lost. Raises Refusal bad_picture, OSError.
    """
    if len(picture) > LARGEST or not (picture.startswith(BEGINS) and picture.endswith(ENDS)):
        raise Refusal("bad_picture")
    digest = hashlib.sha256(picture).hexdigest()
    place = queries.picture_path(digest)
    if not _is_whole(place, len(picture)):
        write_private(place, picture)
    return digest


def _is_whole(place: Path, size: int) -> bool:
    try:
        return place.stat().st_size == size
    except FileNotFoundError:
        return False


def write_private(place: Path, content: bytes) -> None:
    """Write a file for its owner alone: aside, then put in its place whole. Raises OSError."""
    place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    aside = place.with_name(f".{place.name}.{uuid4().hex}")
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(place)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
