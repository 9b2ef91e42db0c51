"""The pace of a sale, and when its cards run out at it."""

from datetime import timedelta

import pytest

from bingo.rules import session_state
from bingo.rules.session_state import GameState
from draws.sales.queries import pace
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def known(evening: Evening) -> GameState:
    found = session_state.load(evening.session.state).game
    assert found
    return found


@pytest.mark.parametrize(
    ("sold", "seconds", "per_minute", "lasts"),
    [
        ({0: 6}, 10, 12.0, 420),  # half a minute at least: one sale is no pace yet
        ({0: 6}, 60, 6.0, 840),
        ({0: 60, 20: 3, 21: 3}, 660, 2.0, 2520),
        ({}, 60, 0.0, None),
        ({0: 6}, 600, 0.0, None),  # too long ago
    ],
)
def test_pace_is_that_of_the_last_minutes(
    sold: dict[int, int], seconds: int, per_minute: float, lasts: int | None
) -> None:
    evening = Evening().reach("sold")
    since = evening.session.opened_at
    at = since + timedelta(seconds=seconds)
    found = pace(known(evening), sold, since=since, at=at)
    assert found
    assert found.left == 84
    assert found.per_minute == pytest.approx(per_minute)
    assert found.lasts(at) == lasts


@pytest.mark.parametrize("stage", ["prepared", "closed", "drawing", "paying"])
def test_there_is_no_pace_when_nothing_is_on_sale(stage: str) -> None:
    evening = Evening().reach(stage)
    since = evening.session.opened_at
    assert pace(known(evening), {0: 6}, since=since, at=since + timedelta(seconds=60)) is None


def test_clock_that_went_back_gives_a_pace_all_the_same() -> None:
    evening = Evening().reach("sold")
    since = evening.session.opened_at
    found = pace(known(evening), {4: 6}, since=since, at=since)
    assert found
    assert found.per_minute == pytest.approx(12.0)
