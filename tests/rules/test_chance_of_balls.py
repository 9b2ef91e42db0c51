"""Whether the balls of many games are chance, and whether the questions would notice if not."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from bingo.rules import rng
from bingo.rules.rng import Drbg, Opening
from tests.support import rules_chance
from tests.support.rules_chance import Games

FORMATS = [90, 80, 75, 30]
FEW, MANY = 5_000, 100_000
BOUND = 5.0  # standard deviations: one false alarm in a million questions
SECONDS = 60.0  # for MANY games and all questions to them
Draw = Callable[[Opening, str, int], list[int]]


def named(game: int) -> Opening:
    """The seed of a game by its number, so that a test always sees the same games."""
    made = hashlib.sha512(f"game {game}".encode()).digest()
    return Opening(made[:32], made[32:48])


def fresh(_game: int) -> Opening:
    """A seed of the operating system, as a hall's game has it."""
    return Opening(os.urandom(32), os.urandom(16))


def ours(opened: Opening, head: str, format: int) -> list[int]:
    """The balls as the hall draws them."""
    return list(rng.balls(opened, head=head, format=format))


def stream(opened: Opening) -> Iterator[int]:
    """The same generator's bytes."""
    made = Drbg(opened.seed, opened.nonce)
    while True:
        yield from made.generate(256)


def remainders(opened: Opening, _head: str, format: int) -> list[int]:
    """A wrong way: the remainder of a byte, which low places get more often."""
    drum, taken = list(range(1, format + 1)), stream(opened)
    return [drum.pop(next(taken) % len(drum)) for _ball in range(format)]


def naive_swaps(opened: Opening, _head: str, format: int) -> list[int]:
    """A wrong way: every ball swapped with any of all."""
    drum, taken = list(range(1, format + 1)), stream(opened)
    for at in range(format):
        other = next(byte for byte in taken if byte < 256 // format * format) % format
        drum[at], drum[other] = drum[other], drum[at]
    return drum


def played(
    count: int, *, format: int, draw: Draw = ours, seed: Callable[[int], Opening] = named
) -> Games:
    """The balls of many games, each with a seed and a head of its own."""
    games = np.empty((count, format), dtype=np.int64)
    for game in range(count):
        games[game] = draw(seed(game), f"{game:064x}", format)
    return games


@pytest.mark.rule(42)
@pytest.mark.parametrize("format", FORMATS)
def test_balls_of_many_games_are_chance(format: int) -> None:
    assert rules_chance.worst(played(FEW, format=format)) < (BOUND,)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_balls_of_a_hundred_thousand_games_are_chance(format: int) -> None:
    begun = time.monotonic()
    games = played(MANY, format=format, seed=fresh)
    found = rules_chance.scores(games)
    assert max(map(abs, found.values())) < BOUND, found
    assert time.monotonic() - begun < SECONDS


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("draw", [remainders, naive_swaps])
def test_wrong_ways_to_draw_are_noticed(draw: Draw, format: int) -> None:
    games = played(FEW, format=format, draw=draw)
    assert rules_chance.worst(games) > (1.5 * BOUND,), rules_chance.scores(games)


def test_game_drawn_twice_is_noticed() -> None:
    games = np.repeat(played(FEW // 2, format=90), 2, axis=0)
    assert rules_chance.next_game(games) > BOUND


def test_balls_in_runs_are_noticed() -> None:
    games = played(FEW, format=90)
    games[::10] = np.sort(games[::10], axis=1)
    found = rules_chance.scores(games)
    for name in ("order of the first five", "gaps of places", "pairs in the middle"):
        assert found[name] > BOUND, name


@pytest.mark.parametrize(
    ("square", "freedom", "tail"),
    # Printed tables: 95 % points of 10 and of 100, the 99.9 % point of 30.
    [(18.307, 10, 1.645), (124.342, 100, 1.645), (59.703, 30, 3.090)],
)
def test_chi_square_is_told_in_standard_deviations(
    square: float, freedom: int, tail: float
) -> None:
    assert rules_chance.normal(square, freedom) == pytest.approx(tail, abs=0.01)
