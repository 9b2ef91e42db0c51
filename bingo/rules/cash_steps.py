"""The smallest coin that prizes are paid in, where it is larger than the currency's minor unit (R6).

Each winner's part is rounded down to it, and so is what tax leaves of that part; equal winners get
equal money. What the coin leaves over is the players': it goes into the jackpot, or without one
into the next game's fund.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bingo.rules import prizes
from bingo.rules.prizes import PROPORTIONAL, Shares
from bingo.rules.refusal import Refusal

NONE = 1  # minor unit: every amount can be paid
MOST = 10**6  # minor units
# How prizes are rounded: each winner's part and what tax leaves of it; or, in sessions opened
# before, whole coins one by one, and the tax down to a coin.
EACH_WINNER, COIN_BY_COIN = "each_winner", "coin_by_coin"


def rounding_of(told: Mapping[str, Any]) -> str:
    """Return how prizes are rounded by the terms of a session, or the stored state of a game.

    Those without a coin, and those older than the rounding of each winner's part, do not name it.
    """
    return str(told.get("cash_rounding", COIN_BY_COIN))


def require(step: int) -> None:
    """Refuse what is no coin: bad_cash_step. Minor units."""
    if not NONE <= step <= MOST:
        raise Refusal("bad_cash_step", step=step)


def require_fits(
    step: int,
    *,
    faces: Iterable[int],
    played: Iterable[Shares],
    jackpot_rate: int,
    source: str = PROPORTIONAL,
) -> None:
    """Refuse a step that could make a prize nothing: cash_step_over_prize.

    The smallest prize is that of a game that sold one card of the lowest price; `played` are all
    ways in which the hall divides prizes. Minor units.
    """
    face = min(faces, default=None)
    if step == NONE or face is None:
        return
    for shares in played:
        name, worth = prizes.least(face, shares=shares, jackpot_rate=jackpot_rate, source=source)
        if worth < step:
            raise Refusal("cash_step_over_prize", step=step, prize=name, amount=worth, face=face)
