"""One person calls a draw; another takes it over for all to know."""

from __future__ import annotations

import pytest

from bingo.rules import game_flow
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase


@pytest.mark.parametrize("phase", game_flow.DRAWN)
def test_draw_that_another_calls_is_taken_over(phase: Phase) -> None:
    told = game_flow.take_over(phase=phase, caller="ana", by="rui", count=12)
    assert told == {"caller": "ana", "count": 12}


@pytest.mark.parametrize("phase", sorted(set(Phase) - set(game_flow.DRAWN)))
def test_there_is_nothing_to_take_over_while_nothing_is_drawn(phase: Phase) -> None:
    with pytest.raises(Refusal, match="wrong_phase"):
        game_flow.take_over(phase=phase, caller="ana", by="rui", count=0)


def test_draw_that_nobody_has_announced_is_not_taken_over() -> None:
    with pytest.raises(Refusal, match="wrong_phase"):
        game_flow.take_over(phase=Phase.DRAWING, caller=None, by="rui", count=0)


def test_nobody_takes_over_from_themselves() -> None:
    with pytest.raises(Refusal, match="draw_called_already"):
        game_flow.take_over(phase=Phase.DRAWING, caller="rui", by="rui", count=1)


def test_only_the_caller_announces() -> None:
    game_flow.require_caller(caller="rui", by="rui")
    game_flow.require_caller(caller=None, by="rui")
    with pytest.raises(Refusal, match="another_caller"):
        game_flow.require_caller(caller="ana", by="rui")
