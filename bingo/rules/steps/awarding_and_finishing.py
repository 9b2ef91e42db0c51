"""The "any more?" window, the prizes awarded when it closes, and the end of the draw (R6, R44, R46, R47).

Also where the money goes that the smallest coin leaves over: into the jackpot, or into the next
game's fund (R6). When each may come: `bingo.rules.game_flow.FOLLOWS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bingo.rules import jackpots, journal_json_and_chain, patterns, prizes
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.prize_distributions import PRIMA
from bingo.rules.prize_shares import in_coins, share_coin_by_coin, share_in_coins
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SETTLED, Award, GameState
from bingo.rules.steps import Step
from bingo.rules.steps.selling import unchanged

JACKPOT, FUND = "jackpot", "fund"


def describe_carry(state: GameState, awards: Sequence[Award], left: int) -> Data:
    """Tell where `left` minor units go that these awards could not be paid in; nothing without any.

    The first level of the jackpot takes them, within its ceiling.
    """
    into = min(left, _room(state, awards, left))
    parts = {JACKPOT: into, FUND: left - into}
    return {"carried": {name: part for name, part in parts.items() if part}} if left else {}


def _room(state: GameState, awards: Sequence[Award], left: int) -> int:
    """Return what the first level may still take: all of it without a ceiling, nothing if it is linked.

    Nothing, too, in a game that does not play for it (R9).
    """
    if state.jackpot is None or state.jackpot.link or state.limits[0] is None:
        return 0
    if not state.jackpot.ceiling:
        return left
    after = replace(state, awards=(*state.awards, *awards))
    return max(0, state.jackpot.ceiling - after.jackpot_balance)


def kept(state: GameState, data: Data) -> GameState:
    """Keep what a fact carries on."""
    carried = data.get("carried", {})
    return replace(
        state,
        to_jackpot=state.to_jackpot + carried.get(JACKPOT, 0),
        to_fund=state.to_fund + carried.get(FUND, 0),
    )


def open_window(state: GameState) -> Data:
    """Ask "any more?" for every prize just found right (R46). Raises Refusal no_valid_claim."""
    if not state.pending:
        raise Refusal("no_valid_claim")
    asked = {claim.combination for claim in state.pending}
    return {"combinations": [one.name for one in state.won if one.name in asked]}


def window_opened(state: GameState, data: Data) -> GameState:
    """Remember what is asked for."""
    return replace(state, asked=tuple(data["combinations"]))


def close_window(state: GameState, *, linked: int | None = None) -> Data:
    """Close the window and share what it asked for, in card order (R6, R46, R47).

    `linked` is what a bingo in this hall wins now of a jackpot that several halls add to, in minor
    units; it is told where it is won. A bingo found right while only lines were asked for stays
    pending: nobody has been asked "any more bingos?" yet, so that question and its window follow.
    What the hall's cash step leaves over is carried on, and so is a prize that the winning bingo
    cards have lost by their marks. Raises Refusal: prizes_not_fixed, link_unread, bad_amount.
    """
    awards, over = [], 0
    levels = {jackpots.prize(level) for level in range(len(state.jackpots))}
    for prize, amount, won_by in _won(state, linked):
        shared, left = _shared(state, prize, amount, won_by=won_by)
        awards += shared
        # What is left over of a level of the jackpot stays in it, be it linked.
        over += 0 if prize in levels else left
    amounts = state.amounts
    over += sum(amounts.get(name, 0) for name in _lost(state))
    told: Data = {"awards": [journal_json_and_chain.dump(award) for award in awards]}
    if any(award.combination == _linked_prize(state) for award in awards):
        told["linked"] = linked
    return told | describe_carry(state, awards, over)


def _lost(state: GameState) -> list[str]:
    """Return the prizes that closing the window leaves to nobody, to be carried on (R7, R30).

    A bingo takes what nobody called, but for what its card was refused for its marks. Where no
    other card of the bingo takes it either, it goes to players of a later game.
    """
    if patterns.BINGO not in state.asked:
        return []
    open_still = {claim.combination for claim in state.pending} | {*state.closed, *state.asked}
    return [one.name for one in state.won if one.name not in open_still]


def _won(state: GameState, linked: int | None) -> Iterator[tuple[str, int, str]]:
    """Return each prize, what it is worth in minor units, and the combination that wins it."""
    if state.prizes is None:
        raise Refusal("prizes_not_fixed")
    for name, amount in state.played_for.items():
        # A bonus of nothing is nobody's.
        if amount or name != PRIMA:
            yield name, amount, patterns.BINGO if name == PRIMA else name
    for level, (jackpot, held, limit) in enumerate(
        zip(state.jackpots, state.jackpot_balances, state.limits, strict=True)
    ):
        if limit is not None and len(state.balls) <= limit:
            worth = _linked(state, linked) if jackpot.link else held
            yield jackpots.prize(level), worth, patterns.BINGO


def _linked(state: GameState, amount: int | None) -> int:
    """Return what a linked level pays, which is asked only where a bingo wins it."""
    if patterns.BINGO not in state.asked:
        return 0
    if amount is None:
        raise Refusal("link_unread")
    # What this game has added is in it.
    if type(amount) is not int or not state.added_to_link <= amount <= jackpots.MOST:
        raise Refusal("bad_amount", amount=amount)
    return amount


def _linked_prize(state: GameState) -> str | None:
    level = jackpots.linked(state.jackpots)
    return None if level is None else jackpots.prize(level)


def _shared(state: GameState, prize: str, amount: int, *, won_by: str) -> tuple[list[Award], int]:
    """Return the awards of a prize to the cards that hold it, and what coins leave over of it all."""
    holders = sorted((c.issue, c.card) for c in state.pending if c.combination == won_by)
    if won_by not in state.asked or not holders:
        return [], 0
    # Equal shares, but where cards had different prices each has its part by what it cost.
    prices = [state.price_of(issue) for issue, _card in holders]
    rounded = state.cash_rounding == prizes.EACH_WINNER
    share, award = (share_in_coins, _award) if rounded else (share_coin_by_coin, _award_once)
    parts, left = share(amount, prices, step=state.cash_step)
    awards = [award(state, prize, card, part) for card, part in zip(holders, parts, strict=True)]
    return awards, left + sum(one.left_over for one in awards)


def _award(state: GameState, prize: str, card: tuple[int, int], part: int) -> Award:
    """Return a winner's award: taxed whole, and what is left of it handed over in coins (R61 g)."""
    tax = prizes.withheld(part, state.tax)
    return Award(prize, *card, part, tax, part - tax - in_coins(part - tax, state.cash_step))


def _award_once(state: GameState, prize: str, card: tuple[int, int], part: int) -> Award:
    """Return an award as it was in sessions whose terms do not round each winner's part."""
    tax = prizes.withheld(part, state.tax)
    return Award(prize, *card, part, tax // state.cash_step * state.cash_step)


def window_closed(state: GameState, data: Data) -> GameState:
    """Award, and close for good the prizes asked for (R47), and those that were carried on."""
    done = {*state.closed, *state.asked}
    if state.duties >= SETTLED:
        done.update(_lost(state))
    closed = tuple(one.name for one in state.won if one.name in done)
    awards = tuple(Award(**award) for award in data["awards"])
    after = kept(state, data)
    return replace(after, closed=closed, asked=(), awards=state.awards + awards)


def finish(state: GameState) -> Data:
    """End the game after its bingo has been awarded (R44).

    Raises Refusal: bingo_not_awarded, window_not_held.
    """
    if patterns.BINGO not in state.closed:
        raise Refusal("bingo_not_awarded")
    if state.pending and state.duties >= SETTLED:
        raise Refusal("window_not_held")
    return {"count": len(state.balls)}


def prizes_of(state: GameState, *, issue: int, card: int) -> tuple[Award, ...]:
    """Return every prize this card has won."""
    return tuple(award for award in state.awards if (award.issue, award.card) == (issue, card))


STEPS = {
    "window_opened": Step(open_window, window_opened),
    "window_closed": Step(close_window, window_closed),
    "game_finished": Step(finish, unchanged),
}
