"""Closed forms of a draw, and a million games that meet them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations as every
from math import sqrt

import numpy as np
import pytest

from bingo.engine.winners import Winners, table
from bingo.rules import cards, formats, jackpot_chances, patterns
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import MATRIX, numbers

GAMES = 1_000_000
ALL = range(1, 91)


def test_chances_are_counted_as_they_are_by_hand() -> None:
    drawn = [set(first) for first in every(range(6), 4)]
    whole = Fraction(sum({0, 1, 2} <= one for one in drawn), len(drawn))
    assert jackpot_chances.complete_by(4, numbers=3, of=6) == whole == Fraction(1, 5)
    assert jackpot_chances.complete_by(14, numbers=15, of=90) == 0
    assert jackpot_chances.complete_by(90, numbers=15, of=90) == 1
    with pytest.raises(Refusal, match="number_out_of_range"):
        jackpot_chances.complete_by(91, numbers=15, of=90)


def test_chance_of_a_line_is_counted_by_its_rows() -> None:
    rows = [frozenset({1, 2}), frozenset({3, 4}), frozenset({4, 5})]
    drawn = [set(first) for first in every(range(1, 8), 4)]
    counted = Fraction(sum(any(row <= one for row in rows) for one in drawn), len(drawn))
    assert jackpot_chances.any_way_complete_by(4, ways=rows, of=7) == counted
    assert jackpot_chances.any_way_complete_by(1, ways=rows, of=7) == 0
    assert jackpot_chances.any_way_complete_by(7, ways=rows, of=7) == 1
    three = [frozenset(range(at, at + 5)) for at in (0, 5, 10)]
    assert jackpot_chances.unions(three) == {5: 3, 10: -3, 15: 1}


def test_chance_of_several_cards_is_never_more_than_the_sum_of_theirs() -> None:
    one = float(jackpot_chances.complete_by(45, numbers=15, of=90))
    many = jackpot_chances.bingo_by(45, cards=420, format=90)
    assert one < many < 420 * one
    assert jackpot_chances.bingo_by(45, cards=1, format=90) == pytest.approx(one)


def places(games: int, seed: int) -> np.ndarray:
    """At which ball each number comes, (games, 90), counted from 1."""
    rng = np.random.default_rng(seed)
    order = np.tile(np.arange(90, dtype=np.uint8), (games, 1))
    return rng.permuted(order, axis=1) + np.uint8(1)


@pytest.mark.slow
def test_million_games_meet_the_closed_forms() -> None:
    """A bingo by ball k: C(75, k-15)/C(90, k); a line by inclusion and exclusion of its rows."""
    card = np.array(sorted(numbers(1))) - 1
    rows = [np.array(sorted(row)) - 1 for row in cards.lines(MATRIX[0])]
    bingo, line = np.zeros(91, np.int64), np.zeros(91, np.int64)
    for part in range(10):
        when = places(GAMES // 10, part)
        bingo += np.bincount(when[:, card].max(axis=1), minlength=91)
        first = np.min([when[:, row].max(axis=1) for row in rows], axis=0)
        line += np.bincount(first, minlength=91)
    for balls in range(15, 91):
        whole = {
            n: float(jackpot_chances.complete_by(balls, numbers=n, of=90)) for n in (5, 10, 15)
        }
        assert_near(bingo[: balls + 1].sum(), whole[15])
        assert_near(line[: balls + 1].sum(), 3 * whole[5] - 3 * whole[10] + whole[15])


def assert_near(count: int, chance: float) -> None:
    """Within five and a half deviations: of 152 such looks, one in 170,000 runs would stray."""
    spread = sqrt(GAMES * chance * (1 - chance))
    assert abs(int(count) - GAMES * chance) <= 5.5 * spread + 1


def test_count_that_is_a_fiftieth_off_is_noticed() -> None:
    chance = float(jackpot_chances.complete_by(85, numbers=15, of=90))
    with pytest.raises(AssertionError):
        assert_near(int(GAMES * chance * 1.02), chance)


def test_winners_are_told_at_the_very_balls_of_the_simulation() -> None:
    format = formats.NINETY
    won = (patterns.combination_line(format, (patterns.ROWS,)), patterns.bingo(format, None))
    winners = Winners(table(MATRIX), format=format, combinations=won)
    for game in places(20, 77):
        draw = np.argsort(game) + 1
        at = {"line": np.zeros(len(MATRIX), int), "bingo": np.zeros(len(MATRIX), int)}
        for ball, number in enumerate(draw, start=1):
            winners.announce(int(number))
            for name, balls in at.items():
                done = np.asarray(winners.complete(name), dtype=np.int64)
                balls[done[balls[done] == 0]] = ball
        for index, card in enumerate(MATRIX):
            held = [game[np.array(sorted(row)) - 1].max() for row in cards.lines(card)]
            assert at["line"][index] == min(held)
            assert at["bingo"][index] == max(held)
        for number in reversed(draw):
            winners.recall(int(number))
