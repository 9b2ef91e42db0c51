"""Setting aside what nobody fetches, so that a game can be completed truthfully (R44, R50, R57, R60).

What becomes of it afterwards is for `bingo.rules.unclaimed`.
When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bingo.rules import sales, shifts
from bingo.rules.facts import Data
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Stretches
from bingo.rules.steps import Step
from bingo.rules.steps.paying import pay
from bingo.rules.steps.voiding import merge, require_refundable
from bingo.rules.unclaimed import PRIZE_REASONS, REFUND_REASONS, require_reason


def set_prize_aside(
    state: GameState, *, issue: int, card: int, reason: str, note: str | None = None
) -> Data:
    """Set aside all that a winning card has won: its winner left, or the card is lost or refused.

    What it has won, and the tax on it, stay as they are; `net` minor units are owed from then on.
    Raise Refusal: unknown_reason, reason_missing, bad_text, no_prize, already_paid,
    set_aside_already, paid_after_second_game.
    """
    said = require_reason(reason, note or "", PRIZE_REASONS)
    won = pay(state, issue=issue, card=card, till="")
    del won["till"]
    told = {**won, "reason": reason, "net": shifts.paid_out(won)}
    return told | ({"note": said} if said else {})


def prize_set_aside(state: GameState, data: Data) -> GameState:
    """Leave the card out of those to be paid."""
    return replace(state, prizes_aside=(*state.prizes_aside, (data["issue"], data["card"])))


def set_refunds_aside(
    state: GameState, *, ranges: Sequence[Data], reason: str, note: str | None = None
) -> Data:
    """Set aside the price of cards of a void game that did not come back, in one go.

    `ranges` have issue, first and last; `prices` tells what a card of each issue is owed, in minor
    units. Raise Refusal: unknown_reason, reason_missing, bad_text, refunds_missing, not_sold,
    already_refunded, set_aside_already.
    """
    said = require_reason(reason, note or "", REFUND_REASONS)
    asked = [sales.Range(one["issue"], one["first"], one["last"]) for one in ranges]
    asked.sort(key=lambda part: (part.issue, part.first, part.last))
    if not asked:
        raise Refusal("refunds_missing")
    after = state
    for part in asked:
        # Each is judged after the one before, so that none is set aside twice at once.
        require_refundable(after, issue=part.issue, first=part.first, last=part.last)
        after = refunds_set_aside(after, {"ranges": [sales.range_to_data(part)]})
    issues = sorted({part.issue for part in asked})
    prices = {issue: state.price_of(issue) * state.paid_for for issue in issues}
    data: Data = {
        "ranges": [sales.range_to_data(part) for part in asked],
        "prices": [{"issue": issue, "price": price} for issue, price in prices.items()],
        "reason": reason,
        "cards": sum(part.last - part.first + 1 for part in asked),
        "amount": sum((part.last - part.first + 1) * prices[part.issue] for part in asked),
    }
    return data | ({"note": said} if said else {})


def refunds_set_aside(state: GameState, data: Data) -> GameState:
    """Leave the cards out of those to be refunded."""
    new = (sales.Range(one["issue"], one["first"], one["last"]) for one in data["ranges"])
    return replace(state, refunds_aside=merge((*state.refunds_aside, *new)))


def refunds_left(state: GameState) -> list[sales.Range]:
    """Return the cards of a void game that are neither refunded nor set aside, in order."""
    return [
        sales.Range(run.issue, first, last)
        for run in sorted(state.runs, key=lambda run: run.issue)
        for first, last in _left(state, run)
    ]


def payments_due(state: GameState) -> list[int]:
    """Return what each winning card still receives, and the price of each card to be refunded.

    Minor units (R8, R44, R57).
    """
    awards = (*state.carried, *state.awards)
    prizes = [
        sum(one.net for one in awards if (one.issue, one.card) == card) for card in state.unpaid
    ]
    left = refunds_left(state) if state.void is not None else []
    refunds = [
        state.price_of(part.issue) * state.paid_for
        for part in left
        for _card in range(part.first, part.last + 1)
    ]
    return prizes + refunds


def _left(state: GameState, run: sales.Run) -> Stretches:
    settled = ((part.first, part.last) for part in state.refunds_settled if part.issue == run.issue)
    return sales.difference(run.sold_parts, settled)


STEPS = {
    "prize_set_aside": Step(set_prize_aside, prize_set_aside),
    "refund_set_aside": Step(set_refunds_aside, refunds_set_aside),
}
