"""Questions to many games' balls: each answer is how far chi-square stands from what chance gives.

Games are an array (games, balls) of the numbers from 1 in the order drawn. Every statistic counts
what is independent from game to game, so that its distribution is known and not estimated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

Games = NDArray[np.int64]
Counts = NDArray[np.float64]
LEAST = 8.0  # expected count of a cell
FIRST = 5  # balls


def scores(games: Games) -> dict[str, float]:
    """Return each statistic's standard deviations from its mean: too far either way is no chance."""
    return {name: statistic(games) for name, statistic in BATTERY.items()}


def worst(games: Games) -> tuple[float, str]:
    """Return the farthest of them, and which it is."""
    return max((abs(score), name) for name, score in scores(games).items())


def positions(games: Games) -> float:
    """Every number equally often at every place; both margins of the table are fixed."""
    count, balls = games.shape
    seen = np.zeros((balls, balls))
    for place in range(balls):
        seen[place] = np.bincount(games[:, place] - 1, minlength=balls)
    expected = count / balls
    square: float = float(((seen - expected) ** 2 / expected).sum()) * (balls - 1) / balls
    return normal(square, (balls - 1) ** 2)


def trend(games: Games) -> float:
    """Low numbers no earlier than high ones: the sum of place × number, summed over the games."""
    count, balls = games.shape
    told = float((games * np.arange(1, balls + 1)).sum()) - count * balls * (balls + 1) ** 2 / 4
    return float(told) / sqrt(count * balls**2 * (balls + 1) ** 2 * (balls - 1) / 144)


def gaps_of_numbers(games: Games) -> float:
    """How far apart the first two numbers are: n - d of n(n-1)/2 pairs are d apart."""
    return _apart(np.abs(games[:, 0] - games[:, 1]), games.shape[1])


def gaps_of_places(games: Games) -> float:
    """How many balls from number 1 to number 2, whichever comes first."""
    first, second = (np.argmax(games == number, axis=1) for number in (1, 2))
    return _apart(np.abs(first - second), games.shape[1])


def pairs_at_the_start(games: Games) -> float:
    """The first number against the second."""
    return _pairs(games, 0)


def pairs_in_the_middle(games: Games) -> float:
    """The number half-way against the next one."""
    return _pairs(games, games.shape[1] // 2)


def order_of_the_first_five(games: Games) -> float:
    """The 120 ways in which five numbers can follow each other by size."""
    ways = {way: at for at, way in enumerate(permutations(range(FIRST)))}
    ranks = np.argsort(games[:, :FIRST], axis=1)
    seen = np.bincount([ways[tuple(way)] for way in ranks.tolist()], minlength=len(ways))
    return _compared(seen.astype(float), np.full(len(ways), len(games) / len(ways)))


def low_ones_of_the_first_five(games: Games) -> float:
    """How many of the first five are in the lower half."""
    count, balls = games.shape
    low = balls // 2
    seen = np.bincount((games[:, :FIRST] <= low).sum(axis=1), minlength=FIRST + 1)
    ways = [comb(low, one) * comb(balls - low, FIRST - one) for one in range(FIRST + 1)]
    return _compared(seen.astype(float), count * np.array(ways) / comb(balls, FIRST))


def games_between(games: Games) -> float:
    """How many games from one that has number 1 among its first five to the next."""
    hits = np.flatnonzero((games[:, :FIRST] == 1).any(axis=1))
    waits = np.diff(hits)
    chance = FIRST / games.shape[1]
    longest = int(waits.max()) + 1
    expected = len(waits) * chance * (1 - chance) ** np.arange(longest)
    expected[-1] = len(waits) * (1 - chance) ** (longest - 1)
    seen = np.bincount(np.minimum(waits, longest) - 1, minlength=longest)
    return _compared(seen.astype(float), expected)


def next_game(games: Games) -> float:
    """A game's first number against the next game's: no game goes on from the last."""
    count, balls = games.shape
    whole = games[: count // 2 * 2, 0].reshape(-1, 2) - 1
    groups = _groups(balls, len(whole))
    size = np.bincount(groups)
    seen = np.bincount(
        groups[whole[:, 0]] * len(size) + groups[whole[:, 1]], minlength=size.size**2
    )
    expected = len(whole) * np.outer(size, size).ravel() / balls**2
    return _compared(seen.astype(float), expected)


BATTERY: Mapping[str, Callable[[Games], float]] = {
    "positions": positions,
    "trend": trend,
    "gaps of numbers": gaps_of_numbers,
    "gaps of places": gaps_of_places,
    "pairs at the start": pairs_at_the_start,
    "pairs in the middle": pairs_in_the_middle,
    "order of the first five": order_of_the_first_five,
    "low ones of the first five": low_ones_of_the_first_five,
    "games between": games_between,
    "next game": next_game,
}


def normal(square: float, freedom: int) -> float:
    """Return a chi-square as standard deviations (Wilson and Hilferty, 1931)."""
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def _apart(distance: NDArray[np.int64], balls: int) -> float:
    seen = np.bincount(distance, minlength=balls)[1:].astype(float)
    ways = np.arange(balls - 1, 0, -1)
    return _compared(seen, len(distance) * ways / comb(balls, 2))


def _pairs(games: Games, place: int) -> float:
    count, balls = games.shape
    groups = _groups(balls, count)
    size = np.bincount(groups)
    first, second = groups[games[:, place] - 1], groups[games[:, place + 1] - 1]
    seen = np.bincount(first * len(size) + second, minlength=size.size**2)
    ways = np.outer(size, size) - np.diag(size)
    return _compared(seen.astype(float), count * ways.ravel() / (balls * (balls - 1)))


def _groups(balls: int, count: int) -> NDArray[np.int64]:
    """Return each number its group: as many as leave every pair of groups enough games."""
    wanted = max(2, min(balls, int(sqrt(count / (2 * LEAST)))))
    return np.arange(balls) * wanted // balls


def _compared(seen: Counts, expected: Counts) -> float:
    """Compare counts, those of rare cells together."""
    rare = expected < LEAST
    seen = np.append(seen[~rare], seen[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    square = float(((seen[kept] - expected[kept]) ** 2 / expected[kept]).sum())
    return normal(square, int(kept.sum()) - 1)
