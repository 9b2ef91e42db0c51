"""Cards, lines and columns that come twice in many cards: that part of `bingo.rules.series`, at speed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bingo.rules import patterns
from bingo.rules.formats import Format
from bingo.rules.patterns import Cells
from bingo.rules.refusal import Refusal

WORD = 64
# Two odd numbers of good spread: what they mix alike is still compared in full.
MIXERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)

# Each set of numbers as two words, a bit a number: (sets, 2).
Sets = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A set of `numbers` that more than one place holds: `code` as in `series`, cards from 1."""

    code: str
    cards: tuple[int, ...]
    numbers: tuple[int, ...]


def repeats(
    cards: NDArray[np.uint8], *, format: Format, columns: bool = False
) -> tuple[Repeat, ...]:
    """Name each card, line and, with `columns`, column whose numbers come twice, as sets (R14).

    `cards` is (cards, rows, columns), 0 for a blank or free cell; they may break any other rule.
    Exact, and in the order of `series.faults`. Refusals: columns_not_a_line, number_out_of_range.
    """
    if columns and not format.full:
        raise Refusal("columns_not_a_line", format=format.highest)
    highest = int(cards.max(initial=0))
    if highest > format.highest:
        raise Refusal("number_out_of_range", number=highest, highest=format.highest)
    found = [
        *_repeats("repeated_card", cards, [patterns.whole(format)]),
        *_repeats("repeated_line", cards, patterns.shape_lines(format)),
    ]
    if columns:
        found += _repeats("repeated_column", cards, patterns.columns(format))
    return tuple(found)


def _repeats(code: str, cards: NDArray[np.uint8], shapes: Sequence[Cells]) -> list[Repeat]:
    sets = _sets(cards, shapes)
    holders = defaultdict(list)
    for place in _suspects(sets):
        if sets[place].any():
            holders[tuple(sets[place].tolist())].append(int(place) // len(shapes) + 1)
    return [
        Repeat(code, tuple(numbers), _numbers(words))
        for words, numbers in holders.items()
        if len(numbers) > 1
    ]


def _sets(cards: NDArray[np.uint8], shapes: Sequence[Cells]) -> Sets:
    """Write the numbers of each card's shapes as bits, card after card."""
    numbers = np.arange(2 * WORD, dtype=np.uint64)
    bits = np.zeros((2 * WORD, 2), dtype=np.uint64)
    bits[numbers, numbers // WORD] = np.uint64(1) << numbers % np.uint64(WORD)
    bits[0] = 0  # a blank
    sets = np.zeros((len(cards), len(shapes), 2), dtype=np.uint64)
    for at, cells in enumerate(shapes):
        for row, column in cells:
            sets[:, at] |= bits[cards[:, row, column]]
    return sets.reshape(-1, 2)


def _suspects(sets: Sets) -> NDArray[np.intp]:
    """Return the places of all sets that equal another, and perhaps of a few that do not."""
    mixed = (sets * MIXERS).sum(axis=1, dtype=np.uint64)
    ordered = np.sort(mixed)
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    return np.flatnonzero(np.isin(mixed, shared))


def _numbers(words: tuple[int, ...]) -> tuple[int, ...]:
    bits = words[0] | words[1] << WORD
    return tuple(number for number in range(2 * WORD) if bits >> number & 1)
