"""A fault before the first ball holds the game; after it the draw goes on by hand (R55)."""

import pytest

from bingo.rules.refusal import Refusal
from draws.queries.audit import audit
from draws.queries.board import board
from draws.queries.standing import standing, suspension
from draws.services import draws, games, suspensions
from halls.models import Hall, JournalEntry, Role
from tests.draws.views.evening import Evening
from tests.playing import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.rule(55)]


def suspended(stage: str = "closed") -> Evening:
    """A game held by a fault."""
    evening = Evening().reach(stage)
    suspensions.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    return evening


def test_suspended_game_is_told_to_the_hall_since_when() -> None:
    evening = suspended()
    entry = JournalEntry.objects.get(kind="game_suspended")
    told = {"reason": "Sem luz", "since": entry.at.isoformat()}
    assert board(evening.hall.code)[1]["suspended"] == told
    assert suspension(standing(evening.hall.code)) == entry


def test_suspended_game_draws_nothing_until_it_is_resumed() -> None:
    evening = suspended()
    caller = evening.who(Role.CALLER)
    with refuses(Refusal("suspended", reason="Sem luz")):
        games.announce_draw(game=evening.game, **caller)
    suspensions.resume(game=evening.game, decision="Gerador", **evening.who(Role.TABLE_CHIEF))
    games.announce_draw(game=evening.game, **caller)
    draws.draw(game=evening.game, **caller)
    assert board(evening.hall.code)[1]["suspended"] is None
    assert audit(Hall.objects.get()) == []


def test_suspended_draw_asks_the_rng_for_nothing() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games.announce_draw(game=evening.game, **caller)
    suspensions.suspend(game=evening.game, reason="Sem som", **caller)
    with refuses("suspended"):
        draws.draw(game=evening.game, **caller)


def test_suspended_game_that_nothing_mends_is_voided() -> None:
    evening = suspended()
    games.void(game=evening.game, cause="fault", reason="Sem luz", **evening.who(Role.TABLE_CHIEF))
    assert board(evening.hall.code)[1]["suspended"] is None
    assert audit(Hall.objects.get()) == []


def test_fault_after_the_first_ball_suspends_nothing() -> None:
    evening = Evening().reach("drawing")
    with refuses(Refusal("fault_after_first_ball", balls=15)):
        suspensions.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))


@pytest.mark.parametrize("reason", ["", "  "])
def test_suspension_and_resumption_say_why(reason: str) -> None:
    evening = Evening().reach("closed")
    with refuses("reason_missing"):
        suspensions.suspend(game=evening.game, reason=reason, **evening.who(Role.CALLER))
    suspensions.suspend(game=evening.game, reason="Sem luz", **evening.who(Role.CALLER))
    with refuses("text_missing"):
        suspensions.resume(game=evening.game, decision=reason, **evening.who(Role.TABLE_CHIEF))
