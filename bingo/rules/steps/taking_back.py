"""A sale taken back: cards that were typed wrong and never left the cashier's hand (R36, R40, R41).

When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bingo.rules import blocks, sales
from bingo.rules.facts import Data, given
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Range
from bingo.rules.steps import Step

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
    blocks.take_back(state.runs, parts)
    cards = [part.last - part.first + 1 for part in parts]
    worth = sum(n * state.price_of(part.issue) for n, part in zip(cards, parts, strict=True))
    if player is not None and dict(state.players).get(player, 0) < sum(cards):
        raise Refusal("not_sold", card=parts[0].first)
    told = {
        "sale": sale,
        "ranges": [sales.range_to_data(part) for part in parts],
        "till": till,
        "seconds": seconds,
        "quantity": sum(cards),
        "amount": worth * state.paid_for,
    }
    return told | given(player=player)


def taken_back(state: GameState, data: Data) -> GameState:
    """The cards are next again, and the player has them no more."""
    runs = blocks.take_back(state.runs, [Range(**part) for part in data["ranges"]])
    after = replace(state, runs=runs)
    player = data.get("player")
    if player is None:
        return after
    had: dict[str, Any] = dict(state.players)
    had[player] -= data["quantity"]
    return replace(after, players=tuple(sorted(one for one in had.items() if one[1])))


STEPS = {"sale_taken_back": Step(take_back, taken_back)}
