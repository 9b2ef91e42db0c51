"""Settling: prizes paid against the card, a void and its refunds, the entry completed (R44-R60).

Money that nobody fetches is set aside, so that a game can be completed truthfully (R44, R50, R57,
R60). A player who leaves hands cards on to another, and gets no money back for them (R56).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bingo.rules import jackpots, patterns, rulebooks, sales, shifts
from bingo.rules.cards import require_text
from bingo.rules.facts import Data
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Stretches
from bingo.rules.steps import Step
from bingo.rules.steps.claiming import prizes_of
from bingo.rules.steps.selling import LONGEST_PLAYER, PATIENCE, unchanged
from bingo.rules.unclaimed import PRIZE_REASONS, REFUND_REASONS, require_reason

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
    require_text(reason)
    if patterns.BINGO in state.closed:
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
    return sales.first_common(first, last, of_issue)


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
    "game_voided": Step(void, voided),
    "cards_refunded": Step(refund, refunded),
    "entry_completed": Step(complete, unchanged),
}


def prize(state: GameState, *, issue: int, card: int, reason: str, note: str | None = None) -> Data:
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


def prize_aside(state: GameState, data: Data) -> GameState:
    """Leave the card out of those to be paid."""
    return replace(state, prizes_aside=(*state.prizes_aside, (data["issue"], data["card"])))


def refunds_left(state: GameState) -> list[sales.Range]:
    """Return the cards of a void game that are neither refunded nor set aside, in order."""
    return [
        sales.Range(run.issue, first, last)
        for run in sorted(state.runs, key=lambda run: run.issue)
        for first, last in _left(state, run)
    ]


def _left(state: GameState, run: sales.Run) -> Stretches:
    settled = ((part.first, part.last) for part in state.refunds_settled if part.issue == run.issue)
    return sales.difference(run.sold_parts, settled)


def setting_aside_refund(
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
        after = refund_aside(after, {"ranges": [sales.range_to_data(part)]})
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


def refund_aside(state: GameState, data: Data) -> GameState:
    """Leave the cards out of those to be refunded."""
    new = (sales.Range(one["issue"], one["first"], one["last"]) for one in data["ranges"])
    return replace(state, refunds_aside=merge((*state.refunds_aside, *new)))


SETTING_ASIDE_STEPS = {
    "prize_set_aside": Step(prize, prize_aside),
    "refund_set_aside": Step(setting_aside_refund, refund_aside),
}


def transfer(state: GameState, *, issue: int, first: int, last: int, player: str, to: str) -> Data:
    """Hand the sold cards first..last of a player who leaves on to another (R56).

    The state knows how many cards a player has and not which: that these are the player's own is
    for whoever keeps the sales to see (`holdings`). A card counts for whoever holds it: `player`
    has so many fewer, `left` of them, and `to` so many more, within the same limit (R35). Journals
    older than `left` counted them for both. No money moves.
    Raises Refusal: not_sold, same_player, player_missing, player_not_named, over_receivers_limit.
    """
    if not 1 <= first <= last:
        raise Refusal("not_sold", card=first)
    unsold = sales.first_unsold(state.runs, issue=issue, first=first, last=last)
    if unsold is not None:
        raise Refusal("not_sold", card=unsold)
    had, quantity = dict(state.players), last - first + 1
    if not to.strip() or len(to) > LONGEST_PLAYER:
        raise Refusal("player_missing")
    if to == player:
        raise Refusal("same_player", player=player)
    if had.get(player, 0) < quantity:
        raise Refusal("player_not_named", player=player, had=had.get(player, 0))
    limit = state.player_limit
    has = sales.cards_of(to, state.players) if state.duties else had.get(to, 0)
    # Another spelling of one's own name is nobody else.
    if state.duties and sales.key(to) == sales.key(player):
        raise Refusal("same_player", player=player)
    if limit is not None and has + quantity > limit:
        left = max(0, limit - has)
        raise Refusal("over_receivers_limit", player=to, limit=limit, had=has, left=left)
    return {
        "issue": issue,
        "first": first,
        "last": last,
        "player": player,
        "to": to,
        "quantity": quantity,
        "left": had[player] - quantity,
    }


def transferred(state: GameState, data: Data) -> GameState:
    """Count what each player has now; who has none left is no longer named."""
    had = dict(state.players)
    if "left" in data:
        had[data["player"]] = data["left"]
    had[data["to"]] = had.get(data["to"], 0) + data["quantity"]
    return replace(
        state, players=tuple((player, cards) for player, cards in sorted(had.items()) if cards)
    )


DEPARTING_STEPS = {"cards_transferred": Step(transfer, transferred)}
