"""The audit names what of balls and equipment was changed behind the journal's back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from draws.balls import draw
from draws.games import services as games_services
from draws.models import Game
from draws.record.audit import audit
from halls.models import BallSet, Breakdown, Device, Hall, Role
from tests.support.ball_sets import ball_set, break_down, device, own, use_set
from tests.support.evening import Evening
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn() -> Evening:
    """A game whose first ball came from the hall's set, and an extractor that failed."""
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    evening.reach("closed").equip()
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    own(break_down)(evening)
    assert audit(Hall.objects.get()) == []
    return evening


@pytest.mark.rule(25)
@pytest.mark.parametrize(
    ("model", "changed", "code"),
    [
        (BallSet, {"games": 12}, "ball_set_differs"),
        (BallSet, {"fit": False}, "ball_set_differs"),
        (BallSet, {"marks": [6]}, "ball_set_differs"),
        (BallSet, {"standing": "retired", "extractor": None}, "ball_set_differs"),
        (Device, {"approval": "4/2026"}, "device_differs"),
        (Game, {"ball_set": None}, "game_differs"),
        (Game, {"extractor": None}, "game_differs"),
        (Breakdown, {"ended_at": timezone.now(), "remedy": "x"}, "breakdown_differs"),
    ],
)
@pytest.mark.slow
def test_changed_row_is_named(
    drawn: Evening, model: type[Model], changed: dict[str, Any], code: str
) -> None:
    plant(model._default_manager.all(), **changed)
    assert {finding.code for finding in audit(Hall.objects.get())} == {code}


@pytest.mark.slow
def test_set_made_without_an_entry_is_named(drawn: Evening) -> None:
    BallSet.objects.create(hall=drawn.hall, serial="X", format=90, registered_at=timezone.now())
    assert [finding.code for finding in audit(Hall.objects.get())] == ["ball_set_differs"]
