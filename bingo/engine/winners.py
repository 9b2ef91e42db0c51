"""Find the winners among sold cards: who completes what with each ball, who lacks one number.

The kernels are only loops, integers and arrays, for Numba to turn into machine code. The counters
of 64 cards stand side by side, one word a binary digit, so that one ball is a handful of word
operations for all 64. Words are worked on in stretches that stay in the processor's first cache.

`lacking` returns how many numbers each card lacks of each combination, as changes ball by ball.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from bingo.engine import kernel
from bingo.rules.formats import Format
from bingo.rules.patterns import Cells, Combination
from bingo.rules.refusal import Refusal

STRETCH = 512  # words
CARDS = 6  # bits of a card's number that are its place in a word

Words = NDArray[np.uint64]
Function = TypeVar("Function", bound=Callable[..., object])


def slice_part(function: Function) -> Function:
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


@slice_part
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


@slice_part
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


def count_slice(
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


Table = NDArray[np.uint8]

FEWER, MORE = np.uint64(2**64 - 1), np.uint64(0)
WORD = 1 << CARDS  # cards


class BallWinners(NamedTuple):
    """What a ball did: the cards that hold a way now by it, and those that now lack one number.

    Each (ways, words): a bit a card. `pairs` gives them as numbers.
    """

    done: Words
    near: Words


def pairs(found: Words) -> list[tuple[int, int]]:
    """Return a ball's cards as pairs of a way's place in `Winners.ways` and a card's from 0, in order."""
    bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")
    return [(int(way), int(card)) for way, card in np.argwhere(bits)]


def table(cards: Sequence[Sequence[Sequence[int | None]]]) -> Table:
    """Return cards, each rows of numbers with None for a blank, as the engine holds them."""
    filled = [[[number or 0 for number in row] for row in card] for card in cards]
    return np.array(filled, dtype=np.uint8)


class Winners:
    """Sold cards, and what each way to win still lacks on every one of them.

    `ways` names each: its combination, and its place in `Combination.ways`. Not to be shared
    between threads.
    """

    def __init__(
        self, cards: Table, *, format: Format, combinations: Sequence[Combination]
    ) -> None:
        """Take legal cards (cards, rows, columns), 0 for a blank."""
        named = [(one.name, at, cells) for one in combinations for at, cells in enumerate(one.ways)]
        self.ways = tuple((name, at) for name, at, _cells in named)
        self._cards, self._numbers = len(cards), format.numbers
        self._announced: set[int] = set()
        ways = [cells for _name, _at, cells in named]
        hold, self._count = _kernels()
        rows = _rows(ways, format)
        digits = np.array([len(cells).bit_length() for cells in ways])
        words = -(-len(cards) // WORD)
        held = np.zeros((format.highest + 1, format.rows, words), np.uint64)
        hold(cards, held)
        self._lacks = np.zeros((len(ways), digits.max(), words), np.uint64)
        self._rest = (held, rows, digits, self._lacks, _work())
        for number in format.numbers:
            self._count(number, MORE, *self._rest, *self._empty())

    @property
    def nbytes(self) -> int:
        """How many bytes it all takes."""
        return sum(part.nbytes for part in self._rest)

    def announce(self, ball: int) -> BallWinners:
        """Mark a ball on every card that has it. Refusals: number_out_of_range, repeated_ball."""
        if ball not in self._numbers:
            raise Refusal("number_out_of_range", number=ball, highest=self._numbers[-1])
        if ball in self._announced:
            raise Refusal("repeated_ball")
        self._announced.add(ball)
        done, near = self._empty()
        self._count(ball, FEWER, *self._rest, done, near)
        return BallWinners(done, near)

    def recall(self, ball: int) -> None:
        """Take a ball back that was misread. Refusal ball_not_announced."""
        if ball not in self._announced:
            raise Refusal("ball_not_announced", number=ball)
        self._announced.remove(ball)
        self._count(ball, MORE, *self._rest, *self._empty())

    def _empty(self) -> tuple[Words, Words]:
        shape = len(self.ways), self._lacks.shape[2]
        return np.empty(shape, np.uint64), np.empty(shape, np.uint64)

    def complete(self, combination: str) -> list[int]:
        """Return the places of the cards that hold the combination, whenever completed (R49)."""
        return self._lacking(combination, 0)

    def near(self, combination: str) -> list[int]:
        """Return the places of the cards that lack one number of it, in any of its ways."""
        return self._lacking(combination, 1)

    def _lacking(self, combination: str, count: int) -> list[int]:
        """Return the cards of which a way lacks `count` numbers, 0 or 1."""
        found = np.zeros(self._lacks.shape[2], np.uint64)
        for way, (name, _at) in enumerate(self.ways):
            if name == combination:
                higher = np.bitwise_or.reduce(self._lacks[way, 1:], axis=0)
                lowest = self._lacks[way, 0]
                found |= ~higher & (lowest if count else ~lowest)
        bits = np.unpackbits(found.view(np.uint8), bitorder="little")[: self._cards]
        return [int(at) for at in np.flatnonzero(bits)]


def _rows(ways: Sequence[Cells], format: Format) -> NDArray[np.int64]:
    """Return (numbers, ways, 1 + rows): how many rows of its column belong to the way, and which."""
    found = np.zeros((format.highest + 1, len(ways), 1 + format.rows), np.int64)
    for number in format.numbers:
        column = format.column_of(number)
        for way, cells in enumerate(ways):
            rows = sorted(row for row, at in cells if at == column)
            found[number, way, : 1 + len(rows)] = len(rows), *rows
    return found


def _work() -> Words:
    return np.zeros(STRETCH, np.uint64)


@cache
def _kernels() -> tuple[Callable[..., None], Callable[..., None]]:
    none, told = np.zeros((1, 1, 0), np.uint64), np.zeros((0, 0), np.uint64)
    rows, ways = np.zeros((1, 0, 2), np.int64), np.zeros(0, np.int64)
    return (
        kernel.compiled(hold, np.zeros((0, 1, 1), np.uint8), none),
        kernel.compiled(count_slice, 0, MORE, none, rows, ways, none, _work(), told, told),
    )


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
    """Return what each card lacks of the combinations as balls come, a ball taken back as its negative.

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
    """Return (ways, rows, columns): which cells belong to each way."""
    masks = np.zeros((len(ways), *cards.shape[1:]), dtype=bool)
    for way, cells in enumerate(ways):
        for row, column in cells:
            masks[way, row, column] = True
    return masks


def _count(where: NDArray[np.bool_], masks: NDArray[np.bool_]) -> Counts:
    """Return (ways, cards): how many of the cells marked in `where` belong to each way."""
    counted = np.empty((len(masks), len(where)), np.int16)
    for way, mask in enumerate(masks):
        counted[way] = where[:, mask].sum(axis=1)
    return counted
