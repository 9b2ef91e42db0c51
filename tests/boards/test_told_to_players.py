"""What the wall tells players, and what is none of their business."""

from __future__ import annotations

import json

import pytest

from draws.balls import draw
from draws.boards.queries import board
from draws.claims.services import resume
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


@pytest.mark.slow
@pytest.mark.rule(6)
def test_prize_of_one_winner_is_not_said_to_be_each_ones() -> None:
    Evening().reach("awarded")
    assert [one["each"] for one in board("sala")[1]["winners"]] == [False] * 3


@pytest.mark.slow
@pytest.mark.rule(43)
def test_prize_that_was_called_is_named_before_a_card_of_it_is_checked() -> None:
    evening = Evening().reach("drawing")
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    assert board("sala")[1]["title"] == "Verificação: Bingo"
    resume(game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF))
    assert "Bingo" not in board("sala")[1]["title"]
