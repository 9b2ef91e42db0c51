"""How likely a jackpot is won: the chance of a bingo within so many balls, as closed forms (R9).

Given the balls that are out, cards taken at random are independent of each other, so that the
chance of none being complete is a power; of that the mean over all that can be out is taken,
exactly. Where every card has as many numbers of a column as any other (75, 80, 30, and the figures of 75) only how many balls
of each column are out matters. A card of 90 has 1 to 3 of each, and strips of six share none: there
each card counts as any 15 of the 90, by which the chance that it is complete is exact, and that of
one of 1,000 within a hundredth of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, expm1, log1p, prod

from bingo.rules import formats as rules_formats
from bingo.rules import patterns
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal

CARDS = (50, 200, 1_000)  # sold in the games that the chance of a jackpot is told for


def complete_by(balls: int, *, numbers: int, of: int) -> Fraction:
    """Return the chance that all of a card's `numbers` are among the first `balls` drawn of `of`.

    C(of - numbers, balls - numbers) / C(of, balls). Refusal number_out_of_range.
    """
    if not 0 <= balls <= of or not 0 <= numbers <= of:
        raise Refusal("number_out_of_range")
    if balls < numbers:
        return Fraction(0)
    return Fraction(comb(of - numbers, balls - numbers), comb(of, balls))


def any_way_complete_by(balls: int, *, ways: Iterable[frozenset[int]], of: int) -> Fraction:
    """Return the chance that one of a card's ways is: a row of its three, by inclusion and exclusion.

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


def bingo_by(balls: int, *, cards: int, format: int, figure: Sequence[str] = ()) -> float:
    """Return the chance that a game with so many cards of a format has its bingo by a ball.

    Each card is any that there may be. `figure`, as `patterns.read` takes it, is the bingo where it
    is not empty. Raises Refusal: number_out_of_range, no_cards, unknown_format,
    pattern_not_in_format, or what `patterns.read` refuses.
    """
    kind = rules_formats.get_format(format)
    if not 0 <= balls <= kind.highest:
        raise Refusal("number_out_of_range")
    if cards < 1:
        raise Refusal("no_cards")
    pools = _pools(kind, tuple(figure))
    rest = kind.highest - sum(size for size, _numbers in pools)
    every = prod(comb(size, numbers) for size, numbers in pools)
    likely = sum(
        ways * comb(rest, balls - out) * _one_of(cards, complete / every)
        for (out, complete), ways in _outcomes(pools).items()
        if complete and out <= balls
    )
    return min(1.0, likely / comb(kind.highest, balls))


def _one_of(cards: int, each: float) -> float:
    """Return the chance that one of several cards is complete that each are with this chance."""
    return 1.0 if each >= 1 else -expm1(cards * log1p(-each))


def _pools(format: Format, figure: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return (size, numbers that a card must have complete) of each pool that a bingo is played in."""
    if figure and not format.letters:
        raise Refusal("pattern_not_in_format", format=format.highest)
    if not format.full:
        return ((format.highest, format.per_card),)
    cells = (patterns.read(figure) if figure else patterns.whole(format)) - format.free
    counts = Counter(column for _row, column in cells)
    return tuple(sorted((len(format.pools[column]), count) for column, count in counts.items()))


@lru_cache(maxsize=64)
def _outcomes(pools: tuple[tuple[int, int], ...]) -> Mapping[tuple[int, int], int]:
    """Return how many sets of balls there are by (balls out of these pools, cards complete by them)."""
    told: dict[tuple[int, int], int] = {(0, 1): 1}
    for size, numbers in pools:
        more: dict[tuple[int, int], int] = defaultdict(int)
        for (out, complete), ways in told.items():
            for drawn in range(numbers, size + 1):
                now = (out + drawn, complete * comb(drawn, numbers))
                more[now] += ways * comb(size, drawn)
        told = more
    return told
