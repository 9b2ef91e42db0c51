"""Whole minor units, split so that none is made and none is lost."""

from collections.abc import Sequence

from bingo.rules.refusal import Refusal


def share_equally(total: int, holders: int) -> tuple[int, ...]:
    """Split `total` minor units among `holders`; the first ones get a unit more (R6).

    Refusals: negative_amount, no_holders.
    """
    if holders < 1:
        raise Refusal("no_holders", holders=holders)
    return apportion(total, (1,) * holders)


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


def share_in_steps(
    total: int, weights: Sequence[int], *, step: int = 1
) -> tuple[tuple[int, ...], int]:
    """Split `total` by weight into multiples of a cash step; give the parts and what is left over.

    Where the step would leave somebody with nothing, the minor unit takes its place: who has won is
    paid. Minor units. Refusals: those of `apportion`, bad_cash_step.
    """
    if step < 1:
        raise Refusal("bad_cash_step", step=step)
    if total < 0:
        raise Refusal("negative_amount", amount=total)
    parts = apportion(total // step, weights)
    if step > 1 and any(weight and not part for weight, part in zip(weights, parts, strict=True)):
        return apportion(total, weights), 0
    return tuple(part * step for part in parts), total % step
