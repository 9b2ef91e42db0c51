"""Fair balls are left alone, however games end; crooked ones are found."""

from __future__ import annotations

from random import Random

import pytest

from draws.balls import statistics
from draws.balls.statistics import Draw, Fairness

THIRTY, NINETY = 30, 90


def drawn(
    rng: Random, highest: int, *, balls: int | None = None, cards: list[list[int]] | None = None,
    heavy: dict[int, float] | None = None,
) -> Draw:  # fmt: skip
    """Draw a game up to some balls, or until one of the cards is complete; some come sooner."""
    weights = heavy or {}
    order = sorted(
        range(1, highest + 1), key=lambda number: -(rng.random() ** (1 / weights.get(number, 1.0)))
    )
    if cards is not None:
        at = {number: place for place, number in enumerate(order, start=1)}
        balls = min(max(at[number] for number in card) for card in cards)
    return [(number, True) for number in order[:balls]]


def dealt(rng: Random, highest: int, *, cards: int, size: int) -> list[list[int]]:
    """Deal cards."""
    return [rng.sample(range(1, highest + 1), size) for _card in range(cards)]


def judged(seed: int, games: int, highest: int = THIRTY, **told: object) -> Fairness:
    """Judge games drawn from a seed."""
    rng = Random(seed)
    draws = [drawn(rng, highest, **told) for _game in range(games)]  # type: ignore[arg-type]
    return statistics.judge_fairness(draws, format=highest)


def alarms_of_fair_sets(sets: int, highest: int, games: int, size: int) -> tuple[int, int]:
    """Count, of fair sets whose games end with a bingo, the alarms and the chances under 5 %."""
    alarms = small = 0
    for seed in range(sets):
        rng = Random(seed)
        # Always the same three cards: no games end less by chance than these.
        cards = dealt(rng, highest, cards=3, size=size)
        draws = [drawn(rng, highest, cards=cards) for _game in range(games)]
        found = statistics.judge_fairness(draws, format=highest)
        alarms += found.alarm
        small += found.chance < 0.05
    return alarms, small


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    # The quantiles that every table of the chi-square distribution has.
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (59.703, 30, 0.001), (112.022, 89, 0.05), (0, 5, 1)],
)
def test_chi_square_tail_is_that_of_the_tables(statistic: float, freedom: int, tail: float) -> None:
    assert statistics.chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=2e-3)


def test_poisson_tail_adds_up() -> None:
    assert statistics.poisson_tail(0, 3.0) == 1
    assert statistics.poisson_tail(1, 3.0) == pytest.approx(1 - 2.718281828**-3)
    assert statistics.poisson_tail(20, 3.0) < 1e-9


def test_binomial_tail_adds_up() -> None:
    assert statistics.binomial_tail(0, 5, 0.3) == 1
    assert statistics.binomial_tail(6, 5, 0.3) == 0
    assert statistics.binomial_tail(5, 5, 0.3) == pytest.approx(0.3**5)
    assert statistics.binomial_tail(1, 5, 0.3) == pytest.approx(1 - 0.7**5)
    assert statistics.binomial_tail(3, 5, 1.0) == 1
    few = statistics.binomial_tail(9, 100_000, 3 / 100_000)
    assert few == pytest.approx(statistics.poisson_tail(9, 3.0), rel=1e-3)


def test_band_is_wider_the_more_is_looked_at() -> None:
    assert statistics.band(0.05, 1) == pytest.approx(1.95996, abs=1e-4)
    assert statistics.band(0.001, NINETY) == pytest.approx(4.3985, abs=0.01)


def test_expected_are_counted_ball_by_ball() -> None:
    found = statistics.judge_fairness([[(2, True), (1, True)]], format=3)
    one, two, three = (number.drawn for number in found.numbers)
    assert [figure.came for figure in (one, two, three)] == [1, 1, 0]
    expected = [figure.expected for figure in (one, two, three)]
    assert expected == pytest.approx([1 / 3 + 1 / 2, 1 / 3, 1 / 3 + 1 / 2])
    # 2 (0.6667² + 0.1667² + 0.8333²) / (2/3 + 1/2)
    assert found.statistic == pytest.approx(2 * (7 / 6) / (7 / 6))


def test_differences_add_up_to_nothing() -> None:
    found = judged(1, 50, balls=20)
    assert sum(one.drawn.difference for one in found.numbers) == pytest.approx(0, abs=1e-9)
    assert sum(one.drawn.came for one in found.numbers) == found.balls == 50 * 20
    assert found.games == 50


@pytest.mark.slow
def test_fair_sets_raise_the_alarm_as_seldom_as_promised() -> None:
    alarms, small = alarms_of_fair_sets(200, THIRTY, 60, 9)
    # Twice in a thousand looks at most: three of two hundred would be one chance in a hundred.
    assert alarms <= 2
    assert 2 <= small <= 22


@pytest.mark.slow
def test_fair_sets_of_ninety_raise_the_alarm_as_seldom_as_promised() -> None:
    alarms, small = alarms_of_fair_sets(200, NINETY, 60, 15)
    assert alarms <= 2
    assert 2 <= small <= 22


def test_counting_games_would_accuse_the_cards() -> None:
    # The control: numbers of the only card are out whenever a game ends, and nothing is amiss.
    rng = Random(3)
    cards = dealt(rng, THIRTY, cards=1, size=9)
    draws = [drawn(rng, THIRTY, cards=cards) for _game in range(200)]
    found = statistics.judge_fairness(draws, format=THIRTY)
    share = found.balls / found.games / THIRTY
    naive = sum(
        (one.drawn.came - 200 * share) ** 2 / (200 * share * (1 - share)) for one in found.numbers
    )
    assert statistics.chi_square_tail(naive, THIRTY - 1) < 1e-6
    assert not found.alarm


def test_planted_ball_is_found() -> None:
    found = judged(4, 150, NINETY, balls=55, heavy={17: 2.0})
    assert found.alarm
    assert [one.number for one in found.outside] == [17]
    assert found.numbers[16].early > 3


def test_many_slightly_crooked_balls_are_found_by_the_whole() -> None:
    crooked = dict.fromkeys(range(1, 46), 1.3)
    found = judged(5, 400, NINETY, balls=55, heavy=crooked)
    assert found.alarm
    assert found.chance < 0.001


def test_missing_ball_is_found() -> None:
    found = judged(6, 80, NINETY, balls=55, heavy={64: 1e-9})
    assert 64 in [one.number for one in found.outside]
    assert found.numbers[63].place is None


def test_few_games_give_no_alarm() -> None:
    found = judged(7, 20, balls=29, heavy={3: 50.0})
    assert (found.enough, found.alarm) == (False, False)
    assert judged(7, 60, balls=20, heavy={3: 50.0}).alarm


def test_balls_not_asked_about_leave_the_machine_and_count_nowhere_else() -> None:
    found = statistics.judge_fairness([[(1, False), (2, True)]], format=3)
    assert [one.drawn.came for one in found.numbers] == [0, 1, 0]
    assert [one.drawn.expected for one in found.numbers] == [0, 0.5, 0.5]
    assert (found.games, found.balls) == (1, 1)
    assert statistics.judge_fairness([[(1, False)]], format=3).games == 0


def test_gaps_are_counted_in_games() -> None:
    games: list[Draw] = [[(1, True)], [(2, True)], [(3, True)], [(1, True)], [(2, True)]]
    found = statistics.judge_fairness(games, format=3)
    assert [(one.longest, one.waiting) for one in found.numbers] == [(3, 1), (3, 0), (None, 2)]
    assert [figure.came for figure in found.waits] == [0, 0, 2, 0, 0, 0]


def test_number_that_always_comes_again_shows_in_the_gaps() -> None:
    rng = Random(8)
    whole = list(range(1, THIRTY + 1))
    games: list[Draw] = []
    for _game in range(100):
        games.append([(number, True) for number in rng.sample(whole, 10)])
        games.append(games[-1])
    repeated, fair = statistics.judge_fairness(games, format=THIRTY), judged(8, 200, balls=10)
    assert repeated.waits[0].deviations > 10
    assert abs(fair.waits[0].deviations) < 4


def test_pair_that_sticks_together_leads_the_pairs() -> None:
    rng = Random(9)
    games: list[Draw] = []
    for _game in range(200):
        order = [number for number, _asked in drawn(rng, THIRTY)]
        order.remove(5)
        order.insert(order.index(12) + 1, 5)
        games.append([(number, True) for number in order])
    first, second = statistics.judge_fairness(games, format=THIRTY).pairs[:2]
    assert (first.numbers, first.came, first.chance < 1e-9) == ((5, 12), 200, True)
    assert second.chance > 0.01


def test_nothing_drawn_is_no_alarm() -> None:
    found = statistics.judge_fairness([], format=NINETY)
    assert (found.games, found.balls, found.alarm, found.chance) == (0, 0, False, 1.0)
