"""The growth of a hall's jackpots as one picture: what each level held after each of its movements."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bingo import charts
from bingo.charts import Line
from draws.jackpots.queries import AccountStatement, jackpot_name

MOMENTS = 300  # movements drawn, however many there were


@dataclass(frozen=True, slots=True)
class GrowthChart:
    """The line of each level, from the first movement drawn to the last, and what the top stands for."""

    levels: tuple[Line, ...]
    begun: datetime
    until: datetime
    highest: int


def growth_chart(told: AccountStatement) -> GrowthChart | None:
    """Return the picture of an account's last movements; None before there are two."""
    if len(told.lines) < 2:
        return None
    held = [0] * len(told.balances)
    moments: list[list[int]] = []
    for each in told.lines:
        held[each.movement.level] = each.movement.balance
        moments.append(list(held))
    shown = moments[-MOMENTS:]
    highest = max(1, *(max(moment) for moment in shown))
    return GrowthChart(
        levels=tuple(
            charts.line(jackpot_name(level), [moment[level] for moment in shown], 0, highest)
            for level in range(len(held))
        ),
        begun=told.lines[-len(shown)].entry.at,
        until=told.lines[-1].entry.at,
        highest=highest,
    )
