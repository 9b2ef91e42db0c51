"""Settling: prizes paid against the card, a void and its refunds, the entry completed (R44-R60)."""

from __future__ import annotations

import re
from dataclasses import replace

from bingo.rules import claims, jackpots, rulebooks, sales, shifts, stretches
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.steps import Data, Step
from bingo.rules.steps.claiming import prizes_of
from bingo.rules.steps.selling import unchanged
from bingo.rules.steps.suspending import PATIENCE

ANNOUNCEMENT_ERROR, FAULT, NOTHING_SOLD, OTHER = (
    "announcement_error",
    "fault",
    "nothing_sold",
    "other",
)
HEX = re.compile(r"[0-9a-f]+")
CAUSES = (ANNOUNCEMENT_ERROR, FAULT, NOTHING_SOLD, OTHER)


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


def void(state: GameState, *, cause: str, reason: str, held: int | None = None) -> Data:
    """Void the game; every card sold is to be refunded (R55, R57).

    A fault voids what it has held for fifteen minutes before the first ball; after that ball the
    draw goes on by hand (R55). `held` tells for how many seconds; journals older than that do not.
    `balls` tells how many had been announced when another cause ended a game after its first ball,
    which two persons decide (R55, R61 m); a session older than that duty tells none.
    Sellers must have settled first, so that it is known which cards were sold. Raises Refusal:
    unknown_cause, reason_missing, bingo_already_awarded, fault_after_first_ball,
    fault_not_suspended, fault_may_be_mended (`left` seconds), cards_were_sold, blocks_out,
    cards_back.
    """
    if cause not in CAUSES:
        raise Refusal("unknown_cause", cause=cause)
    if not reason.strip():
        raise Refusal("reason_missing")
    if claims.BINGO in state.closed:
        raise Refusal("bingo_already_awarded")
    if cause == FAULT and state.balls:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    if cause == FAULT and held is not None:
        _require_unmended(state, held)
    if cause == NOTHING_SOLD and state.cards:
        raise Refusal("cards_were_sold", cards=state.cards)
    sales.require_settled(state.runs)
    amount = state.gross * state.paid_for
    told = {"cause": cause, "reason": reason, "cards": state.cards, "amount": amount}
    if needs_second(state, cause):
        told["balls"] = len(state.balls)
    return told | ({} if cause != FAULT or held is None else {"held": held})


def needs_second(state: GameState, cause: str) -> bool:
    """Tell whether two persons must stand for a void: of another cause after a ball (R55)."""
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
    """Give back the price of cards first..last of an issue, once (R55, R57).

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
        if not sales.was_sold(state.runs, issue=issue, number=number):
            raise Refusal("not_sold", card=number)
    # A retired card between two sold ones was never paid for.
    if (unsold := sales.first_unsold(state.runs, issue=issue, first=first, last=last)) is not None:
        raise Refusal("not_sold", card=unsold)
    if (card := _first_of(state.refunded, issue, first, last)) is not None:
        raise Refusal("already_refunded", card=card)
    if (card := _first_of(state.refunds_aside, issue, first, last)) is not None:
        raise Refusal("set_aside_already", card=card)


def _first_of(parts: tuple[sales.Range, ...], issue: int, first: int, last: int) -> int | None:
    """Return the lowest of the cards first..last of an issue that is in one of the parts, if any."""
    of_issue = [(part.first, part.last) for part in parts if part.issue == issue]
    return stretches.first_common(first, last, of_issue)


def refunded(state: GameState, data: Data) -> GameState:
    """Keep what has been refunded as few merged ranges."""
    return replace(
        state,
        refunded=merge((*state.refunded, sales.Range(data["issue"], data["first"], data["last"]))),
    )


def merge(parts: tuple[sales.Range, ...]) -> tuple[sales.Range, ...]:
    """Return ranges of cards in order, those that touch as one."""
    merged: list[sales.Range] = []
    for part in sorted(parts, key=lambda part: (part.issue, part.first)):
        if merged and (merged[-1].issue, merged[-1].last + 1) == (part.issue, part.first):
            merged[-1] = replace(merged[-1], last=part.last)
        else:
            merged.append(part)
    return tuple(merged)


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
            *claims.PRIZES,
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
    "game_voided": Step(void, voided),
    "cards_refunded": Step(refund, refunded),
    "entry_completed": Step(complete, unchanged),
}
