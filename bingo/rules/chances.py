"""How likely a card is complete by a ball: the closed forms that a draw must meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

from bingo.rules.refusal import Refusal


def complete_by(balls: int, *, numbers: int, of: int) -> Fraction:
    """Give the chance that all of a card's `numbers` are among the first `balls` drawn of `of`.

    C(of - numbers, balls - numbers) / C(of, balls). Refusal number_out_of_range.
    """
    if not 0 <= balls <= of or not 0 <= numbers <= of:
        raise Refusal("number_out_of_range")
    if balls < numbers:
        return Fraction(0)
    return Fraction(comb(of - numbers, balls - numbers), comb(of, balls))


def any_way_complete_by(balls: int, *, ways: Iterable[frozenset[int]], of: int) -> Fraction:
    """Give the chance that one of a card's ways is: a row of its three, by inclusion and exclusion.

    Refusal number_out_of_range.
    """
    return sum(
        (
            count * complete_by(balls, numbers=numbers, of=of)
            for numbers, count in unions(tuple(ways)).items()
        ),
        start=Fraction(0),
    )


def unions(ways: Sequence[frozenset[int]]) -> dict[int, int]:
    """Give, by how many numbers several ways have together, how often they count, with their sign."""
    counted: Counter[frozenset[int]] = Counter()
    for way in ways:
        more = Counter({way: 1})
        for held, count in counted.items():
            more[held | way] -= count
        counted.update(more)
    sizes: Counter[int] = Counter()
    for held, count in counted.items():
        sizes[len(held)] += count
    return {numbers: count for numbers, count in sizes.items() if count}


def any_complete_by(balls: int, *, cards: int, numbers: int, of: int) -> float:
    """Give the chance that one of `cards` is, as if no two cards had numbers in common.

    Cards do share numbers, so that this is a little too high; with few chances a card hardly so.
    """
    each = float(complete_by(balls, numbers=numbers, of=of))
    return 1 - (1 - each) ** cards
