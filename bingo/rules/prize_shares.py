"""Divide money in whole minor units so that none is made and none is lost.

Also the parts of a game's sales that go to its prizes (`Shares`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bingo.rules.journal_json_and_chain import stored
from bingo.rules.refusal import Refusal


def apportion(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Split `total` minor units by weight; the largest remainders get the units over.

    Equal remainders: the earlier first. Refusals: negative_amount, negative_weight, no_weight.
    """
    if total < 0:
        raise Refusal("negative_amount", amount=total)
    if any(weight < 0 for weight in weights):
        raise Refusal("negative_weight", weights=tuple(weights))
    whole = sum(weights)
    if whole == 0:
        raise Refusal("no_weight", weights=tuple(weights))
    parts = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda at: -(total * weights[at] % whole))
    for at in by_remainder[: total - sum(parts)]:
        parts[at] += 1
    return tuple(parts)


def share_in_coins(
    total: int, weights: Sequence[int], *, step: int = 1
) -> tuple[tuple[int, ...], int]:
    """Return the parts of `total` by weight in multiples of a coin, and what is left over (R6).

    Equal weights get equal parts: each is rounded down for itself, by `in_coins`. Only where the
    step is the minor unit itself do the units over go one by one, as in `apportion`. Minor units.
    Refusals: those of `apportion`, bad_cash_step.
    """
    parts = apportion(total, weights)
    if step != 1:
        whole = sum(weights)
        parts = tuple(in_coins(total * weight // whole, step) for weight in weights)
    return parts, total - sum(parts)


def in_coins(amount: int, step: int) -> int:
    """Return what of `amount` coins of `step` can pay; all of it where they could pay nothing.

    Who has won is paid, in minor units if need be. Refusals: bad_cash_step, negative_amount.
    """
    if step < 1:
        raise Refusal("bad_cash_step", step=step)
    if amount < 0:
        raise Refusal("negative_amount", amount=amount)
    return amount // step * step or amount


def share_coin_by_coin(
    total: int, weights: Sequence[int], *, step: int = 1
) -> tuple[tuple[int, ...], int]:
    """Return the parts of `total` in which whole coins go one by one, and what is left over.

    Sessions opened before each winner's part was rounded for itself shared so, and their journals
    are read so. Where the step would leave somebody with nothing, the minor unit takes its place.
    Minor units. Refusals: those of `apportion`, bad_cash_step.
    """
    if step < 1:
        raise Refusal("bad_cash_step", step=step)
    if total < 0:
        raise Refusal("negative_amount", amount=total)
    parts = apportion(total // step, weights)
    if step > 1 and any(weight and not part for weight, part in zip(weights, parts, strict=True)):
        return apportion(total, weights), 0
    return tuple(part * step for part in parts), total % step


@stored("limit")
@dataclass(frozen=True, slots=True)
class Extra:
    """An additional prize (R7): what wins it, its basis points of gross, and within how many balls."""

    prize: str
    share: int
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Shares:
    """What line, bingo and additional prizes get, in basis points of the game's gross (R7)."""

    line: int
    bingo: int
    extras: tuple[Extra, ...] = ()

    @property
    def fund(self) -> int:
        """The basis points of gross that go to prizes, a jackpot's accrual included."""
        return self.line + self.bingo + sum(extra.share for extra in self.extras)
