"""A camera of a hall, and what it tells of the balls before it."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import cv2
import numpy as np
from django.utils import timezone

from draws.balls import cameras_and_live_picture, readings
from draws.balls.vision import exit_area
from draws.games import services as games_services
from draws.models import Camera, Reading
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening

URL = "rtsp://caller:secret@192.168.1.30:554/exit?token=abc"


def picture(of: object = "") -> bytes:
    """The bytes of a JPEG, as far as anybody looks: another one for each word."""
    return b"\xff\xd8\xff\xe0" + str(of).encode() + b"\xff\xd9"


def look(seed: int, *, grain: int = 0) -> bytes:
    """A JPEG that is one: what it shows comes of `seed`, the grain of the camera of `grain`."""
    coarse = np.random.default_rng(seed).integers(0, 256, (6, 6), np.uint8)
    shown = cv2.resize(coarse, (96, 96), interpolation=cv2.INTER_NEAREST).astype(np.int16)
    shown += np.random.default_rng(grain).integers(-3, 4, shown.shape)
    return cv2.imencode(".jpg", np.clip(shown, 0, 255).astype(np.uint8))[1].tobytes()


def camera_of(evening: Evening) -> Camera:
    """The hall's camera, which is set up when there is none."""
    found = Camera.objects.filter(hall=evening.hall).first()
    return found or _set_up(evening, name="Saída", url=URL, format=90)


def second_camera(evening: Evening, *, format: int = 90) -> Camera:
    """Set up another camera of the hall, named "Segunda"."""
    url = "rtsp://192.168.1.31/exit"
    return _set_up(evening, name="Segunda", url=url, format=format)


def _set_up(evening: Evening, **named: Any) -> Camera:
    settings = exit_area.around(160.0, 120.0, 40.0, (320, 240)).document()
    return cameras_and_live_picture.set_up(
        hall=evening.hall, settings=settings, **named, **evening.who(Role.HALL_MANAGER)
    )


def filmed(evening: Evening, *, automatic: int = 0, source: str = "camera") -> Evening:
    """Bring an evening to a draw whose balls come from there, its first still to come."""
    set_policy(
        hall=evening.hall, source=source, automatic=automatic, **evening.who(Role.HALL_MANAGER)
    )
    camera_of(evening)
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def see(
    camera: Camera,
    number: int | None,
    *,
    sure: int = 990,
    reason: str = "",
    runner_up: int | None = None,
    key: UUID | None = None,
    at: datetime | None = None,
    **changed: Any,
) -> Reading:
    """Let the camera's process tell of a ball, in a picture of its own unless one is given."""
    told: dict[str, Any] = {
        "number": number, "confidence": sure, "runner_up": runner_up, "reason": reason,
        "candidates": [] if number is None else [(number, sure)], "picture": _another(number),
        "seen_at": at or timezone.now(), "stream_at": 1000, "frame": 30, "key": key or uuid4(),
    }  # fmt: skip
    return readings.propose(camera=camera, **(told | changed))


def _another(number: int | None) -> bytes:
    """Return a ball's picture; told of already in this session, another: no two are quite the same."""
    first = picture(number)
    going_on = Reading.objects.filter(game__session__closed_at=None)
    told = going_on.filter(picture=hashlib.sha256(first).hexdigest()).exists()
    return picture(f"{number} {uuid4()}") if told else first


def posted(evening: Evening) -> list[int]:
    """The numbers on the board."""
    return list(evening.game.balls.values_list("number", flat=True))


def whole() -> bool:
    """Whether the record is whole."""
    return audit(Hall.objects.get()) == []


def caller(evening: Evening, number: int = 1) -> dict[str, Any]:
    """One of the two callers, now."""
    people = evening.hall.people.filter(roles__contains=[Role.CALLER]).order_by("username")
    return {"by": people[number - 1], "at": timezone.now()}


def entry_data(kind: str) -> list[dict[str, Any]]:
    """The data of every entry of a kind."""
    entries = JournalEntry.objects.filter(kind=kind).order_by("number")
    return list(entries.values_list("data", flat=True))
