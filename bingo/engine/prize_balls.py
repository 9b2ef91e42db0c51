"""At which ball a prize falls: in a game as drawn, and in the same game drawn again by chance.

The theory. Which cards were sold is given; what is left to chance is the order of the balls, and
every order is as likely as any other. So a game as it was drawn and the same cards under orders
made at random are alike, and which of them was the real one cannot be told: whatever the cards have
in common. Whoever picks one of them for each game, again and again, gets periods as chance makes
them, and holds the real one against these. No formula for cards that share numbers is needed, and
how often the alarm is given by chance alone is exact (a test by exchangeability).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bingo.engine.winners import Table
from bingo.rules.patterns import Combination

AGAIN = 49  # times a game is drawn again
PERIODS = 4_000  # made of these
POINTWISE = 0.05

Held = NDArray[np.uint8]
Fell = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Band:
    """A prize over some games, ball by ball from 1: in how many it had fallen.

    `low` and `high` hold 95 % of periods at each ball by itself; `lowest` and `highest` hold, at
    all balls at once, all but `level` of them. `chance` is that of a period at least as odd.
    """

    games: int
    came: tuple[int, ...]
    expected: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]
    level: float
    chance: float

    @property
    def outside(self) -> tuple[int, ...]:
        """The balls at which it had fallen more or less often than the outer band allows."""
        bounds = zip(self.came, self.lowest, self.highest, strict=True)
        return tuple(
            ball
            for ball, (came, low, high) in enumerate(bounds, start=1)
            if not low <= came <= high
        )


def numbers_by_way(cards: Table, combination: Combination) -> Held:
    """Return the numbers of each way on each card, (cards, ways, numbers), 0 where there are fewer."""
    most = max(len(way) for way in combination.ways)
    found = np.zeros((len(cards), len(combination.ways), most), dtype=np.uint8)
    for at, way in enumerate(combination.ways):
        rows, columns = zip(*sorted(way), strict=True)
        found[:, at, : len(way)] = np.sort(cards[:, rows, columns], axis=1)[:, ::-1]
    return found[:, :, : max(1, int((found > 0).any(axis=(0, 1)).sum()))]


def fell(balls: Sequence[int], numbers: Held, *, of: int) -> int | None:
    """Return the ball, from 1, at which the first card had a prize; None when none had by the last."""
    places = np.full((1, of + 1), of + 1, dtype=np.uint8)
    places[0, 0] = 0
    places[0, list(balls)] = np.arange(1, len(balls) + 1)
    found = int(_first(numbers, places)[0])
    return found if found <= of else None


def again(numbers: Sequence[Held], *, of: int, seed: Sequence[int]) -> list[Fell]:
    """Return at which ball each prize falls when the game is drawn again AGAIN times."""
    rng = np.random.default_rng(list(seed))
    order = np.tile(np.arange(1, of + 1, dtype=np.uint8), (AGAIN, 1))
    places = np.zeros((AGAIN, of + 1), dtype=np.uint8)
    places[:, 1:] = rng.permuted(order, axis=1)
    return [_first(one, places) for one in numbers]


def _first(numbers: Held, places: NDArray[np.uint8]) -> Fell:
    found: Fell = places[:, numbers].max(axis=3).min(axis=(1, 2))
    return found


def judge(games: Sequence[tuple[int, Fell]], *, of: int, level: float, seed: int = 1) -> Band:
    """Hold the games of a period, each with its redraws, against periods made of both.

    `level` is how often chance alone leaves the outer band. It is as wide as chance spreads at each
    ball, but nowhere narrower than half its widest: few games would else decide for all.
    """
    table = np.array([[came, *others] for came, others in games], dtype=np.int64)
    balls = np.arange(1, of + 1)
    shares = (table[:, :, None] <= balls).mean(axis=1)
    expected = shares.sum(axis=0)
    spread = np.sqrt((shares * (1 - shares)).sum(axis=0))
    spread = np.maximum(spread, max(float(spread.max()), 1.0) / 2)
    rng = np.random.default_rng(seed)
    picked = rng.integers(0, table.shape[1], size=(len(table), PERIODS))
    periods = _counted(np.take_along_axis(table, picked, axis=1), of)
    came = _counted(table[:, :1], of)[0]
    odd = (np.abs(periods - expected) / spread).max(axis=1)
    ours = float((np.abs(came - expected) / spread).max())
    width = float(np.quantile(odd, 1 - level, method="higher"))
    low, high = np.quantile(
        periods, [POINTWISE / 2, 1 - POINTWISE / 2], axis=0, method="inverted_cdf"
    )
    most = len(table)
    return Band(
        games=most,
        came=tuple(came.tolist()),
        expected=tuple(expected.tolist()),
        low=tuple(low.tolist()),
        high=tuple(high.tolist()),
        lowest=tuple(np.maximum(expected - width * spread, 0).tolist()),
        highest=tuple(np.minimum(expected + width * spread, most).tolist()),
        level=level,
        chance=(1 + int((odd >= ours).sum())) / (PERIODS + 1),
    )


def _counted(fallen: NDArray[np.int64], of: int) -> NDArray[np.int64]:
    """Give, (periods, balls), in how many games of each period the prize had fallen by each ball."""
    periods = fallen.shape[1]
    places = fallen - 1 + np.arange(periods) * of
    counts = np.bincount(places.ravel(), minlength=periods * of).reshape(periods, of)
    found: NDArray[np.int64] = counts.cumsum(axis=1)
    return found
