"""What the wall tells players, and what is none of their business."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.balls import draw, readings
from draws.boards.queries import board
from draws.claims.services import resume
from draws.games import services as games_services
from halls.models import Role
from tests.support.evening import Evening
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund

pytestmark = pytest.mark.django_db


@pytest.mark.rule(57)
def test_reason_of_a_void_is_the_records_and_not_the_walls() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    told = board("sala")[1]
    assert evening.game.void
    assert evening.game.void not in json.dumps(told, ensure_ascii=False)
    assert told["void"]


@pytest.mark.rule(57)
def test_players_are_sent_for_refunds_while_a_card_is_still_to_be_refunded() -> None:
    evening = Evening().reach("sold")
    chief = evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    told = board("sala")[1]
    assert told["void"]
    assert told["title"] == "Jogada anulada: os cartões são reembolsados"
    refund(evening, evening.who(Role.CASHIER))
    told = board("sala")[1]
    assert (told["void"], told["title"]) == (None, "Jogada anulada")
    games_services.complete(game=evening.game, **chief)
    told = board("sala")[1]
    assert (told["phase"], told["void"]) == ("complete", None)


@pytest.mark.rule(55)
def test_sale_that_a_fault_holds_is_not_told_as_a_draw() -> None:
    evening = Evening().reach("selling")
    readings.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    assert board("sala")[1]["suspended"]
    page = Client().get("/board/sala/").content.decode()
    assert 'data-suspended="A jogada está suspensa"' in page


@pytest.mark.rule(55)
def test_last_ball_s_source_is_told_though_the_next_comes_from_another() -> None:
    evening = Evening().reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    ball = draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    caller = evening.who(Role.CALLER)
    draw.change_source(game=evening.game, source=BY_HAND, reason="Avaria", **caller)
    told = board("sala")[1]
    assert (told["last"], told["ball_source"], told["source"]) == (ball.number, RNG, BY_HAND)


@pytest.mark.rule(57)
def test_void_of_a_game_that_sold_nothing_sends_nobody_for_refunds() -> None:
    evening = Evening().reach("selling")
    void(evening, evening.who(Role.TABLE_CHIEF))
    told = board("sala")[1]
    assert (told["phase"], told["void"]) == ("voided", None)
    assert told["title"] == "Jogada anulada"
    for desk in ("caller", "till", "table"):
        page = evening.at(desk).get(f"/{desk}/").content.decode()
        assert "Jogada anulada" in page, desk
        assert "os cartões são reembolsados" not in page, desk


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
