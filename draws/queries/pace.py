"""How fast cards are sold just now, and when those of the game run out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bingo.rules.state import GameState, Phase
from draws.queries.curves import STEP, Moments

WINDOW = 180  # seconds; a shorter one jumps with every customer


@dataclass(frozen=True, slots=True)
class Pace:
    """Cards `left` to this game, cards sold `per_minute`, and when the last one goes at that pace."""

    left: int
    per_minute: float
    runs_out: datetime | None

    def lasts(self, at: datetime) -> int | None:
        """Give the seconds that the cards last, None while nothing is sold."""
        return None if self.runs_out is None else int((self.runs_out - at).total_seconds())


def pace(game: GameState, sold: Moments, *, since: datetime, at: datetime) -> Pace | None:
    """Give the pace of a sale that goes on, None of any other.

    `sold` holds cards by moments of STEP seconds `since` a time; the last WINDOW seconds count and
    the moment that they began in, or only what there is since the first sale.
    """
    if game.phase != Phase.SELLING:
        return None
    left = sum(run.left for run in game.runs)
    reached = (at - since).total_seconds()
    begun = max(min(sold, default=0), int(reached) // STEP - WINDOW // STEP)
    cards = sum(count for moment, count in sold.items() if moment >= begun)
    if not cards:
        return Pace(left, 0.0, None)
    per_second = cards / max(float(STEP), reached - begun * STEP)
    return Pace(left, per_second * 60, at + timedelta(seconds=left / per_second))
