"""Selling: the sale announced, cards sold in strict order, further issues, the close (R33-R40).

Also blocks of cards with floor sellers, what they bring back, and cards written off (R36, R38); and
suspension: a fault between the announcement and the first ball holds a game until it is mended
(R55).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from bingo.rules import blocks, facts, sales
from bingo.rules.cards import require_text
from bingo.rules.facts import Data, given
from bingo.rules.game_state import GameState
from bingo.rules.prizes import Prizes
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Range, Run
from bingo.rules.steps import Step

PATIENCE = 15 * 60  # seconds after which an unmended game is voided (R55)


def suspend(state: GameState, *, reason: str) -> Data:
    """Hold the game before its first ball (R55).

    A ball that was out and recalled was a ball: after it the draw goes on by hand. Raises Refusal:
    suspended, fault_after_first_ball, reason_missing.
    """
    state.require_going()
    if state.extracted:
        raise Refusal("fault_after_first_ball", balls=len(state.balls))
    require_text(reason)
    return {"reason": reason}


def suspended(state: GameState, data: Data) -> GameState:
    """No card is sold and no ball drawn until the game is resumed; sellers may still settle."""
    return replace(state, suspended=data["reason"])


def resume_suspending(state: GameState, *, decision: str) -> Data:
    """Go on with a game that was held; `decision` says how. Raises Refusal: not_suspended, text_missing."""
    if state.suspended is None:
        raise Refusal("not_suspended")
    require_text(decision, missing=Refusal("text_missing"))
    return {"decision": decision}


def resumed(state: GameState, _data: Data) -> GameState:
    """It goes on."""
    return replace(state, suspended=None)


SUSPENDING_STEPS = {
    "game_suspended": Step(suspend, suspended),
    "game_resumed": Step(resume_suspending, resumed),
}


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
    over_player_limit (R35), out_of_order when that page is stale, or what `sales.take` refuses.
    """
    state.require_going()
    runs = priced(state, face)
    _runs, ranges = sales.take(runs, quantity=quantity)
    if first is not None and first != ranges[0].first:
        raise Refusal("out_of_order", asked=first, next=ranges[0].first)
    require_within_limit(state, quantity, player)
    told = {
        "quantity": quantity,
        "first": first,
        "till": till,
        "seller": seller,
        "ranges": [sales.range_to_data(part) for part in ranges],
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
        return sales.cards_of(player, state.players)
    return dict(state.players).get(player, 0)


def cards_sold(state: GameState, data: Data) -> GameState:
    """Move the runs on, and count what the player has."""
    runs, _ranges = sales.take(priced(state, data.get("face")), quantity=data["quantity"])
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
    symbols_and_numbers (R80), or what `sales.start` refuses.
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
    run = replace(sales.start(**data["issue"]), face=data["face"])
    return replace(state, runs=(*state.runs, run))


def open_second(state: GameState, *, issue: Data, face: int) -> Data:
    """Put a second issue on sale in the same game (R38 a-c); `issue` as in game_opened.

    Its cards follow when the first of its price has none left. Raises Refusal: suspended (R55), or
    what `sales.add_second` refuses.
    """
    state.require_going()
    _second(state, {"issue": issue, "face": face})
    return {"issue": issue, "face": face}


def _second(state: GameState, data: Data) -> GameState:
    issue = data["issue"]
    if len(state.prices) > 1 and data["face"] not in state.prices:
        raise Refusal("price_not_on_sale", face=data["face"])
    first = state.runs_at(data["face"]) or state.runs
    runs = sales.add_second(
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

    Raises Refusal: suspended (R55), nothing_sold, or what `sales.require_whole` refuses.
    """
    state.require_going()
    sales.require_whole(state.runs)
    if state.cards == 0:
        raise Refusal("nothing_sold")
    return totals(state)


def totals(state: GameState) -> Data:
    """Return what was sold, issue by issue, and the prizes that follow from it."""
    return {
        "cards": state.cards,
        "prizes": facts.dump(state.growing),
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
    return replace(state, prizes=facts.load(Prizes, data["prizes"]))


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


def hand_out(
    state: GameState, *, quantity: int, seller: str, till: str, face: int | None = None
) -> Data:
    """Hand the next cards to a floor seller, in numeric order; no cash moves yet.

    Raises Refusal: suspended (R55), price_missing, price_not_on_sale, or what `sales.take` refuses.
    """
    state.require_going()
    _runs, ranges = blocks.hand_out(priced(state, face), quantity=quantity, seller=seller)
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
    after, _ranges = blocks.hand_out(runs, quantity=data["quantity"], seller=data["seller"])
    return replace(state, runs=with_runs(state.runs, after))


def settle_floor(
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
    players_unlike_cards, buyer_over_limit, or what `blocks.settle_block` refuses.
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
) -> tuple[blocks.Runs, tuple[Range, ...]]:
    back = tuple((begun, ended) for begun, ended in returned)
    return blocks.settle_block(
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


def hand_over_floor(
    state: GameState, *, seller: str, to: str, issue: int, first: int, last: int
) -> Data:
    """Pass cards from one seller to a colleague, who owes their price from then on.

    Raises what `blocks.hand_over_block` refuses.
    """
    data = {"seller": seller, "to": to, "issue": issue, "first": first, "last": last}
    handed_over(state, data)
    return data


def handed_over(state: GameState, data: Data) -> GameState:
    """The colleague has them."""
    return replace(state, runs=blocks.hand_over_block(state.runs, **data))


def write_off(state: GameState, *, issue: int, first: int, last: int, reason: str) -> Data:
    """Write off damaged cards that nobody has bought: they are never sold (R36, acta).

    Raises Refusal: reason_missing, or what `blocks.write_off` refuses.
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


def _written_off(state: GameState, issue: int, first: int, last: int) -> blocks.Runs:
    return blocks.write_off(state.runs, issue=issue, first=first, last=last)


def written_off(state: GameState, data: Data) -> GameState:
    """The sale passes them over."""
    return replace(state, runs=_written_off(state, data["issue"], data["first"], data["last"]))


FLOOR_STEPS = {
    "cards_handed_out": Step(hand_out, handed_out),
    "block_settled": Step(settle_floor, settled),
    "block_handed_over": Step(hand_over_floor, handed_over),
    "cards_written_off": Step(write_off, written_off),
}
