"""What the wall tells players, and what is none of their business."""

from __future__ import annotations

import json

import pytest

from draws.boards.queries import board
from halls.models import Role
from tests.support.evening import Evening
from tests.support.service_commands.games import void

pytestmark = pytest.mark.django_db


@pytest.mark.rule(57)
def test_reason_of_a_void_is_the_records_and_not_the_walls() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    told = board("sala")[1]
    assert evening.game.void
    assert evening.game.void not in json.dumps(told, ensure_ascii=False)
    assert told["void"]


@pytest.mark.rule(6)
def test_prize_of_one_winner_is_not_said_to_be_each_ones() -> None:
    Evening().reach("awarded")
    assert [one["each"] for one in board("sala")[1]["winners"]] == [False] * 3
