"""Selling: announcing the sale, cards in strict order, the second issue, the close (R33-R40)."""

from __future__ import annotations

from dataclasses import asdict, replace

from bingo.rules import prizes, sales
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Run
from bingo.rules.state import GameState
from bingo.rules.steps import Data, Step


def announce_sale(state: GameState) -> Data:
    """Say which issues are on sale, how many cards and at what price (R33)."""
    return {
        "face": state.face,
        "issues": [
            {
                "letter": run.letter,
                "identification": run.identification,
                "cards": run.left,
                "first": run.next,
            }
            for run in state.runs
        ],
    }


def sell(
    state: GameState, *, quantity: int, first: int | None, till: str, seller: str | None
) -> Data:
    """Sell the next cards in numeric order (R36); `first` is the number the seller's page showed.

    Raises Refusal out_of_order when that page is stale, or what `sales.take` refuses.
    """
    _runs, ranges = sales.take(state.runs, quantity=quantity)
    if first is not None and first != ranges[0].first:
        raise Refusal("out_of_order", asked=first, next=ranges[0].first)
    return {
        "quantity": quantity,
        "first": first,
        "till": till,
        "seller": seller,
        "ranges": [asdict(part) for part in ranges],
        "amount": quantity * state.face,
    }


def sold(state: GameState, data: Data) -> GameState:
    """Move the runs on."""
    runs, _ranges = sales.take(state.runs, quantity=data["quantity"])
    return replace(state, runs=runs)


def open_second(state: GameState, *, issue: Data, face: int) -> Data:
    """Put the second issue on sale in the same game (R38 a-c); `issue` as in game_opened.

    Raises what `sales.add_second` refuses.
    """
    _second(state, {"issue": issue, "face": face})
    return {"issue": issue, "face": face}


def _second(state: GameState, data: Data) -> GameState:
    issue = data["issue"]
    runs = sales.add_second(
        state.runs,
        issue=issue["issue"],
        letter=issue["letter"],
        identification=issue["identification"],
        size=issue["size"],
        last_sold=issue["last_sold"],
        retired=issue.get("retired", ()),
        face=data["face"],
        first_face=state.face,
    )
    return replace(state, runs=runs)


def close_sale(state: GameState) -> Data:
    """Close the sale and fix the prizes from what was sold (R7, R10, R40).

    Raises Refusal nothing_sold.
    """
    if state.cards == 0:
        raise Refusal("nothing_sold")
    rate = state.jackpot.rate if state.jackpot else 0
    fixed = prizes.distribute(state.gross, shares=state.shares, jackpot_rate=rate)
    return {
        "cards": state.cards,
        "prizes": asdict(fixed),
        "ranges": [_sold_of(run) for run in state.runs if run.sold],
    }


def _sold_of(run: Run) -> Data:
    """Give what was sold of an issue, with the retired cards in the midst of it where there are any."""
    sold = {
        "issue": run.issue,
        "letter": run.letter,
        "identification": run.identification,
        "first": run.first,
        "last": run.last,
    }
    last = run.last or run.first
    inside = [[begun, ended] for begun, ended in run.retired if run.first < begun < last]
    return sold | ({"retired": inside} if inside else {})


def sale_closed(state: GameState, data: Data) -> GameState:
    """Keep the prizes."""
    return replace(state, prizes=prizes.Prizes(**data["prizes"]))


def unchanged(state: GameState, _data: Data) -> GameState:
    """Only the phase moves."""
    return state


STEPS = {
    "sale_announced": Step(announce_sale, unchanged),
    "cards_sold": Step(sell, sold),
    "second_issue_opened": Step(open_second, _second),
    "sale_closed": Step(close_sale, sale_closed),
}
