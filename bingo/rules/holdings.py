"""Whose the cards of a game are, where players are named: by its sales and what was handed on (R56)."""

from __future__ import annotations

from collections.abc import Iterable

from bingo.rules import stretches
from bingo.rules.stretches import Stretch, Stretches


def first_of_another(
    asked: Stretch,
    *,
    player: str,
    sold: Iterable[tuple[Stretch, str]],
    handed: Iterable[tuple[Stretch, str]],
) -> int | None:
    """Give the lowest sold card asked for that is not the player's own, None where all are.

    `sold` are the sales of an issue and their buyers, lowest card first, `handed` what was handed
    on and to whom, the first first. Cards that were sold to nobody by name are nobody's own; unsold
    ones are not looked at.
    """
    every: Stretches = ()
    own: Stretches = ()
    for part, buyer in sold:
        every += (part,)
        own += (part,) if buyer == player else ()
    for part, to in handed:
        own = tuple(stretches.difference(own, (part,)))
        if to == player:
            own = tuple(sorted((*own, part)))
    looked_at = stretches.difference((asked,), stretches.difference((asked,), every))
    left = stretches.difference(looked_at, own)
    return left[0][0] if left else None
