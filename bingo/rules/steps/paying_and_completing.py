"""Paying: prizes paid once against the card or set aside, and the game's entry completed.

What nobody fetches is set aside, so that a game can be completed truthfully; what becomes of it is
for `bingo.rules.unclaimed` (R44, R45, R50, R57, R60, R61). When each may come:
`bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bingo.rules import jackpots, patterns, prizes, sale_order, till_cash_and_shifts
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Stretches
from bingo.rules.session_state import GameState
from bingo.rules.steps import Step
from bingo.rules.steps.awarding_and_finishing import prizes_of
from bingo.rules.steps.selling import unchanged
from bingo.rules.steps.voiding import merge, require_refundable
from bingo.rules.unclaimed import PRIZE_REASONS, REFUND_REASONS, require_reason

HEX = re.compile(r"[0-9a-f]+")


def pay(state: GameState, *, issue: int, card: int, till: str) -> Data:
    """Pay all that a winning card has won, once, against the card (R44, R50).

    Amounts in minor units; the player receives `amount` less `tax`, and less `left_over` where
    coins leave any. A double card is paid with its second game what it won in the first (R45).
    Raises Refusal: no_prize, already_paid, set_aside_already, paid_after_second_game.
    """
    won = prizes_of(state, issue=issue, card=card)
    before = tuple(award for award in state.carried if (award.issue, award.card) == (issue, card))
    if not won and not before:
        raise Refusal("no_prize", card=card)
    if (issue, card) in state.paid:
        raise Refusal("already_paid", card=card)
    if (issue, card) in state.prizes_aside:
        raise Refusal("set_aside_already", card=card)
    if state.paid_after_second:
        raise Refusal("paid_after_second_game", card=card)
    told = {
        "issue": issue,
        "card": card,
        "till": till,
        "prizes": [award.combination for award in won],
        "amount": sum(award.amount for award in (*won, *before)),
        "tax": sum(award.tax for award in (*won, *before)),
    }
    over = sum(award.left_over for award in (*won, *before))
    told |= {"left_over": over} if over else {}
    return told | ({"first_game": [award.combination for award in before]} if before else {})


def require_within_limit(data: Data, limit: int) -> None:
    """Refuse to one person alone what a player receives above a hall's limit: second_person_needed.

    `data` is that of `pay`, or of what is paid later; `limit` in minor units, 0 is no limit.
    """
    net = till_cash_and_shifts.paid_out(data)
    if 0 < limit < net:
        raise Refusal("second_person_needed", command="prize_paid", amount=net, limit=limit)


def paid(state: GameState, data: Data) -> GameState:
    """Tick the card off."""
    return replace(state, paid=(*state.paid, (data["issue"], data["card"])))


def complete(state: GameState, *, opening: Data | None = None, unproven: str | None = None) -> Data:
    """Complete the game's entry in the acta, so that the next game may open (R60, R61).

    What nobody fetched may have been set aside (R44); what a double card won in its first game may
    be paid after the second (R45). `opening` shows
    what the RNG had bound itself to, as {"seed": hex, "nonce": hex}; `unproven` says why it does
    not, where it was decided not to wait for it. What is told as paid is before tax, and without
    what coins left over; `sales_tax` is what the hall owes of a tax on sales (R61 g), told only
    where there is any.
    Raises Refusal: prizes_unpaid, refunds_due, bad_opening.
    """
    if state.unpaid and state.half != 1:
        raise Refusal("prizes_unpaid", left=len(state.unpaid))
    if state.cards_to_refund:
        raise Refusal("refunds_due", left=state.cards_to_refund)
    _require_opening(opening)
    if unproven is not None and (opening is not None or not unproven):
        raise Refusal("bad_opening")
    won = {
        name: sum(a.spent for a in state.awards if a.combination == name)
        for name in (
            *patterns.PRIZES,
            *(jackpots.prize(level) for level in range(1, len(state.jackpots))),
            *(extra.prize for extra in state.shares.extras),
        )
    }
    told = {
        "cards": state.cards,
        "gross": state.gross,
        "balls": len(state.balls),
        "paid": won,
        "tax": sum(award.tax for award in state.awards),
        "refunded": state.refunds,
        "void": state.void,
    }
    named = {
        "opening": opening,
        "unproven": unproven,
        "refunds_aside": state.refunds_set_aside,
        "sales_tax": 0 if state.void else prizes.on_sales(state.gross, state.tax),
    }
    return told | {name: one for name, one in named.items() if one}


def _require_opening(opening: Data | None) -> None:
    if opening is None:
        return
    if set(opening) != {"seed", "nonce"} or not all(map(_is_hex, opening.values())):
        raise Refusal("bad_opening")


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and bool(HEX.fullmatch(value))


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
    told = {**won, "reason": reason, "net": till_cash_and_shifts.paid_out(won)}
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
    asked = [sale_order.Range(one["issue"], one["first"], one["last"]) for one in ranges]
    asked.sort(key=lambda part: (part.issue, part.first, part.last))
    if not asked:
        raise Refusal("refunds_missing")
    after = state
    for part in asked:
        # Each is judged after the one before, so that none is set aside twice at once.
        require_refundable(after, issue=part.issue, first=part.first, last=part.last)
        after = refunds_set_aside(after, {"ranges": [sale_order.range_to_data(part)]})
    issues = sorted({part.issue for part in asked})
    prices = {issue: state.price_of(issue) * state.paid_for for issue in issues}
    data: Data = {
        "ranges": [sale_order.range_to_data(part) for part in asked],
        "prices": [{"issue": issue, "price": price} for issue, price in prices.items()],
        "reason": reason,
        "cards": sum(part.last - part.first + 1 for part in asked),
        "amount": sum((part.last - part.first + 1) * prices[part.issue] for part in asked),
    }
    return data | ({"note": said} if said else {})


def refunds_set_aside(state: GameState, data: Data) -> GameState:
    """Leave the cards out of those to be refunded."""
    new = (sale_order.Range(one["issue"], one["first"], one["last"]) for one in data["ranges"])
    return replace(state, refunds_aside=merge((*state.refunds_aside, *new)))


def refunds_left(state: GameState) -> list[sale_order.Range]:
    """Return the cards of a void game that are neither refunded nor set aside, in order."""
    return [
        sale_order.Range(run.issue, first, last)
        for run in sorted(state.runs, key=lambda run: run.issue)
        for first, last in _left(state, run)
    ]


def payments_due(state: GameState) -> list[int]:
    """Return what each winning card still receives, and the price of each card to be refunded.

    Minor units (R8, R44, R57); what is paid after the second game of double cards is not due (R45).
    """
    awards = (*state.carried, *state.awards)
    cards = () if state.paid_after_second else state.unpaid
    prizes = [sum(one.net for one in awards if (one.issue, one.card) == card) for card in cards]
    left = refunds_left(state) if state.void is not None else []
    refunds = [
        state.price_of(part.issue) * state.paid_for
        for part in left
        for _card in range(part.first, part.last + 1)
    ]
    return prizes + refunds


def _left(state: GameState, run: sale_order.Run) -> Stretches:
    settled = ((part.first, part.last) for part in state.refunds_settled if part.issue == run.issue)
    return sale_order.difference(run.sold_parts, settled)


STEPS = {
    "prize_paid": Step(pay, paid),
    "entry_completed": Step(complete, unchanged),
    "prize_set_aside": Step(set_prize_aside, prize_set_aside),
    "refund_set_aside": Step(set_refunds_aside, refunds_set_aside),
}
