"""Many sold cards during a draw: who completes what with each ball, and who lacks one number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bingo.engine import machine, slices
from bingo.engine.slices import Words
from bingo.rules.combinations import Combination
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal
from bingo.rules.shapes import Cells

Table = NDArray[np.uint8]

FEWER, MORE = np.uint64(2**64 - 1), np.uint64(0)
WORD = 1 << slices.CARDS  # cards


class Found(NamedTuple):
    """What a ball did: the cards that hold a way now by it, and those that now lack one number.

    Each (ways, words): a bit a card. `pairs` gives them as numbers.
    """

    done: Words
    near: Words


def pairs(found: Words) -> list[tuple[int, int]]:
    """Give a ball's cards as pairs of a way's place in `Winners.ways` and a card's from 0, in order."""
    bits = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")
    return [(int(way), int(card)) for way, card in np.argwhere(bits)]


def table(cards: Sequence[Sequence[Sequence[int | None]]]) -> Table:
    """Give cards, each rows of numbers with None for a blank, as the engine holds them."""
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

    def announce(self, ball: int) -> Found:
        """Mark a ball on every card that has it. Refusals: number_out_of_range, repeated_ball."""
        if ball not in self._numbers:
            raise Refusal("number_out_of_range", number=ball, highest=self._numbers[-1])
        if ball in self._announced:
            raise Refusal("repeated_ball")
        self._announced.add(ball)
        done, near = self._empty()
        self._count(ball, FEWER, *self._rest, done, near)
        return Found(done, near)

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
        """Give the places of the cards that hold the combination, whenever completed (R49)."""
        return self._lacking(combination, 0)

    def near(self, combination: str) -> list[int]:
        """Give the places of the cards that lack one number of it, in any of its ways."""
        return self._lacking(combination, 1)

    def _lacking(self, combination: str, count: int) -> list[int]:
        """Give the cards of which a way lacks `count` numbers, 0 or 1."""
        found = np.zeros(self._lacks.shape[2], np.uint64)
        for way, (name, _at) in enumerate(self.ways):
            if name == combination:
                higher = np.bitwise_or.reduce(self._lacks[way, 1:], axis=0)
                lowest = self._lacks[way, 0]
                found |= ~higher & (lowest if count else ~lowest)
        bits = np.unpackbits(found.view(np.uint8), bitorder="little")[: self._cards]
        return [int(at) for at in np.flatnonzero(bits)]


def _rows(ways: Sequence[Cells], format: Format) -> NDArray[np.int64]:
    """Give (numbers, ways, 1 + rows): how many rows of its column belong to the way, and which."""
    found = np.zeros((format.highest + 1, len(ways), 1 + format.rows), np.int64)
    for number in format.numbers:
        column = format.column_of(number)
        for way, cells in enumerate(ways):
            rows = sorted(row for row, at in cells if at == column)
            found[number, way, : 1 + len(rows)] = len(rows), *rows
    return found


def _work() -> Words:
    return np.zeros(slices.STRETCH, np.uint64)


@cache
def _kernels() -> tuple[Callable[..., None], Callable[..., None]]:
    none, told = np.zeros((1, 1, 0), np.uint64), np.zeros((0, 0), np.uint64)
    rows, ways = np.zeros((1, 0, 2), np.int64), np.zeros(0, np.int64)
    return (
        machine.compiled(slices.hold, np.zeros((0, 1, 1), np.uint8), none),
        machine.compiled(slices.count, 0, MORE, none, rows, ways, none, _work(), told, told),
    )
