"""Drawing: the start announced, balls one by one, a slip recalled, the stop (R40 c, R42, R43)."""

from __future__ import annotations

from dataclasses import replace

from bingo.rules import claims, formats
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.steps import Data, Step
from bingo.rules.steps.selling import unchanged

RNG, BY_HAND = "rng", "by_hand"
SOURCES = (RNG, BY_HAND)


def announce_draw(state: GameState) -> Data:
    """Announce cards sold, prizes and the start of the extraction (R40)."""
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    return {"line": state.prizes.line, "bingo": state.prizes.bingo}


def announce(state: GameState, *, number: int, order: int | None, source: str) -> Data:
    """Announce one ball (R42); `order` is the ball count the caller's page expects for it.

    Raises Refusal: unknown_source, ball_out_of_range, ball_already_drawn, stale_page.
    """
    if source not in SOURCES:
        raise Refusal("unknown_source", source=source)
    if number not in formats.get(state.format).numbers:
        raise Refusal("ball_out_of_range", number=number, highest=state.format)
    if number in state.balls:
        raise Refusal("ball_already_drawn", number=number)
    if order is not None and order != len(state.balls) + 1:
        raise Refusal("stale_page", number=number)
    return {"number": number, "order": order, "source": source, "count": len(state.balls) + 1}


def announced(state: GameState, data: Data) -> GameState:
    """Post the ball."""
    return replace(state, balls=(*state.balls, data["number"]), recalled=False)


def recall(state: GameState, *, number: int) -> Data:
    """Take back the last ball, misread or misspoken, before the next and with no claim on it.

    The ball before it has been followed by another, so it stays, right or wrong (R57).
    Raises Refusal: only_last_ball, claim_on_ball.
    """
    if state.recalled or not state.balls or state.balls[-1] != number:
        raise Refusal("only_last_ball", number=number)
    if state.claim_at == len(state.balls):
        raise Refusal("claim_on_ball", number=number)
    return {"number": number, "count": len(state.balls)}


def recalled(state: GameState, _data: Data) -> GameState:
    """Unpost the ball."""
    return replace(state, balls=state.balls[:-1], recalled=True)


def call(state: GameState, *, combination: str) -> Data:
    """Stop the extraction because somebody calls line or bingo (R43).

    Raises Refusal: unknown_combination, prize_closed.
    """
    if combination not in claims.COMBINATIONS:
        raise Refusal("unknown_combination", combination=combination)
    if combination in state.closed:
        raise Refusal("prize_closed", combination=combination)
    return {"combination": combination, "count": len(state.balls)}


def called(state: GameState, data: Data) -> GameState:
    """Remember on which ball the claim stands, so that it cannot be recalled any more."""
    return replace(state, claim_at=data["count"])


STEPS = {
    "draw_announced": Step(announce_draw, unchanged),
    "ball_announced": Step(announce, announced),
    "ball_recalled": Step(recall, recalled),
    "claim_called": Step(call, called),
}
