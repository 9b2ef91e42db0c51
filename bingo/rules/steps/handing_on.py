"""The step by which sold cards are handed on: a player who leaves gives them to another (R56)."""

from __future__ import annotations

from dataclasses import replace

from bingo.rules import sales
from bingo.rules.facts import Data
from bingo.rules.game_state import GameState
from bingo.rules.refusal import Refusal
from bingo.rules.steps import Step
from bingo.rules.steps.selling import LONGEST_PLAYER


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


STEPS = {"cards_transferred": Step(transfer, transferred)}
