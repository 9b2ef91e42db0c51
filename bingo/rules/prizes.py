"""A game's prizes: what of its sales goes to line, bingo and jackpot."""

from dataclasses import dataclass

from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.shares import Shares

__all__ = ["WHOLE", "Prizes", "Shares", "Tax", "check", "distribute", "withheld"]

WHOLE = 10_000  # basis points


@dataclass(frozen=True, slots=True)
class Prizes:
    """A game's money in minor units: `line` + `bingo` + `jackpot` is `fund`, of `gross` sales."""

    gross: int
    fund: int
    line: int
    bingo: int
    jackpot: int


@dataclass(frozen=True, slots=True)
class Tax:
    """A tax on prizes: `rate` in basis points of what a prize has above `threshold` minor units."""

    rate: int
    threshold: int


def check(shares: Shares, *, jackpot_rate: int, rulebook: Rulebook) -> None:
    """Refuse a distribution that the rule book does not allow (R7, R10).

    `jackpot_rate` is in basis points of the fund, 0 without a jackpot. Refusals: negative_share,
    nothing_to_distribute, shares_over_gross, jackpot_rate_out_of_range, jackpot_rate_differs,
    fund_differs, bingo_below_floor. The floor is tested after the deduction in proportion.
    """
    if shares.line < 0 or shares.bingo < 0:
        raise Refusal("negative_share", line=shares.line, bingo=shares.bingo)
    if shares.fund == 0:
        raise Refusal("nothing_to_distribute")
    if shares.fund > WHOLE:
        raise Refusal("shares_over_gross", fund=shares.fund)
    if not 0 <= jackpot_rate <= WHOLE:
        raise Refusal("jackpot_rate_out_of_range", rate=jackpot_rate)
    if rulebook.jackpot_rate is not None and jackpot_rate not in (0, rulebook.jackpot_rate):
        raise Refusal("jackpot_rate_differs", rate=jackpot_rate, expected=rulebook.jackpot_rate)
    if rulebook.fund is not None and shares.fund != rulebook.fund:
        raise Refusal("fund_differs", fund=shares.fund, expected=rulebook.fund)
    bingo = shares.bingo * (WHOLE - jackpot_rate)
    if bingo < rulebook.bingo_floor * WHOLE:
        raise Refusal("bingo_below_floor", bingo=bingo // WHOLE, floor=rulebook.bingo_floor)


def distribute(gross: int, *, shares: Shares, jackpot_rate: int) -> Prizes:
    """Give the prizes of a game that sold `gross` minor units, with shares that `check` let pass.

    The jackpot's `jackpot_rate` basis points come off the whole fund, so off line and bingo in
    proportion (R10). Broken units: the fund is rounded up, the jackpot down, the bingo up, so the
    floor of R7 holds to the unit; the line is what is left. Refusals: negative_amount,
    nothing_to_distribute.
    """
    if gross < 0:
        raise Refusal("negative_amount", amount=gross)
    if shares.fund <= 0:
        raise Refusal("nothing_to_distribute")
    fund = _rounded_up(gross * shares.fund, WHOLE)
    jackpot = fund * jackpot_rate // WHOLE
    bingo = _rounded_up((fund - jackpot) * shares.bingo, shares.fund)
    return Prizes(gross, fund, line=fund - jackpot - bingo, bingo=bingo, jackpot=jackpot)


def withheld(amount: int, tax: Tax) -> int:
    """Give the tax on a prize in minor units: on what exceeds the threshold, rounded down (R61 g).

    Refusal negative_amount.
    """
    if amount < 0:
        raise Refusal("negative_amount", amount=amount)
    return max(0, amount - tax.threshold) * tax.rate // WHOLE


def _rounded_up(value: int, unit: int) -> int:
    return -(-value // unit)
