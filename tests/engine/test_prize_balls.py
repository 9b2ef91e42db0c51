"""The bands of where prizes fall: as seldom wrong as they promise, and not blind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from bingo.engine import prize_balls
from bingo.engine.prize_balls import Held
from bingo.engine.winners import table
from bingo.rules import cards, formats, patterns
from tests.support.rules_playing import MATRIX

NINETY = formats.NINETY
LINE, BINGO = patterns.combination_line(NINETY), patterns.bingo(NINETY)
SOLD: list[Held] = [prize_balls.numbers_by_way(table(MATRIX[:24]), one) for one in (LINE, BINGO)]
Drawing = Callable[[Random], list[int]]


def fair(rng: Random) -> list[int]:
    """Draw every ball."""
    return rng.sample(range(1, 91), 90)


def rigged(rng: Random) -> list[int]:
    """Draw with the numbers of card 1 three times as likely to come first."""
    friends = cards.numbers(MATRIX[0])
    return sorted(
        range(1, 91), key=lambda one: -(rng.random() ** (1 / 3 if one in friends else 1.0))
    )


def chance(seed: int, games: int, prize: int, drawing: Drawing) -> float:
    """Judge a period of games with the same 24 cards, which share numbers as real ones do."""
    rng = Random(seed)
    numbers = SOLD[prize]
    period = []
    for game in range(games):
        fell = prize_balls.fell(drawing(rng), numbers, of=90)
        assert fell is not None
        [others] = prize_balls.again([numbers], of=90, seed=[seed, game])
        period.append((fell, others))
    return prize_balls.judge(period, of=90, level=0.05).chance


@pytest.mark.slow
@pytest.mark.parametrize("prize", [0, 1], ids=["line", "bingo"])
def test_thousand_fair_periods_give_the_promised_share_of_alarms(prize: int) -> None:
    found = [chance(seed, 40, prize, fair) for seed in range(1_000)]
    # Of 1,000 at 5 %: 50, give or take four times seven; of 1,000 at 1 %: 10, likewise.
    assert 24 <= sum(one <= 0.05 for one in found) <= 78
    assert sum(one <= 0.01 for one in found) <= 23
    assert 0.45 <= float(np.mean(found)) <= 0.55


@pytest.mark.slow
def test_hundred_fair_periods_give_few_alarms() -> None:
    found = [chance(seed, 40, 1, fair) for seed in range(100)]
    assert sum(one <= 0.05 for one in found) <= 13
    assert sum(one <= 0.005 for one in found) <= 3


@pytest.mark.slow
def test_rigged_draws_give_the_alarm() -> None:
    found = [chance(seed, 60, 1, rigged) for seed in range(20)]
    assert sum(one <= 0.005 for one in found) >= 18


def test_band_tells_the_balls_that_are_outside() -> None:
    rng = Random(5)
    [others] = prize_balls.again([SOLD[1]], of=90, seed=[1])
    judged = prize_balls.judge(
        [(prize_balls.fell(rigged(rng), SOLD[1], of=90) or 90, others)] * 60, of=90, level=0.005
    )
    assert judged.outside
    assert judged.chance <= judged.level
    assert judged.came[-1] == judged.games == 60
    for ball in range(90):
        assert judged.lowest[ball] <= judged.expected[ball] <= judged.highest[ball]
    assert list(judged.came) == sorted(judged.came)


@pytest.mark.parametrize("highest", [90, 80, 75, 30])
def test_prize_falls_at_the_ball_that_completes_the_first_card(highest: int) -> None:
    format = formats.get_format(highest)
    rng = Random(highest)
    rows = [_card(format, rng) for _each in range(5)]
    for one in (patterns.combination_line(format), patterns.bingo(format)):
        numbers = prize_balls.numbers_by_way(table(rows), one)
        balls = rng.sample(range(1, highest + 1), highest)
        at = {number: ball for ball, number in enumerate(balls, start=1)}
        expected = min(
            max(at[number] for number in way)
            for card in rows
            for way in patterns.combination_ways(one, card)
        )
        assert prize_balls.fell(balls, numbers, of=highest) == expected
        assert prize_balls.fell(balls[: expected - 1], numbers, of=highest) is None


def _card(format: formats.Format, rng: Random) -> cards.Card:
    """Return a card of the format: where numbers stand matters to no prize."""
    if not format.full:
        return MATRIX[rng.randrange(len(MATRIX))]
    numbers = iter(rng.sample(range(1, format.highest + 1), format.rows * format.columns))
    return tuple(
        tuple(
            None if (row, column) in format.free else next(numbers)
            for column in range(format.columns)
        )
        for row in range(format.rows)
    )


def test_redraws_are_the_same_whenever_they_are_made() -> None:
    one, other = (prize_balls.again(SOLD, of=90, seed=[7, 8]) for _again in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert len(one[0]) == prize_balls.AGAIN
