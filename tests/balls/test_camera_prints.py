"""A camera knows a set's prints by the enrolment that counts, and by no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from draws.balls import enrolment_queries
from draws.balls.camera_outbox import CameraPrints
from draws.balls.camera_outbox import enrolled as enrolled_prints
from draws.balls.vision import exit_area
from draws.balls.vision.facing import NumberPlace
from draws.balls.vision.network import Glance
from draws.models import Camera
from halls.equipment import ball_sets
from halls.models import BallSet, Role
from tests.support.certificates import certify, enrolled, replace, set_up
from tests.support.evening import Evening
from tests.support.shown_cards import NUMBERS

__all__ = ["enrolled"]
pytestmark = pytest.mark.django_db


class Somewhere:
    """Sees every number in the middle of whatever it is shown."""

    def look(self, *_shown: Any, **_where: Any) -> Glance:
        every = np.ones((1, 100))
        place = NumberPlace(0.0, (0.0, 0.0), 0.5)
        return Glance(1, 1.0, 2, 1.0, 0.0, 1.0, every[0], places=(place,), each=every)


def learned(prints: CameraPrints, balls: BallSet | None) -> frozenset[int] | None:
    """Turn to a set and learn all there is of it; return the numbers known."""
    prints.of(balls, Somewhere())
    for _step in range(200):
        prints.step()
    return prints.known.numbers if prints.known else None


@pytest.mark.slow
def test_enrolled_set_is_known_and_learned_once(enrolled: Evening) -> None:
    camera, balls = Camera.objects.select_related("hall").get(), BallSet.objects.get()
    prints = CameraPrints(camera)
    prints.of(balls, Somewhere())
    prints.step()
    assert prints.known is None
    assert learned(prints, balls) == frozenset(NUMBERS)
    known = prints.known
    assert learned(prints, balls) == frozenset(NUMBERS)
    assert prints.known is known
    assert learned(prints, None) is None


@pytest.mark.slow
def test_set_whose_learning_failed_is_learned_anew(
    enrolled: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    prints, balls = CameraPrints(Camera.objects.get()), BallSet.objects.get()
    with monkeypatch.context() as away:
        away.setattr(enrolment_queries, "chosen", Mock(side_effect=OperationalError))
        with pytest.raises(OperationalError):
            learned(prints, balls)
    assert learned(prints, balls) == frozenset(NUMBERS)


@pytest.mark.slow
def test_set_without_an_enrolment_is_not_known(enrolled: Evening) -> None:
    other = ball_sets.register(
        hall=enrolled.hall, serial="T-31", format=30, marks=(6, 9),
        **enrolled.who(Role.HALL_MANAGER),
    )  # fmt: skip
    assert learned(CameraPrints(Camera.objects.get()), other) is None


@pytest.mark.slow
@pytest.mark.rule(26)
@pytest.mark.parametrize("change", ["replaced", "moved"])
def test_enrolment_that_counts_no_longer_is_forgotten_until_the_next(
    enrolled: Evening, change: str
) -> None:
    prints, balls = CameraPrints(Camera.objects.get()), BallSet.objects.get()
    assert learned(prints, balls) is not None
    if change == "replaced":
        replace(enrolled, 7)
    else:
        set_up(enrolled, settings=exit_area.around(150.0, 120.0, 30.0, (320, 240)).document())
    assert learned(CameraPrints(Camera.objects.get()), balls) is None
    assert learned(prints, balls) is None
    assert enrolled_prints(Camera.objects.get(), balls, Somewhere()) is None
    certify(enrolled)
    assert learned(prints, balls) is not None
    assert enrolled_prints(Camera.objects.get(), balls, Somewhere()) is not None


@pytest.mark.slow
def test_read_balls_says_where_no_enrolment_counts(enrolled: Evening, tmp_path: Path) -> None:
    settings = tmp_path / "camera.json"
    settings.write_text(json.dumps(Camera.objects.get().settings))
    with pytest.raises(CommandError, match="no enrolment of T-99 before Saída counts"):
        call_command(
            "read_balls", str(tmp_path), "--calibrated", str(settings), "--format", "30",
            "--enrolled", "Saída", "T-99",
        )  # fmt: skip
