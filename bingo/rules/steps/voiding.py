"""Voiding: a game held by a fault until it is mended, a void, and its refunds (R55, R57).

When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from dataclasses import replace

from bingo.rules import patterns, sale_order
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SETTLED, GameState
from bingo.rules.steps import Step
from bingo.rules.texts import require_text

PATIENCE = 15 * 60  # seconds after which an unmended game is voided (R55)
ANNOUNCEMENT_ERROR, FAULT, NOTHING_SOLD, OTHER = (
    "announcement_error",
    "fault",
    "nothing_sold",
    "other",
)
CAUSES = (ANNOUNCEMENT_ERROR, FAULT, NOTHING_SOLD, OTHER)


def suspend(state: GameState, *, reason: str) -> Data:
    """Hold the game before its first ball (R55).

    A ball that was out and recalled was a ball: after it the draw goes on by hand. Raises Refusal:
    suspended, fault_after_first_ball, reason_missing.
    """
    state.require_going()
    if state.extracted:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    require_text(reason)
    return {"reason": reason}


def suspended(state: GameState, data: Data) -> GameState:
    """No card is sold and no ball drawn until the game is resumed; sellers may still settle."""
    return replace(state, suspended=data["reason"])


def resume(state: GameState, *, decision: str) -> Data:
    """Go on with a game that was held; `decision` says how. Raises Refusal: not_suspended, text_missing."""
    if state.suspended is None:
        raise Refusal("not_suspended")
    require_text(decision, missing=Refusal("text_missing"))
    return {"decision": decision}


def resumed(state: GameState, _data: Data) -> GameState:
    """It goes on."""
    return replace(state, suspended=None)


def void(state: GameState, *, cause: str, reason: str, held: int | None = None) -> Data:
    """Void the game; every card sold is to be refunded (R55, R57).

    A fault voids what it has held for fifteen minutes before the first ball; after that ball the
    draw goes on by hand (R55). `held` tells for how many seconds; journals older than that do not.
    `balls` tells how many had been announced when another cause ended a game after its first ball,
    which two persons decide (R55, R61 m); a session older than that duty tells none.
    Sellers must have settled first, so that it is known which cards were sold. Raises Refusal:
    unknown_cause, reason_missing, bingo_already_awarded, no_number_announced, fault_after_first_ball,
    fault_not_suspended, fault_may_be_mended (`left` seconds), cards_were_sold, blocks_out,
    cards_back.
    """
    if cause not in CAUSES:
        raise Refusal("unknown_cause", cause=cause)
    require_text(reason)
    if patterns.BINGO in state.closed:
        raise Refusal("bingo_already_awarded")
    _require_cause(state, cause, held)
    sale_order.require_settled(state.runs)
    amount = state.gross * state.paid_for
    told = {"cause": cause, "reason": reason, "cards": state.cards, "amount": amount}
    if needs_second(state, cause):
        told["balls"] = len(state.balls)
    return told | ({} if cause != FAULT or held is None else {"held": held})


def _require_cause(state: GameState, cause: str, held: int | None) -> None:
    """Refuse a cause that does not void a game as it stands (R55, R57)."""
    if cause == ANNOUNCEMENT_ERROR and not may_be_misread(state):
        raise Refusal("no_number_announced")
    if cause == FAULT and state.balls:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    if cause == FAULT and held is not None:
        _require_unmended(state, held)
    if cause == NOTHING_SOLD and state.cards:
        raise Refusal("cards_were_sold", cards=state.cards)


def causes(state: GameState, *, held: int) -> tuple[str, ...]:
    """Return the causes that void a game as it stands; `held` is for how many seconds a fault has."""
    return tuple(cause for cause in CAUSES if _may_void(state, cause, held))


def _may_void(state: GameState, cause: str, held: int) -> bool:
    try:
        _require_cause(state, cause, held)
    except Refusal:
        return False
    return True


def may_be_misread(state: GameState) -> bool:
    """Return whether a number may have been announced wrongly: a ball has come out (R57).

    A session older than that duty asks for none.
    """
    return state.extracted or state.duties < SETTLED


def needs_second(state: GameState, cause: str) -> bool:
    """Return whether two persons must stand for a void: of another cause after a ball (R55)."""
    return cause == OTHER and state.extracted and bool(state.duties)


def _require_unmended(state: GameState, held: int) -> None:
    """Refuse to void what a fault does not hold, or has not held long enough (R55)."""
    # A ball that was recalled was a ball all the same.
    if state.recalled:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    if state.suspended is None:
        raise Refusal("fault_not_suspended")
    if held < PATIENCE:
        raise Refusal("fault_may_be_mended", left=PATIENCE - held)


def voided(state: GameState, data: Data) -> GameState:
    """Nothing is won any more; `GameState.jackpot_balance` takes the accrual back.

    What a cash step left over of a prize falls with the prize.
    """
    return replace(
        state, void=data["reason"], claims=(), awards=(), suspended=None, to_jackpot=0, to_fund=0
    )


def refund(state: GameState, *, issue: int, first: int, last: int, till: str) -> Data:
    """Return back the price of cards first..last of an issue, once (R55, R57).

    Raises Refusal: not_sold, already_refunded, set_aside_already.
    """
    require_refundable(state, issue=issue, first=first, last=last)
    return {
        "issue": issue,
        "first": first,
        "last": last,
        "till": till,
        "amount": (last - first + 1) * state.price_of(issue) * state.paid_for,
    }


def require_refundable(state: GameState, *, issue: int, first: int, last: int) -> None:
    """Refuse cards whose price is not due: not_sold, already_refunded, set_aside_already."""
    if not 1 <= first <= last:
        raise Refusal("not_sold", card=first)
    for number in (first, last):
        if not sale_order.was_sold(state.runs, issue=issue, number=number):
            raise Refusal("not_sold", card=number)
    # A retired card between two sold ones was never paid for.
    if (
        unsold := sale_order.first_unsold(state.runs, issue=issue, first=first, last=last)
    ) is not None:
        raise Refusal("not_sold", card=unsold)
    if (card := _first_of(state.refunded, issue, first, last)) is not None:
        raise Refusal("already_refunded", card=card)
    if (card := _first_of(state.refunds_aside, issue, first, last)) is not None:
        raise Refusal("set_aside_already", card=card)


def _first_of(parts: tuple[sale_order.Range, ...], issue: int, first: int, last: int) -> int | None:
    """Return the lowest of the cards first..last of an issue that is in one of the parts, if any."""
    of_issue = [(part.first, part.last) for part in parts if part.issue == issue]
    return sale_order.first_common(first, last, of_issue)


def refunded(state: GameState, data: Data) -> GameState:
    """Keep what has been refunded as few merged ranges."""
    return replace(
        state,
        refunded=merge(
            (*state.refunded, sale_order.Range(data["issue"], data["first"], data["last"]))
        ),
    )


def merge(parts: tuple[sale_order.Range, ...]) -> tuple[sale_order.Range, ...]:
    """Return ranges of cards in order, those that touch as one."""
    merged: list[sale_order.Range] = []
    for part in sorted(parts, key=lambda part: (part.issue, part.first)):
        if merged and (merged[-1].issue, merged[-1].last + 1) == (part.issue, part.first):
            merged[-1] = replace(merged[-1], last=part.last)
        else:
            merged.append(part)
    return tuple(merged)


STEPS = {
    "game_suspended": Step(suspend, suspended),
    "game_resumed": Step(resume, resumed),
    "game_voided": Step(void, voided),
    "cards_refunded": Step(refund, refunded),
}
