"""Paying: prizes paid once against the card, then the game's entry completed (R44, R45, R50, R60, R61).

When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bingo.rules import jackpots, patterns, rulebooks, shifts
from bingo.rules.facts import Data
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.steps import Step
from bingo.rules.steps.claiming import prizes_of
from bingo.rules.steps.selling import unchanged

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
    if state.half == 1 and not rulebooks.get(state.rulebook).double_paid_at_once:
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
    net = shifts.paid_out(data)
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
    what coins left over.
    Raises Refusal: prizes_unpaid, refunds_due, bad_opening.
    """
    if state.unpaid and state.half != 1:
        raise Refusal("prizes_unpaid", left=len(state.unpaid))
    due = state.cards - state.cards_refunded - state.cards_aside
    if state.void is not None and due:
        raise Refusal("refunds_due", left=due)
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
    named = {"opening": opening, "unproven": unproven, "refunds_aside": state.refunds_set_aside}
    return told | {name: one for name, one in named.items() if one}


def _require_opening(opening: Data | None) -> None:
    if opening is None:
        return
    if set(opening) != {"seed", "nonce"} or not all(map(_is_hex, opening.values())):
        raise Refusal("bad_opening")


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and bool(HEX.fullmatch(value))


STEPS = {
    "prize_paid": Step(pay, paid),
    "entry_completed": Step(complete, unchanged),
}
