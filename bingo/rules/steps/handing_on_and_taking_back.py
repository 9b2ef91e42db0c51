"""Sold cards: handed on by a player who leaves (R56), or taken back after a typing error (R36, R40, R41).

What is taken back never left the cashier's hand. When each may come:
`bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bingo.rules import cards_handed_out_and_written_off, sale_order
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range
from bingo.rules.session_state import GameState
from bingo.rules.steps import Step
from bingo.rules.steps.selling import LONGEST_PLAYER


def transfer(state: GameState, *, issue: int, first: int, last: int, player: str, to: str) -> Data:
    """Hand the sold cards first..last of a player who leaves on to another (R56).

    The state knows how many cards a player has and not which: that these are the player's own is
    for whoever keeps the sales to see. A card counts for whoever holds it: `player` has so many
    fewer, `left` of them, and `to` so many more, within the same limit (R35). Journals older than
    `left` counted them for both. No money moves.
    Raises Refusal: not_sold, same_player, player_missing, player_not_named, over_receivers_limit.
    """
    if not 1 <= first <= last:
        raise Refusal("not_sold", card=first)
    unsold = sale_order.first_unsold(state.runs, issue=issue, first=first, last=last)
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
    has = sale_order.cards_of(to, state.players) if state.duties else had.get(to, 0)
    # Another spelling of one's own name is nobody else.
    if state.duties and sale_order.key(to) == sale_order.key(player):
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


# R41 binds the player, who has the cards by then: later it is a difference of cash, with its reason.
LONGEST = 60  # seconds from the sale


def take_back(
    state: GameState,
    *,
    sale: int,
    ranges: Sequence[Data],
    till: str,
    seconds: int,
    player: str | None = None,
) -> Data:
    """Put the cards of a sale back on the stack, and its money out of the drawer.

    `sale` is the number of its entry, `ranges` its cards, `seconds` what has passed since, `player`
    who bought where players are named. The cards are surplus, and next again (R40). Raises Refusal:
    too_late_to_take_back, not_on_sale, sold_since, not_sold.
    """
    if not 0 <= seconds <= LONGEST:
        raise Refusal("too_late_to_take_back", most=LONGEST)
    parts = [Range(**part) for part in ranges]
    cards_handed_out_and_written_off.take_back(state.runs, parts)
    cards = [part.last - part.first + 1 for part in parts]
    worth = sum(n * state.price_of(part.issue) for n, part in zip(cards, parts, strict=True))
    if player is not None and dict(state.players).get(player, 0) < sum(cards):
        raise Refusal("not_sold", card=parts[0].first)
    told = {
        "sale": sale,
        "ranges": [sale_order.range_to_data(part) for part in parts],
        "till": till,
        "seconds": seconds,
        "quantity": sum(cards),
        "amount": worth * state.paid_for,
    }
    return told | given(player=player)


def taken_back(state: GameState, data: Data) -> GameState:
    """The cards are next again, and the player has them no more."""
    runs = cards_handed_out_and_written_off.take_back(
        state.runs, [Range(**part) for part in data["ranges"]]
    )
    after = replace(state, runs=runs)
    player = data.get("player")
    if player is None:
        return after
    had: dict[str, Any] = dict(state.players)
    had[player] -= data["quantity"]
    return replace(after, players=tuple(sorted(one for one in had.items() if one[1])))


STEPS = {
    "cards_transferred": Step(transfer, transferred),
    "sale_taken_back": Step(take_back, taken_back),
}
