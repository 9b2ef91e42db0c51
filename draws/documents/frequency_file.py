"""The statistics of the balls as files: CSV a number a line, JSON with everything."""

from __future__ import annotations

import csv
import io
from typing import Any

from draws.queries.fairness import LEVEL, Fairness, Figure, Number

HEAD = (
    "number", "drawn", "expected", "difference", "band", "outside", "mean_place",
    "early_deviations", "longest_gap", "games_since",
)  # fmt: skip


def as_csv(found: Fairness) -> str:
    """Write a line for each number, points in fractions, as any program reads it."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(HEAD)
    lines.writerows([_number(one)[name] for name in HEAD] for one in found.numbers)
    return text.getvalue()


def as_data(found: Fairness) -> dict[str, Any]:
    """Give everything that was found, for JSON."""
    return {
        "format": found.format,
        "games": found.games,
        "balls": found.balls,
        "chi_square": round(found.statistic, 4),
        "degrees_of_freedom": found.freedom,
        "p_value": found.chance,
        "level": LEVEL,
        "enough": found.enough,
        "alarm": found.alarm,
        "numbers": [_number(one) for one in found.numbers],
        "gaps": [
            {"games_since": wait, "or_more": wait == len(found.waits), **_figure(figure)}
            for wait, figure in enumerate(found.waits, start=1)
        ],
        "pairs": [
            {
                "numbers": list(pair.numbers),
                "came": pair.came,
                "expected": round(pair.expected, 4),
                "p_value_of_all_pairs": pair.chance,
            }
            for pair in found.pairs
        ],
    }


def _number(one: Number) -> dict[str, Any]:
    return {
        "number": one.number,
        "drawn": one.drawn.came,
        "expected": round(one.drawn.expected, 4),
        "difference": round(one.drawn.difference, 4),
        "band": round(one.band, 4),
        "outside": one.outside,
        "mean_place": None if one.place is None else round(one.place, 2),
        "early_deviations": round(one.early, 3),
        "longest_gap": one.longest,
        "games_since": one.waiting,
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "came": figure.came,
        "expected": round(figure.expected, 4),
        "deviations": round(figure.deviations, 3),
    }
