"""The floor: blocks of cards with sellers, what they bring back, cards written off (R36, R38).

When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from bingo.rules import cards_handed_out_and_written_off
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range
from bingo.rules.session_state import GameState
from bingo.rules.steps import Step
from bingo.rules.steps.selling import bought, priced, require_within_limit, with_runs
from bingo.rules.texts import require_text


def hand_out(
    state: GameState, *, quantity: int, seller: str, till: str, face: int | None = None
) -> Data:
    """Hand the next cards to a floor seller, in numeric order; no cash moves yet.

    Raises Refusal: suspended (R55), price_missing, price_not_on_sale, or what
    `sale_order.take` refuses.
    """
    state.require_going()
    runs = priced(state, face)
    _runs, ranges = cards_handed_out_and_written_off.hand_out(
        runs, quantity=quantity, seller=seller, face=face
    )
    told = {
        "quantity": quantity,
        "seller": seller,
        "till": till,
        "ranges": [asdict(part) for part in ranges],
    }
    return told | given(face=face)


def handed_out(state: GameState, data: Data) -> GameState:
    """The cards are in the seller's hands."""
    runs = priced(state, data.get("face"))
    after, _ranges = cards_handed_out_and_written_off.hand_out(
        runs, quantity=data["quantity"], seller=data["seller"]
    )
    return replace(state, runs=with_runs(state.runs, after))


def settle(
    state: GameState,
    *,
    seller: str,
    issue: int,
    first: int,
    last: int,
    returned: list[list[int]],
    till: str,
    players: list[list[Any]] | None = None,
) -> Data:
    """Settle cards first..last of a seller: `returned` ([first, last] each) are back, the others sold.

    `players` are those who bought the sold ones, in the order of the cards: [name or place, cards]
    each, needed where the authority limits a player's cards (R35). `amount` is the cash for the sold
    ones, in minor units. Raises Refusal: player_needed, player_missing, player_too_long,
    players_unlike_cards, buyer_over_limit, or what `cards_handed_out_and_written_off.settle_block` refuses.
    """
    _runs, ranges = _settled(state, seller, issue, first, last, returned)
    quantity = sum(part.last - part.first + 1 for part in ranges)
    _require_buyers(state, players or [], quantity)
    return {
        "seller": seller,
        "issue": issue,
        "first": first,
        "last": last,
        "returned": returned,
        "till": till,
        "quantity": quantity,
        "ranges": [asdict(part) for part in ranges],
        "amount": quantity * state.price_of(issue) * state.paid_for,
        **({"players": players} if players else {}),
    }


def _require_buyers(state: GameState, players: list[list[Any]], cards: int) -> None:
    """Refuse buyers who do not account for the cards sold, or who would have too many (R35)."""
    if not players:
        if cards:
            require_within_limit(state, 0, None)
        return
    for player, number in players:
        if not isinstance(player, str) or not player.strip():
            raise Refusal("player_missing")
        if type(number) is not int or number < 1:
            raise Refusal("quantity_not_positive")
    named = sum(number for _player, number in players)
    if named != cards:
        raise Refusal("players_unlike_cards", cards=cards, named=named)
    after = state
    for player, number in players:
        _require_buyer(after, player, number)
        after = bought(after, player, number)


def _require_buyer(state: GameState, player: str, cards: int) -> None:
    try:
        require_within_limit(state, cards, player)
    except Refusal as refusal:
        if refusal.code != "over_player_limit":
            raise
        limit, had, left = (refusal.values[name] for name in ("limit", "had", "left"))
        raise Refusal("buyer_over_limit", player=player, limit=limit, had=had, left=left) from None


def _settled(
    state: GameState, seller: str, issue: int, first: int, last: int, returned: list[list[int]]
) -> tuple[cards_handed_out_and_written_off.Runs, tuple[Range, ...]]:
    back = tuple((begun, ended) for begun, ended in returned)
    return cards_handed_out_and_written_off.settle_block(
        state.runs, seller=seller, issue=issue, first=first, last=last, returned=back
    )


def settled(state: GameState, data: Data) -> GameState:
    """The sold ones count from now on; the others are offered again."""
    runs, _ranges = _settled(
        state, data["seller"], data["issue"], data["first"], data["last"], data["returned"]
    )
    after = replace(state, runs=runs)
    for player, cards in data.get("players", ()):
        after = bought(after, player, cards)
    return after


def hand_over(state: GameState, *, seller: str, to: str, issue: int, first: int, last: int) -> Data:
    """Pass cards from one seller to a colleague, who owes their price from then on.

    Raises what `cards_handed_out_and_written_off.hand_over_block` refuses.
    """
    data = {"seller": seller, "to": to, "issue": issue, "first": first, "last": last}
    handed_over(state, data)
    return data


def handed_over(state: GameState, data: Data) -> GameState:
    """The colleague has them."""
    return replace(state, runs=cards_handed_out_and_written_off.hand_over_block(state.runs, **data))


def write_off(state: GameState, *, issue: int, first: int, last: int, reason: str) -> Data:
    """Write off damaged cards that nobody has bought: they are never sold (R36, acta).

    Raises Refusal: reason_missing, or what `cards_handed_out_and_written_off.write_off` refuses.
    """
    require_text(reason)
    _written_off(state, issue, first, last)
    run = next(run for run in state.runs if run.issue == issue)
    return {
        "issue": issue,
        "letter": run.letter,
        "identification": run.identification,
        "first": first,
        "last": last,
        "reason": reason,
        "cards": last - first + 1,
    }


def _written_off(
    state: GameState, issue: int, first: int, last: int
) -> cards_handed_out_and_written_off.Runs:
    return cards_handed_out_and_written_off.write_off(
        state.runs, issue=issue, first=first, last=last
    )


def written_off(state: GameState, data: Data) -> GameState:
    """The sale passes them over."""
    return replace(state, runs=_written_off(state, data["issue"], data["first"], data["last"]))


STEPS = {
    "cards_handed_out": Step(hand_out, handed_out),
    "block_settled": Step(settle, settled),
    "block_handed_over": Step(hand_over, handed_over),
    "cards_written_off": Step(write_off, written_off),
}
