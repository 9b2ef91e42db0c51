"""Suspending: from its announcement to its first ball a fault holds a game until it is mended (R55)."""

from __future__ import annotations

from dataclasses import replace

from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.steps import Data, Step

PATIENCE = 15 * 60  # seconds after which an unmended game is voided (R55)


def suspend(state: GameState, *, reason: str) -> Data:
    """Hold the game before its first ball (R55).

    A ball that was out and recalled was a ball: after it the draw goes on by hand. Raises Refusal:
    suspended, fault_after_first_ball, reason_missing.
    """
    require_going(state)
    if state.extracted:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    if not reason.strip():
        raise Refusal("reason_missing")
    return {"reason": reason}


def suspended(state: GameState, data: Data) -> GameState:
    """No card is sold and no ball drawn until the game is resumed; sellers may still settle."""
    return replace(state, suspended=data["reason"])


def resume(state: GameState, *, decision: str) -> Data:
    """Go on with a game that was held; `decision` says how. Raises Refusal: not_suspended, text_missing."""
    if state.suspended is None:
        raise Refusal("not_suspended")
    if not decision.strip():
        raise Refusal("text_missing")
    return {"decision": decision}


def resumed(state: GameState, _data: Data) -> GameState:
    """It goes on."""
    return replace(state, suspended=None)


def require_going(state: GameState) -> None:
    """Refuse what must wait while the game is held: suspended."""
    if state.suspended is not None:
        raise Refusal("suspended", reason=state.suspended)


STEPS = {
    "game_suspended": Step(suspend, suspended),
    "game_resumed": Step(resume, resumed),
}
