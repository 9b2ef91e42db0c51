"""What cards lack, counted for 64 of them at once: see `bingo.engine.winners`.

Only loops, integers and arrays, for Numba to turn into machine code. The counters of 64 cards
stand side by side, one word a binary digit, so that one ball is a handful of word operations for
all 64. Words are worked on in stretches that stay in the processor's first cache.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

STRETCH = 512  # words
CARDS = 6  # bits of a card's number that are its place in a word

Words = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., object])


def part(function: Function) -> Function:
    """Let a kernel take a function's code into its own."""
    return cast(Function, numba.njit(inline="always")(function))


def hold(cards: NDArray[np.integer], held: Words) -> None:
    """Set in `held` (numbers, rows, words) a bit for each card that holds the number in the row.

    `cards` (cards, rows, columns), 0 for a blank.
    """
    for card in range(cards.shape[0]):
        bit = np.uint64(1) << np.uint64(card & 63)
        for row in range(cards.shape[1]):
            for column in range(cards.shape[2]):
                if cards[card, row, column]:
                    held[cards[card, row, column], row, card >> CARDS] |= bit


@part
def gather(
    held: Words, number: int, rows: NDArray[np.int64], first: int, size: int, moved: Words
) -> None:
    """Give in `moved` the cards that hold the number in one of the rows, their count first."""
    source = held[number, rows[1], first : first + size]
    for at in range(size):
        moved[at] = source[at]
    for other in range(2, rows[0] + 1):
        source = held[number, rows[other], first : first + size]
        for at in range(size):
            moved[at] |= source[at]


@part
def carry(
    lacks: Words, step: np.uint64, first: int, size: int, moved: Words, none: Words, last: Words
) -> None:
    """Count all of `moved` up or down; give those that lack none now, and those that lack one."""
    lowest = lacks[0, first : first + size]
    for at in range(size):
        before = lowest[at]
        after = before ^ moved[at]
        lowest[at] = after
        none[at] = moved[at] & ~after
        last[at] = moved[at] & after
        moved[at] &= before ^ step
    for place in range(1, lacks.shape[0]):
        digit = lacks[place, first : first + size]
        for at in range(size):
            before = digit[at]
            after = before ^ moved[at]
            digit[at] = after
            none[at] &= ~after
            last[at] &= ~after
            moved[at] &= before ^ step


def count(
    number: int,
    step: np.uint64,
    held: Words,
    rows: NDArray[np.int64],
    digits: NDArray[np.int64],
    lacks: Words,
    moved: Words,
    done: Words,
    near: Words,
) -> None:
    """Count, for every card that holds the number, one fewer or one more that is lacking.

    `step` is all ones for one fewer, 0 for one more. `rows` (numbers, ways, 1 + rows): how many of
    the rows in which the number may stand belong to the way, and which. `lacks` (ways, digits,
    words): the counters, the lowest digit first, `digits` (ways,) of them. `moved` (STRETCH,) is
    written over. `done` and `near` (ways, words) get a bit for each card that by this lacks none
    now, and for each that lacks one.
    """
    for way in range(rows.shape[1]):
        if not rows[number, way, 0]:
            done[way] = 0
            near[way] = 0
            continue
        for first in range(0, lacks.shape[2], STRETCH):
            size = min(STRETCH, lacks.shape[2] - first)
            gather(held, number, rows[number, way], first, size, moved)
            carry(
                lacks[way, : digits[way]],
                step,
                first,
                size,
                moved,
                done[way, first : first + size],
                near[way, first : first + size],
            )
