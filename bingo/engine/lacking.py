"""How many numbers each card lacks of each combination, ball by ball, told as the changes alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bingo.engine.winners import Table
from bingo.rules.combinations import Combination
from bingo.rules.shapes import Cells

Counts = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Lacks:
    """What cards lack of a combination: at first, and at which ball from 1 on it changes by one.

    A card lacks one less after ball n of its `changes`, and one more after ball n where it is -n:
    that ball was taken back.
    """

    combination: str
    starts: tuple[int, ...]
    changes: tuple[tuple[int, ...], ...]


def lacking(
    cards: Table, *, combinations: Sequence[Combination], balls: Sequence[int]
) -> tuple[Lacks, ...]:
    """Give what each card lacks of the combinations as balls come, a ball taken back as its negative.

    Of several ways to win the nearest counts: as a ball completes no way by two numbers, what is
    lacked changes by one at most.
    """
    ways = [_masks(one.ways, cards) for one in combinations]
    left = [_count(cards > 0, masks) for masks in ways]
    lowest = [one.min(axis=0) for one in left]
    starts = [tuple(one.tolist()) for one in lowest]
    changes: list[list[list[int]]] = [[[] for _card in cards] for _one in combinations]
    for at, ball in enumerate(balls, start=1):
        where, sign = cards == abs(ball), -1 if ball > 0 else 1
        for one, masks in enumerate(ways):
            left[one] += sign * _count(where, masks)
            now = left[one].min(axis=0)
            for card in np.flatnonzero(now != lowest[one]):
                changes[one][card].append(-sign * at)
            lowest[one] = now
    return tuple(
        Lacks(combination.name, starts[one], tuple(map(tuple, changes[one])))
        for one, combination in enumerate(combinations)
    )


def _masks(ways: Sequence[Cells], cards: Table) -> NDArray[np.bool_]:
    """Give (ways, rows, columns): which cells belong to each way."""
    masks = np.zeros((len(ways), *cards.shape[1:]), dtype=bool)
    for way, cells in enumerate(ways):
        for row, column in cells:
            masks[way, row, column] = True
    return masks


def _count(where: NDArray[np.bool_], masks: NDArray[np.bool_]) -> Counts:
    """Give (ways, cards): how many of the cells marked in `where` belong to each way."""
    counted = np.empty((len(masks), len(where)), np.int16)
    for way, mask in enumerate(masks):
        counted[way] = where[:, mask].sum(axis=1)
    return counted
