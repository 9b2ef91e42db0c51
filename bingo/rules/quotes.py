"""What a game would pay: a distribution tried on a number of cards, before anybody plays by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bingo.rules import cash_steps, prizes
from bingo.rules.money import in_coins, share_in_coins
from bingo.rules.prizes import PROPORTIONAL, UNTAXED, Prizes, Shares, Tax
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

MOST = 10**15  # minor units of sales


@dataclass(frozen=True, slots=True)
class Quote:
    """The prizes of a game, what each winner gets of them, and what a cash step leaves over.

    All in minor units; `shared`, the `tax` on it and what is `handed_over` by prize, each winner's
    in card order.
    """

    prizes: Prizes
    shared: Mapping[str, tuple[int, ...]]
    tax: Mapping[str, tuple[int, ...]]
    handed_over: Mapping[str, tuple[int, ...]]
    carried: int


def quote(
    *,
    cards: int,
    face: int,
    shares: Shares,
    jackpot_rate: int,
    rulebook: Rulebook,
    source: str = PROPORTIONAL,
    winners: Mapping[str, int] | None = None,
    step: int = 1,
    rates: Sequence[int] = (),
    tax: Tax = UNTAXED,
) -> Quote:
    """Return what `cards` sold at `face` minor units pay (R6, R7, R10); one winner a prize if not told.

    `rates` are those of a jackpot's levels where it has several, each rounded for itself. What a
    `step` of cash leaves over is carried into the jackpot or the next game's fund. Refusals:
    what `prizes.check` and `cash_steps.require_fits` refuse, no_cards, bad_face, bad_cash_step,
    bad_tax, winners_of_no_prize, winners_out_of_range.
    """
    if cards < 1:
        raise Refusal("no_cards")
    if not 0 < face <= MOST // cards:
        raise Refusal("bad_face", face=face, most=MOST // cards)
    prizes.check(shares, jackpot_rate=jackpot_rate, rulebook=rulebook, source=source)
    cash_steps.require(step)
    prizes.require_tax(tax)
    cash_steps.require_fits(
        step, faces=[face], played=[shares], jackpot_rate=jackpot_rate, source=source
    )
    fund = prizes.fund_of(cards * face, shares)
    # Each level is rounded down for itself.
    accrual = sum(fund * one // prizes.WHOLE for one in rates) if rates else None
    fixed = prizes.distribute(
        cards * face, shares=shares, jackpot_rate=jackpot_rate, source=source, accrual=accrual
    )
    won = {"line": fixed.line, "bingo": fixed.bingo, **dict(fixed.extras)}
    holders = {name: 1 for name, amount in won.items() if amount} | dict(winners or {})
    shared, taxed, handed_over, carried = {}, {}, {}, 0
    for name, count in holders.items():
        if name not in won:
            raise Refusal("winners_of_no_prize", prize=name)
        if not 1 <= count <= cards:
            raise Refusal("winners_out_of_range", most=cards)
        shared[name], left = share_in_coins(won[name], (1,) * count, step=step)
        taxed[name] = tuple(prizes.withheld(part, tax) for part in shared[name])
        due = [part - less for part, less in zip(shared[name], taxed[name], strict=True)]
        handed_over[name] = tuple(in_coins(amount, step) for amount in due)
        carried += left + sum(due) - sum(handed_over[name])
    return Quote(fixed, shared, taxed, handed_over, carried)
