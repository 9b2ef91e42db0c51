"""Find the ball sets that deserve an inspection, added up by the database: one query a format.

The theory is that of `draws.balls.statistics`. What a number was expected to come to in a game is
what all balls asked about were worth, less what came after it was out. What the balls up to one are
worth depends on its place alone, so nothing need be known of a game but its own balls and two
places: where it ended, and until where the RNG drew it. The RNG comes first or not at all: once a
ball of another source is out it does not come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.db import connection

from bingo.rules.steps.drawing import RNG
from draws.balls import statistics
from draws.balls.statistics import MOST_GAMES, CountedFigure
from halls.models import BallSet

# `worth`, `spread` and `others` hold, from place 0 on, what `_sums` gives for each place.
SUMS = """
WITH known AS (
    SELECT %(worth)s::float8[] AS worth, %(spread)s::float8[] AS spread,
           %(others)s::float8[] AS others
), newest AS MATERIALIZED (
    SELECT id, ball_set_id, ended,
           CASE WHEN first = %(rng)s
                THEN (SELECT max("order") FROM draws_ball
                       WHERE game_id = ranked.id AND source = %(rng)s)
                ELSE 0 END AS begun
      FROM (SELECT g.id, g.ball_set_id, b.source AS first,
                   (SELECT max("order") FROM draws_ball WHERE game_id = g.id) AS ended,
                   row_number() OVER (PARTITION BY g.ball_set_id ORDER BY g.id DESC) AS age
              FROM draws_game g
              JOIN draws_issue i ON i.id = g.issue_id
              JOIN draws_series s ON s.id = i.series_id AND s.format = %(format)s
              JOIN draws_ball b ON b.game_id = g.id AND b."order" = 1
             WHERE g.ball_set_id = ANY(%(sets)s)) ranked
     WHERE age <= %(most)s
)
SELECT ball_set_id, NULL, count(*) FILTER (WHERE ended > begun),
       sum(worth[ended + 1] - worth[begun + 1]), sum(spread[ended + 1] - spread[begun + 1]),
       sum(others[ended + 1] - others[begun + 1])
  FROM newest CROSS JOIN known
 GROUP BY ball_set_id
UNION ALL
SELECT n.ball_set_id, b.number, count(*) FILTER (WHERE b."order" > begun),
       sum(worth[ended + 1] - worth[greatest(b."order", begun) + 1]),
       sum(spread[ended + 1] - spread[greatest(b."order", begun) + 1]), 0
  FROM newest n JOIN draws_ball b ON b.game_id = n.id CROSS JOIN known
 GROUP BY n.ball_set_id, b.number
"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the games of a set come to: a figure for each number, `spread` the variance of all."""

    games: int
    figures: tuple[CountedFigure, ...]
    spread: float

    @property
    def alarm(self) -> bool:
        """Whether the balls of the set deserve an inspection."""
        return statistics.is_alarm(self.figures, games=self.games, spread=self.spread)


@dataclass(frozen=True, slots=True)
class _Whole:
    """A set's own sums: what is expected of a number that never came, and its variance."""

    expected: float = 0.0
    variance: float = 0.0
    spread: float = 0.0
    games: int = 0


@dataclass(frozen=True, slots=True)
class _Came:
    """How often a number came, and what it therefore falls short of the whole."""

    count: int = 0
    missed: float = 0.0
    narrowed: float = 0.0


def weighed(sets: Iterable[BallSet]) -> Mapping[int, Weighed]:
    """Weigh the newest games of ball sets, all of a format at once; gives them by the set's key."""
    by_format: dict[int, list[int]] = {}
    for one in sets:
        by_format.setdefault(one.format, []).append(one.pk)
    found: dict[int, Weighed] = {}
    for format, keys in by_format.items():
        found |= _of_a_format(format, keys)
    return found


def _of_a_format(format: int, keys: list[int]) -> dict[int, Weighed]:
    came: dict[tuple[int, int], _Came] = {}
    wholes: dict[int, _Whole] = {}
    asked: dict[str, Any] = {
        "sets": keys,
        "format": format,
        "most": MOST_GAMES,
        "rng": RNG,
        **_sums(format),
    }
    with connection.cursor() as cursor:
        cursor.execute(SUMS, asked)
        for key, number, count, worth, spread, others in cursor:
            if number is None:
                wholes[key] = _Whole(worth, spread, others, count)
            else:
                came[key, number] = _Came(count, worth, spread)
    return {
        key: _of_a_set(
            wholes.get(key, _Whole()),
            [came.get((key, number), _Came()) for number in range(1, format + 1)],
        )
        for key in keys
    }


def _sums(format: int) -> dict[str, list[float]]:
    """Return what all balls up to each place are worth: to a number still there, with its variance.

    `others` is the variance of all numbers together.
    """
    shares = [1 / left for left in range(format, 0, -1)]
    return {
        "worth": list(accumulate(shares, initial=0.0)),
        "spread": list(accumulate((one - one**2 for one in shares), initial=0.0)),
        "others": list(accumulate((1 - one for one in shares), initial=0.0)),
    }


def _of_a_set(whole: _Whole, numbers: Iterable[_Came]) -> Weighed:
    figures = tuple(
        CountedFigure(one.count, whole.expected - one.missed, whole.variance - one.narrowed)
        for one in numbers
    )
    return Weighed(whole.games, figures, whole.spread)
