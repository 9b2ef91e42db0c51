"""Carrying on what a cash step leaves over: into the jackpot, or into the next game's fund (R6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bingo.rules.state import Award, GameState
from bingo.rules.steps import Data

JACKPOT, FUND = "jackpot", "fund"


def told(state: GameState, awards: Sequence[Award], left: int) -> Data:
    """Tell where `left` minor units go that these awards could not be paid in; nothing without any.

    The first level of the jackpot takes them, within its ceiling.
    """
    into = min(left, _room(state, awards, left))
    parts = {JACKPOT: into, FUND: left - into}
    return {"carried": {name: part for name, part in parts.items() if part}} if left else {}


def _room(state: GameState, awards: Sequence[Award], left: int) -> int:
    """Give what the first level may still take: all of it without a ceiling, nothing if it is linked.

    Nothing, too, in a game that does not play for it (R9).
    """
    if state.jackpot is None or state.jackpot.link or state.limits[0] is None:
        return 0
    if not state.jackpot.ceiling:
        return left
    after = replace(state, awards=(*state.awards, *awards))
    return max(0, state.jackpot.ceiling - after.jackpot_balance)


def kept(state: GameState, data: Data) -> GameState:
    """Keep what a fact carries on."""
    carried = data.get("carried", {})
    return replace(
        state,
        to_jackpot=state.to_jackpot + carried.get(JACKPOT, 0),
        to_fund=state.to_fund + carried.get(FUND, 0),
    )
