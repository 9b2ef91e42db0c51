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


@part
def ones(word: np.uint64) -> np.uint64:
    """Count the bits that are set."""
    pairs = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + (
        (pairs >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    bytes = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bytes * np.uint64(0x0101010101010101)) >> np.uint64(56)


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
def carry(lacks: Words, digits: int, step: np.uint64, first: int, size: int, work: Words) -> None:
    """Count all of `work[0]` up or down; give in the others those that lack none, and those that lack one."""
    moved, none, last = work[0], work[1], work[2]
    lowest = lacks[0, first : first + size]
    for at in range(size):
        before = lowest[at]
        after = before ^ moved[at]
        lowest[at] = after
        none[at] = moved[at] & ~after
        last[at] = moved[at] & after
        moved[at] &= before ^ step
    for place in range(1, digits):
        digit = lacks[place, first : first + size]
        for at in range(size):
            before = digit[at]
            after = before ^ moved[at]
            digit[at] = after
            none[at] &= ~after
            last[at] &= ~after
            moved[at] &= before ^ step


@part
def tell(word: np.uint64, way: int, at: int, found: NDArray[np.int32], row: int, by: int) -> int:
    """Write down way and card of each bit, from a row of `found` on; give the row after the last."""
    while word:
        low = word & (~word + np.uint64(1))
        found[row, 0] = way
        found[row, 1] = at << CARDS | np.int64(ones(low - np.uint64(1)))
        row += by
        word ^= low
    return row


def count(
    number: int,
    step: np.uint64,
    held: Words,
    rows: NDArray[np.int64],
    digits: NDArray[np.int64],
    lacks: Words,
    work: Words,
    found: NDArray[np.int32],
) -> tuple[int, int]:
    """Count, for every card that holds the number, one fewer or one more that is lacking.

    `step` is all ones for one fewer, 0 for one more. `rows` (numbers, ways, 1 + rows): how many of
    the rows in which the number may stand belong to the way, and which. `lacks` (ways, digits,
    words): the counters, the lowest digit first, `digits` (ways,) of them. `work` (3, STRETCH).
    `found` (most, 2) gets way and card of what is complete now from its front on, and of what
    lacks one now from its end back. Gives how many of each.
    """
    done, near = 0, len(found) - 1
    for way in range(rows.shape[1]):
        if not rows[number, way, 0]:
            continue
        for first in range(0, lacks.shape[2], STRETCH):
            size = min(STRETCH, lacks.shape[2] - first)
            gather(held, number, rows[number, way], first, size, work[0])
            carry(lacks[way], digits[way], step, first, size, work)
            for at in range(size):
                if work[1, at] | work[2, at]:
                    done = tell(work[1, at], way, first + at, found, done, 1)
                    near = tell(work[2, at], way, first + at, found, near, -1)
    return done, len(found) - 1 - near
