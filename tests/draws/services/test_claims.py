"""The window: the hall is given time before a prize is closed for good."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.models import Prize
from draws.services import claims, draws, games
from halls.models import Role
from tests.draws.views.evening import Evening

pytestmark = pytest.mark.django_db


@pytest.mark.rule(46)
def test_window_stays_open_for_the_least_time() -> None:
    evening = Evening().reach("window")
    chief, now = evening.person(Role.TABLE_CHIEF), timezone.now()
    with pytest.raises(Refusal) as refused:
        claims.close_window(game=evening.game, least=3, by=chief, at=now)
    assert refused.value == Refusal("window_too_short", left=3)
    assert not Prize.objects.exists()
    later = now + timedelta(seconds=3)
    assert claims.close_window(game=evening.game, least=3, by=chief, at=later)


def test_ball_of_the_rng_cannot_be_recalled_and_one_by_hand_can() -> None:
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games.announce_draw(game=evening.game, **caller)
    draws.announce(game=evening.game, number=1, **caller)
    draws.recall(game=evening.game, number=1, **caller)
    drawn = draws.draw(game=evening.game, **caller)
    with pytest.raises(Refusal) as refused:
        draws.recall(game=evening.game, number=drawn.number, **caller)
    assert refused.value == Refusal("drawn_by_rng", number=drawn.number)
    assert [ball.number for ball in evening.game.balls.all()] == [drawn.number]


@pytest.mark.rule(46)
def test_window_closes_though_the_clock_was_set_back() -> None:
    evening = Evening().reach("window")
    chief, now = evening.person(Role.TABLE_CHIEF), timezone.now()
    assert claims.close_window(game=evening.game, least=3, by=chief, at=now - timedelta(hours=1))
