"""What the tests of certificates share with others."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from draws.balls import cameras_and_live_picture, enrolments_and_roll_calls
from draws.models import Camera, Certificate
from halls.equipment import ball_sets
from halls.models import BallSet, Role
from tests.support.evening import Evening
from tests.support.shown_cards import begun, show_all


@pytest.fixture
def enrolled(settings: Any, tmp_path: Path) -> Evening:
    """A hall whose set in use was enrolled before its camera."""
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    evening = Evening()
    certify(evening)
    used = BallSet.objects.get()
    ball_sets.use(ball_set=used, **evening.who(Role.HALL_MANAGER))
    return evening


def certify(evening: Evening) -> Certificate:
    going = begun(evening)
    show_all(going, evening.person(Role.HALL_MANAGER))
    return enrolments_and_roll_calls.finish_certification(
        enrolment=going, key=uuid4(), **evening.who(Role.HALL_MANAGER)
    )


def replace(evening: Evening, number: int) -> None:
    ball_sets.replace_ball(
        ball_set=BallSet.objects.get(), number=number, reason="Rachada", old="1", new="2",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip


def set_up(evening: Evening, **changed: Any) -> None:
    camera = Camera.objects.get()
    values = {
        "name": camera.name, "url": camera.url, "format": camera.format, "active": True,
        "settings": camera.settings,
    }  # fmt: skip
    cameras_and_live_picture.set_up(
        hall=evening.hall, **(values | changed), **evening.who(Role.HALL_MANAGER)
    )
