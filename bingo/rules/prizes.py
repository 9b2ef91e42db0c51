"""A game's prizes: what of its sales goes to line, bingo and jackpot, tax, and the coin (R6).

The coin is the smallest that prizes are paid in, where it is larger than the currency's minor unit.
Each winner's part is rounded down to it, and so is what tax leaves of that part; equal winners get
equal money. What the coin leaves over is the players': it goes into the jackpot, or without one
into the next game's fund.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

WHOLE = 10_000  # basis points
PROPORTIONAL, LINE, BINGO = "proportional", "line", "bingo"
SOURCES = (PROPORTIONAL, LINE, BINGO)


@dataclass(frozen=True, slots=True)
class Prizes:
    """A game's money in minor units: all but `gross` and `fund` add up to `fund`.

    `extras` has (prize, amount) of each additional prize; `brought` is what of the fund earlier
    games left to this one.
    """

    gross: int
    fund: int
    line: int
    bingo: int
    jackpot: int
    extras: tuple[tuple[str, int], ...] = ()
    brought: int = 0


@dataclass(frozen=True, slots=True)
class Tax:
    """A tax: `rate` in basis points of what a prize has above `threshold` minor units (R61 g).

    One `on_sales` is of what a game collects instead: the hall owes it, no winner gets less for it.
    """

    rate: int
    threshold: int
    on_sales: bool = False


UNTAXED = Tax(rate=0, threshold=0)


def require_tax(tax: Tax) -> None:
    """Refuse what is no tax: bad_tax."""
    if not 0 <= tax.rate <= WHOLE or tax.threshold < 0:
        raise Refusal("bad_tax", rate=tax.rate, threshold=tax.threshold)


def check(
    shares: Shares, *, jackpot_rate: int, rulebook: Rulebook, source: str = PROPORTIONAL
) -> None:
    """Refuse a distribution that the rule book does not allow (R7, R10).

    `jackpot_rate` is in basis points of the fund, 0 without a jackpot; `source` what it is taken
    from: all prizes in proportion, the line or the bingo. The floor is tested after the deduction.
    Refusals: negative_share, nothing_to_distribute, shares_over_gross, jackpot_rate_out_of_range,
    jackpot_rate_differs, unknown_source_of_jackpot, jackpot_over_its_source, fund_differs,
    bingo_below_floor.
    """
    if min(shares.line, shares.bingo, *(extra.share for extra in shares.extras)) < 0:
        raise Refusal("negative_share", line=shares.line, bingo=shares.bingo)
    if shares.fund == 0:
        raise Refusal("nothing_to_distribute")
    if shares.fund > WHOLE:
        raise Refusal("shares_over_gross", fund=shares.fund)
    require_rate(jackpot_rate, rulebook)
    if rulebook.fund is not None and shares.fund != rulebook.fund:
        raise Refusal("fund_differs", fund=shares.fund, expected=rulebook.fund)
    bingo = shares.bingo * WHOLE - _taken(shares, jackpot_rate, source)[BINGO]
    if bingo < rulebook.bingo_floor * WHOLE:
        raise Refusal("bingo_below_floor", bingo=bingo // WHOLE, floor=rulebook.bingo_floor)


def require_rate(rate: int, rulebook: Rulebook) -> None:
    """Refuse what all levels of a jackpot take of the fund together, in basis points (R10).

    Refusals: jackpot_rate_out_of_range, jackpot_rate_differs.
    """
    if not 0 <= rate <= WHOLE:
        raise Refusal("jackpot_rate_out_of_range", rate=rate)
    if rulebook.jackpot_rate is not None and rate not in (0, rulebook.jackpot_rate):
        raise Refusal("jackpot_rate_differs", rate=rate, expected=rulebook.jackpot_rate)


def _taken(shares: Shares, rate: int, source: str) -> dict[str, int]:
    """Return what the jackpot takes of line and bingo, in ten-thousandths of a basis point of gross."""
    if source not in SOURCES:
        raise Refusal("unknown_source_of_jackpot", source=source)
    if source == PROPORTIONAL:
        return {LINE: shares.line * rate, BINGO: shares.bingo * rate}
    part = {LINE: shares.line, BINGO: shares.bingo}[source]
    if shares.fund * rate > part * WHOLE:
        raise Refusal("jackpot_over_its_source", source=source)
    return {LINE: 0, BINGO: 0, source: shares.fund * rate}


def fund_of(gross: int, shares: Shares) -> int:
    """Return what of `gross` minor units goes to prizes, rounded up."""
    return _rounded_up(gross * shares.fund, WHOLE)


def distribute(
    gross: int,
    *,
    shares: Shares,
    jackpot_rate: int,
    source: str = PROPORTIONAL,
    accrual: int | None = None,
    brought: int = 0,
) -> Prizes:
    """Return the prizes of a game that sold `gross` minor units, with shares that `check` let pass.

    The jackpot's `jackpot_rate` basis points of the fund come off all prizes in proportion (R10),
    or off `source`; `accrual` is told where it is less than that, in minor units; `brought` is
    added to the fund: what a cash step left over of earlier games. Broken units: the fund is
    rounded up, the jackpot down, the bingo up, so that the floor of R7 holds to the unit; line and
    additional prizes share what is left. Refusals: negative_amount,
    nothing_to_distribute, unknown_source_of_jackpot, jackpot_over_its_source.
    """
    if gross < 0 or brought < 0:
        raise Refusal("negative_amount", amount=min(gross, brought))
    if shares.fund <= 0:
        raise Refusal("nothing_to_distribute")
    fund = fund_of(gross, shares) + brought
    jackpot = fund * jackpot_rate // WHOLE if accrual is None else accrual
    whole = fund - jackpot if source == PROPORTIONAL else fund
    bingo = _rounded_up(whole * shares.bingo, shares.fund)
    line, *extras = _parts(whole - bingo, (shares.line, *(extra.share for extra in shares.extras)))
    if source != PROPORTIONAL:
        _taken(shares, jackpot_rate, source)
        line, bingo = (line - jackpot, bingo) if source == LINE else (line, bingo - jackpot)
    named = tuple((one.prize, amount) for one, amount in zip(shares.extras, extras, strict=True))
    return Prizes(
        gross, fund, line=line, bingo=bingo, jackpot=jackpot, extras=named, brought=brought
    )


def least(
    face: int, *, shares: Shares, jackpot_rate: int, source: str = PROPORTIONAL
) -> tuple[str, int]:
    """Return the smallest prize that one card of `face` minor units pays for, and what it is worth.

    However many cards win it, each has at least so much for every one sold. Rounded down. Refusals:
    unknown_source_of_jackpot, jackpot_over_its_source.
    """
    taken = _taken(shares, jackpot_rate, source)
    of_extras = jackpot_rate if source == PROPORTIONAL else 0
    net = {
        LINE: shares.line * WHOLE - taken[LINE],
        BINGO: shares.bingo * WHOLE - taken[BINGO],
        **{one.prize: one.share * (WHOLE - of_extras) for one in shares.extras},
    }
    worth = {name: face * part // (WHOLE * WHOLE) for name, part in net.items() if part}
    return min(worth.items(), key=lambda one: one[1])


def _parts(total: int, shares: Sequence[int]) -> list[int]:
    """Split what is left by share, the units over to the first prize that there is."""
    parts = [total * share // (sum(shares) or 1) for share in shares]
    parts[next((at for at, share in enumerate(shares) if share), 0)] += total - sum(parts)
    return parts


def withheld(amount: int, tax: Tax) -> int:
    """Return the tax on a whole prize in minor units: on what exceeds the threshold (R61 g).

    Rounded down to the minor unit, whatever the coin. Refusal negative_amount.
    """
    return 0 if tax.on_sales else _levied(amount, tax)


def on_sales(gross: int, tax: Tax) -> int:
    """Return what a game's sales owe of a tax, rounded as `withheld` does. Refusal negative_amount."""
    return _levied(gross, tax) if tax.on_sales else 0


def _levied(amount: int, tax: Tax) -> int:
    if amount < 0:
        raise Refusal("negative_amount", amount=amount)
    return max(0, amount - tax.threshold) * tax.rate // WHOLE


def _rounded_up(value: int, unit: int) -> int:
    return -(-value // unit)


NONE = 1  # minor unit: every amount can be paid
MOST = 10**6  # minor units
# How prizes are rounded: each winner's part and what tax leaves of it; or, in sessions opened
# before, whole coins one by one, and the tax down to a coin.
EACH_WINNER, COIN_BY_COIN = "each_winner", "coin_by_coin"


def rounding_of(told: Mapping[str, Any]) -> str:
    """Return how prizes are rounded by the terms of a session, or the stored state of a game.

    Those without a coin, and those older than the rounding of each winner's part, do not name it.
    """
    return str(told.get("cash_rounding", COIN_BY_COIN))


def require(step: int) -> None:
    """Refuse what is no coin: bad_cash_step. Minor units."""
    if not NONE <= step <= MOST:
        raise Refusal("bad_cash_step", step=step)


def require_fits(
    step: int,
    *,
    faces: Iterable[int],
    played: Iterable[Shares],
    jackpot_rate: int,
    source: str = PROPORTIONAL,
) -> None:
    """Refuse a step that could make a prize nothing: cash_step_over_prize.

    The smallest prize is that of a game that sold one card of the lowest price; `played` are all
    ways in which the hall divides prizes. Minor units.
    """
    face = min(faces, default=None)
    if step == NONE or face is None:
        return
    for shares in played:
        name, worth = least(face, shares=shares, jackpot_rate=jackpot_rate, source=source)
        if worth < step:
            raise Refusal("cash_step_over_prize", step=step, prize=name, amount=worth, face=face)
