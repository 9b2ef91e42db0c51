"""Ball sets weighed by the database come to what they come to game by game."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from draws.balls import ball_set_alarms, statistics
from draws.balls.statistics import StatisticsQuery
from draws.models import Ball
from halls.models import BallSet
from tests.support.ball_sets import ball_set, own, the_set
from tests.support.drawn_pages import drawn
from tests.support.evening import Evening
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db


def owning(*serials: str) -> tuple[Evening, list[BallSet]]:
    """A hall with some sets of ninety."""
    evening = Evening().reach("session")
    own(*(lambda e, w, serial=serial: ball_set(e, w, serial=serial) for serial in serials))(evening)
    return evening, [the_set(evening, serial) for serial in serials]


def close(one: statistics.CountedFigure, other: statistics.CountedFigure) -> bool:
    """Whether two figures are the same but for rounding."""
    near = pytest.approx((other.expected, other.variance), rel=1e-9, abs=1e-9)
    return one.came == other.came and (one.expected, one.variance) == near


@pytest.mark.slow
def test_sums_are_those_of_every_game_looked_at() -> None:
    evening, sets = owning("A", "B", "C")
    drawn(evening, 60, ball_set=sets[0], heavy=17)
    drawn(evening, 35, ball_set=sets[1], balls=90, seed=2)
    mixed = drawn(evening, 5, ball_set=sets[1], balls=30, seed=3)
    # Games that the RNG began, and one that it drew to its end.
    for game, balls in zip(mixed, (1, 7, 29, 30), strict=False):
        plant(Ball.objects.filter(game=game, order__lte=balls), source="rng")
    found = ball_set_alarms.weighed(sets)
    for one in sets:
        judged = statistics.judged(evening.hall, StatisticsQuery(90, one))
        mine = found[one.pk]
        assert mine.games == judged.games
        assert mine.alarm == judged.alarm
        pairs = zip(mine.figures, judged.numbers, strict=True)
        assert all(close(figure, number.drawn) for figure, number in pairs), one
    assert [found[one.pk].alarm for one in sets] == [True, False, False]
    assert [found[one.pk].games for one in sets] == [60, 39, 0]


@pytest.mark.slow
def test_only_the_newest_games_count(monkeypatch: pytest.MonkeyPatch) -> None:
    evening, sets = owning("A")
    drawn(evening, 60, ball_set=sets[0], heavy=17)
    drawn(evening, 60, ball_set=sets[0], seed=2)
    assert ball_set_alarms.weighed(sets)[sets[0].pk].alarm
    for module in (ball_set_alarms, statistics):
        monkeypatch.setattr(module, "MOST_GAMES", 60)
    found = ball_set_alarms.weighed(sets)[sets[0].pk]
    assert (found.games, found.alarm) == (60, False)


def test_set_that_has_served_in_games_of_another_format_is_judged_by_its_own() -> None:
    evening, sets = owning("A")
    drawn(evening, 5, ball_set=sets[0])
    plant(BallSet.objects.all(), format=75)
    assert ball_set_alarms.weighed([the_set(evening, "A")])[sets[0].pk].games == 0


def test_any_number_of_sets_is_one_query() -> None:
    evening, sets = owning(*(f"S{number}" for number in range(12)))
    drawn(evening, 3, ball_set=sets[3])
    for some in (sets[:1], sets):
        with CaptureQueriesContext(connection) as queries:
            assert len(ball_set_alarms.weighed(some)) == len(some)
        assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        assert ball_set_alarms.weighed([]) == {}
    assert len(queries) == 0
