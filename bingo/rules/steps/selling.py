"""Selling: the sale announced, cards sold in strict order, further issues, the close (R33-R40).

When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bingo.rules import journal_json_and_chain, sale_order
from bingo.rules.journal_json_and_chain import Data, given
from bingo.rules.prizes import Prizes
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run
from bingo.rules.session_state import GameState
from bingo.rules.steps import Step

LONGEST_PLAYER = 20  # signs, as many as a sale keeps
COMMITMENT = re.compile(r"[0-9a-f]{64}")


def announce_sale(
    state: GameState,
    *,
    commitment: str | None = None,
    moment: str | None = None,
    ball_set: str | None = None,
    roll_call: int | None = None,
    unapproved: Sequence[str] | None = None,
) -> Data:
    """Say which issues are on sale, how many cards and at what price (R33).

    `commitment` is the SHA-256 in hex by which the RNG binds itself before any card is sold,
    `moment` when it was said, for the last game (R53). `ball_set` is the serial of the set that the
    balls will come from, `roll_call` the entry of its roll call (R23), `unapproved` what of set and
    machine has no approval in force (R4). Raises Refusal bad_commitment.
    """
    told = {"face": state.face, "issues": [_announced(run) for run in state.runs]}
    names = list(unapproved) if unapproved else None
    asked = given(moment=moment, ball_set=ball_set, roll_call=roll_call, unapproved=names)
    return told | committed(commitment) | asked


def committed(commitment: str | None) -> Data:
    """Return what a fact tells of the RNG's commitment, if there is one. Raises Refusal."""
    if commitment is None:
        return {}
    if not COMMITMENT.fullmatch(commitment):
        raise Refusal("bad_commitment")
    return {"commitment": commitment}


def _announced(run: Run) -> Data:
    told = {
        "letter": run.letter,
        "identification": run.identification,
        "cards": run.left,
        "first": run.next,
    }
    return told | given(face=run.face)


def sell_cards(
    state: GameState,
    *,
    quantity: int,
    first: int | None,
    till: str,
    seller: str | None,
    face: int | None = None,
    player: str | None = None,
) -> Data:
    """Sell the next cards in numeric order (R36); `first` is the number the seller's page showed.

    `face` tells the price where several are on sale, `player` who buys, a name or a place, which is
    needed where the authority limits a player's cards (R35).
    Raises Refusal: suspended (R55), price_missing, price_not_on_sale, player_needed,
    over_player_limit (R35), out_of_order when that page is stale, or what `sale_order.take` refuses.
    """
    state.require_going()
    runs = priced(state, face)
    _runs, ranges = sale_order.take(runs, quantity=quantity, face=face)
    if first is not None and first != ranges[0].first:
        raise Refusal("out_of_order", asked=first, next=ranges[0].first)
    require_within_limit(state, quantity, player)
    told = {
        "quantity": quantity,
        "first": first,
        "till": till,
        "seller": seller,
        "ranges": [sale_order.range_to_data(part) for part in ranges],
        "amount": quantity * state.price(runs[0]) * state.paid_for,
    }
    return told | given(face=face, player=player)


def priced(state: GameState, face: int | None) -> tuple[Run, ...]:
    """Return the runs of a price; the price need not be named where there is one only.

    Raises Refusal: price_missing, price_not_on_sale.
    """
    if face is None:
        if len(state.prices) > 1:
            raise Refusal("price_missing", faces=list(state.prices))
        return state.runs
    if not (runs := state.runs_at(face)):
        raise Refusal("price_not_on_sale", face=face)
    return runs


def require_cash(due: int, cash: int | None) -> None:
    """Refuse a sale for less cash than is due, both in minor units; `cash` is None where it is not told.

    There is no credit (R39). Raises Refusal cash_too_little (`due`: what lacks).
    """
    if cash is not None and cash < due:
        raise Refusal("cash_too_little", due=due - cash)


def require_within_limit(state: GameState, quantity: int, player: str | None) -> None:
    """Refuse what would give a player more cards than the authority lets anybody have (R35).

    Raises Refusal: player_needed, player_too_long, over_player_limit.
    """
    limit = state.player_limit
    if player is not None and state.duties and len(player) > LONGEST_PLAYER:
        raise Refusal("player_too_long", most=LONGEST_PLAYER)
    if limit is None:
        return
    if state.duties and not (player and player.strip()):
        raise Refusal("player_needed", limit=limit)
    had = _had(state, player)
    if had + quantity > limit:
        raise Refusal("over_player_limit", limit=limit, had=had, left=max(0, limit - had))


def _had(state: GameState, player: str | None) -> int:
    """Return the cards a player has; sessions older than this duty told spellings apart."""
    if not player:
        return 0
    if state.duties:
        return sale_order.cards_of(player, state.players)
    return dict(state.players).get(player, 0)


def cards_sold(state: GameState, data: Data) -> GameState:
    """Move the runs on, and count what the player has."""
    runs, _ranges = sale_order.take(priced(state, data.get("face")), quantity=data["quantity"])
    moved = replace(state, runs=with_runs(state.runs, runs))
    player = data.get("player")
    return moved if player is None else bought(moved, player, data["quantity"])


def bought(state: GameState, player: str, cards: int) -> GameState:
    """Count cards for a player."""
    had = dict(state.players)
    had[player] = had.get(player, 0) + cards
    return replace(state, players=tuple(sorted(had.items())))


def with_runs(runs: tuple[Run, ...], changed: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return the runs with some of them changed."""
    by_issue = {run.issue: run for run in changed}
    return tuple(by_issue.get(run.issue, run) for run in runs)


def add_issue(state: GameState, *, issue: Data, face: int, matrix: str) -> Data:
    """Put an issue of another price on sale beside the others; `issue`, `matrix` as in game_opened.

    Raises Refusal: price_on_sale_already, same_matrix (no two equal cards in a game, R38 c),
    symbols_and_numbers (R80), or what `sale_order.start` refuses.
    """
    if face in state.prices:
        raise Refusal("price_on_sale_already", face=face)
    if bool(issue.get("symbols")) != state.symbols:
        raise Refusal("symbols_and_numbers", identification=issue["identification"])
    if any((run.letter, run.size) == (issue["letter"], issue["size"]) for run in state.runs):
        raise Refusal("same_matrix", letter=issue["letter"])
    _added(state, {"issue": issue, "face": face})
    return {"issue": issue, "face": face, "matrix": matrix}


def _added(state: GameState, data: Data) -> GameState:
    run = replace(sale_order.start(**data["issue"]), face=data["face"])
    return replace(state, runs=(*state.runs, run))


def open_second(state: GameState, *, issue: Data, face: int) -> Data:
    """Put a second issue on sale in the same game (R38 a-c); `issue` as in game_opened.

    Its cards follow when the first of its price has none left. Raises Refusal: suspended (R55), or
    what `sale_order.add_second` refuses.
    """
    state.require_going()
    _second(state, {"issue": issue, "face": face})
    return {"issue": issue, "face": face}


def _second(state: GameState, data: Data) -> GameState:
    issue = data["issue"]
    if len(state.prices) > 1 and data["face"] not in state.prices:
        raise Refusal("price_not_on_sale", face=data["face"])
    first = state.runs_at(data["face"]) or state.runs
    runs = sale_order.add_second(
        first,
        issue=issue["issue"],
        letter=issue["letter"],
        identification=issue["identification"],
        size=issue["size"],
        last_sold=issue["last_sold"],
        retired=issue.get("retired", ()),
        symbols=issue.get("symbols", False),
        face=data["face"],
        first_face=state.price(first[0]),
    )
    return replace(state, runs=(*with_runs(state.runs, runs), runs[-1]))


def close_sale(state: GameState) -> Data:
    """Close the sale and fix the prizes from what was sold (R7, R10, R40).

    Raises Refusal: suspended (R55), nothing_sold, or what `sale_order.require_whole` refuses.
    """
    state.require_going()
    sale_order.require_whole(state.runs)
    if state.cards == 0:
        raise Refusal("nothing_sold")
    return totals(state)


def totals(state: GameState) -> Data:
    """Return what was sold, issue by issue, and the prizes that follow from it."""
    return {
        "cards": state.cards,
        "prizes": journal_json_and_chain.dump(state.growing),
        "ranges": [_sold_of(run) for run in state.runs if run.sold],
    }


def _sold_of(run: Run) -> Data:
    """Return what was sold of an issue, with the retired cards in the midst of it where there are any."""
    sold = {
        "issue": run.issue,
        "letter": run.letter,
        "identification": run.identification,
        "first": run.first,
        "last": run.last,
    }
    last = run.last or run.first
    inside = [[begun, ended] for begun, ended in run.retired if run.first < begun < last]
    return sold | given(face=run.face, retired=inside or None)


def sale_closed(state: GameState, data: Data) -> GameState:
    """Keep the prizes."""
    return replace(state, prizes=journal_json_and_chain.load(Prizes, data["prizes"]))


def unchanged(state: GameState, _data: Data) -> GameState:
    """Only the phase moves."""
    return state


STEPS = {
    "sale_announced": Step(announce_sale, unchanged),
    "issue_added": Step(add_issue, _added),
    "cards_sold": Step(sell_cards, cards_sold),
    "second_issue_opened": Step(open_second, _second),
    "sale_closed": Step(close_sale, sale_closed),
}
