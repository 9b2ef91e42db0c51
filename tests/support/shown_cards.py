"""A camera that knows where balls rest, a small set, and balls shown to it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import numpy as np
from django.utils import timezone

from draws.balls import cameras_and_live_picture, enrolments_and_roll_calls
from draws.balls.vision import exit_area
from draws.balls.vision.enrolment import Pose
from draws.balls.vision.jpeg_pictures import whole
from draws.balls.vision.values import Spot
from draws.balls.vision.verdict import ReadingVerdict
from draws.models import Camera, Enrolment, ShownBall
from halls.equipment import ball_sets
from halls.models import BallSet, Role
from tests.support.evening import Evening

SERIAL = "T-30"
NUMBERS = range(1, 31)


def camera_of(evening: Evening, **changed: Any) -> Camera:
    """Set up a camera for balls of 30."""
    settings = exit_area.around(160.0, 120.0, 30.0, (320, 240)).document()
    usual: dict[str, Any] = {
        "name": "Saída", "url": "rtsp://u:p@192.168.1.30/exit", "format": 30, "settings": settings,
    }  # fmt: skip
    who = evening.who(Role.HALL_MANAGER)
    return cameras_and_live_picture.set_up(hall=evening.hall, **(usual | changed), **who)


def set_of(evening: Evening, **changed: Any) -> BallSet:
    """Register a set of 30."""
    usual: dict[str, Any] = {"serial": SERIAL, "format": 30, "marks": (6, 9)}
    return ball_sets.register(
        hall=evening.hall, **(usual | changed), **evening.who(Role.HALL_MANAGER)
    )


def begun(evening: Evening, purpose: str = "enrol") -> Enrolment:
    """Begin to show the set's balls."""
    return enrolments_and_roll_calls.begin(
        camera=Camera.objects.filter(hall=evening.hall).first() or camera_of(evening),
        ball_set=BallSet.objects.filter(hall=evening.hall).first() or set_of(evening),
        purpose=purpose,
        key=uuid4(),
        **evening.who(Role.HALL_MANAGER),
    )


def pose(stay: int, number: int | None, *, sure: float = 0.99, **changed: Any) -> Pose:
    """What the reader makes of a ball; a picture of its own for each."""
    rng = np.random.default_rng([stay, number or 0, round(sure * 1000)])
    shown = rng.integers(0, 255, (80, 80, 3), np.uint8)
    candidates = () if number is None else ((number, sure),)
    found = ReadingVerdict(
        number, sure if number else 0.0, None, candidates, "" if number else "low"
    )
    usual: dict[str, Any] = {
        "stay": stay, "plain": found, "padded": found, "guess": number, "marked": 0.95,
        "angle": 12.4, "spot": Spot(39.5, 39.5, 32.0), "picture": whole(shown), "at": 1.0,
        "frame": 30,
    }  # fmt: skip
    return Pose(**(usual | changed))


def show(enrolment: Enrolment, *shown: Pose) -> list[ShownBall | None]:
    """Let the camera's process tell of balls."""
    return [
        enrolments_and_roll_calls.see(
            enrolment=enrolment, pose=one, seen_at=timezone.now(), key=uuid4()
        )
        for one in shown
    ]


def show_all(enrolment: Enrolment, by: Any, *, leave: tuple[int, ...] = ()) -> None:
    """Show every ball of the set once, but for some, and name it."""
    for number in NUMBERS:
        if number not in leave:
            show(enrolment, pose(number, number))
            enrolments_and_roll_calls.name(enrolment=enrolment, stay=number, number=number, by=by)
