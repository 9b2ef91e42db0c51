"""Draw a strip: cards that together hold every number of the game once; or one card, at random.

Also `packing_cards`: series of a small square card that use up all its lines, where drawing and
looking for repetitions gets stuck.

Number the m numbers of each of the n columns from 0. Moving a card's columns on by shifts whose
last is the sum of the others (mod m) changes every line's numbers, but not its *class*: last
minus the sum of the others. So a card whose lines lie in different classes moves through
m^(n-1) cards without repeating a line, and two cards with no class in common share none. For 30
the five lines of two cards fill the ten classes: 2 x 100 cards, all 1,000 lines. Where columns
may not come twice either, all columns are moved by the same shift: a line's class is what its
numbers differ by, and a column's class is its set up to a shift, used once: 12 cards moved ten
ways. Which number is which is drawn at the end, so any series of this make can come out.
"""

from collections.abc import Iterator, MutableSequence, Sequence
from itertools import combinations, product
from math import gcd
from typing import Any, Protocol

from bingo.rules import patterns
from bingo.rules.cards import Card
from bingo.rules.cards import numbers as numbers_of
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal

# A column-by-column draw seldom gets stuck; one that is stuck this often has no solution.
ATTEMPTS = 1000

Matrix = tuple[tuple[int, ...], ...]


class Rng(Protocol):
    """The part of `random.Random` that drawing needs; `SystemRandom` in life."""

    def randrange(self, start: int, /) -> int:
        """Return one of 0 to `start` - 1."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Put `x` in random order."""


def strip(format: Format, *, counts: tuple[int, int], rng: Rng) -> tuple[Card, ...]:
    """Draw `format.strip` cards holding every number once; where that is 1, a card by itself.

    `counts` is the least and the most numbers of a column. Refusal impossible_margins when the
    format leaves no way to do it.
    """
    if format.full:
        return (full_card(format, [_taken(pool, format.rows, rng) for pool in format.pools]),)
    shape = _shape(format, counts, rng)
    pools = [list(pool) for pool in format.pools]
    for pool in pools:
        rng.shuffle(pool)
    return tuple(_card(format, heights, pools, rng) for heights in shape)


def full_card(format: Format, columns: Sequence[Sequence[int]]) -> Card:
    """Set each column's numbers, in their order, from the top; a free cell takes none."""
    held = [iter(column) for column in columns]
    return tuple(
        tuple(
            None if (row, column) in format.free else next(numbers)
            for column, numbers in enumerate(held)
        )
        for row in range(format.rows)
    )


def matrix(rows: Sequence[int], columns: Sequence[int], *, cap: int, rng: Rng) -> Matrix:
    """Draw a matrix of 0 to `cap` with these sums of rows and columns; Refusal impossible_margins.

    Every such matrix can come out; not all are equally likely.
    """
    if sum(rows) == sum(columns):
        for _ in range(ATTEMPTS):
            if drawn := _filled(rows, columns, cap, rng):
                return drawn
    raise Refusal("impossible_margins", rows=tuple(rows), columns=tuple(columns), cap=cap)


def _taken(pool: Sequence[int], count: int, rng: Rng) -> list[int]:
    """Draw `count` different numbers of a pool, in random order."""
    left = list(pool)
    for at in range(count):
        other = at + rng.randrange(len(left) - at)
        left[at], left[other] = left[other], left[at]
    return left[:count]


def _shape(format: Format, counts: tuple[int, int], rng: Rng) -> Matrix:
    """How many numbers of each column on each card of the strip."""
    least, most = counts
    spare = format.per_card - least * format.columns
    cards = format.strip
    if cards == 1:
        sums = _free_sums(format.columns, spare, most - least, rng)
    else:
        sums = [len(pool) - least * cards for pool in format.pools]
    above = matrix([spare] * cards, sums, cap=most - least, rng=rng)
    return tuple(tuple(least + more for more in card) for card in above)


def _free_sums(columns: int, spare: int, cap: int, rng: Rng) -> list[int]:
    """Spread the numbers above the least over the columns of a card that shares with no other."""
    places = [column for column in range(columns) for _ in range(cap)]
    rng.shuffle(places)
    return [places[:spare].count(column) for column in range(columns)]


def _card(format: Format, heights: Sequence[int], pools: list[list[int]], rng: Rng) -> Card:
    """Take each column's numbers from the pools and set them in rows."""
    marks = matrix([format.per_row] * format.rows, heights, cap=1, rng=rng)
    taken = [
        [pool.pop() for _ in range(height)] for pool, height in zip(pools, heights, strict=True)
    ]
    held = [iter(sorted(column) if format.ascending else column) for column in taken]
    return tuple(
        tuple(next(held[column]) if mark else None for column, mark in enumerate(row))
        for row in marks
    )


def _filled(rows: Sequence[int], columns: Sequence[int], cap: int, rng: Rng) -> Matrix | None:
    needs = list(rows)
    drawn = []
    for later, total in zip(range(len(columns) - 1, -1, -1), columns, strict=True):
        column = _column(needs, total, cap, later, rng)
        if column is None:
            return None
        needs = [need - taken for need, taken in zip(needs, column, strict=True)]
        drawn.append(column)
    return tuple(zip(*drawn, strict=True))


def _column(needs: list[int], total: int, cap: int, later: int, rng: Rng) -> list[int] | None:
    """Share `total` among the rows by need, first what the `later` columns could not hold."""
    column = [max(0, need - cap * later) for need in needs]
    if max(column) > cap:
        return None
    for _ in range(total - sum(column)):
        weights = [
            need - taken if taken < cap else 0 for need, taken in zip(needs, column, strict=True)
        ]
        if not any(weights):
            return None
        column[_weighted(weights, rng)] += 1
    return column if sum(column) == total else None


def _weighted(weights: list[int], rng: Rng) -> int:
    left = rng.randrange(sum(weights))
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index


# How often a base card is drawn before all are drawn anew.

Base = tuple[tuple[int, ...], ...]
Class = tuple[int, ...]


def fits(format: Format) -> bool:
    """Return whether base cards can use up the lines: square, equal pools that lines divide (30)."""
    pool = len(format.pools[0])
    return (
        format.full
        and not format.free
        and format.rows == format.columns
        and {len(other) for other in format.pools} == {pool}
        and pool % len(patterns.shape_lines(format)) == 0
        and gcd(pool, format.rows) == 1  # else a shift can leave a column's set as it is
    )


def packing_cards(format: Format, *, rng: Rng, columns: bool = False) -> tuple[Card, ...]:
    """Draw the largest series of a format that `fits`, in random order; any part of it is one.

    200 cards of 30; with `columns`, which no two cards have in common either, 120.
    """
    while True:
        drawn = _named(format, _moved(format, rng, columns=columns), rng)
        if len({numbers_of(card) for card in drawn}) == len(drawn):
            return drawn


def _named(format: Format, bases: list[Base], rng: Rng) -> tuple[Card, ...]:
    """Put numbers for places in the pools, and the cards in random order."""
    names = [list(pool) for pool in format.pools]
    for pool in names:
        rng.shuffle(pool)
    rng.shuffle(bases)
    return tuple(
        tuple(tuple(names[column][place] for column, place in enumerate(row)) for row in base)
        for base in bases
    )


def _moved(format: Format, rng: Rng, *, columns: bool) -> list[Base]:
    pool = len(format.pools[0])
    shifts = _equal_shifts(format) if columns else _balanced_shifts(format)
    return [
        tuple(
            tuple((place + by) % pool for place, by in zip(row, shift, strict=True)) for row in base
        )
        for base in _bases(format, rng, columns=columns)
        for shift in shifts
    ]


def _balanced_shifts(format: Format) -> list[tuple[int, ...]]:
    pool = len(format.pools[0])
    free = product(range(pool), repeat=format.columns - 1)
    return [(*shift, sum(shift) % pool) for shift in free]


def _equal_shifts(format: Format) -> list[tuple[int, ...]]:
    return [(shift,) * format.columns for shift in range(len(format.pools[0]))]


def _bases(format: Format, rng: Rng, *, columns: bool) -> list[Base]:
    """Draw base cards until no line's class is left, or no column's; anew when stuck."""
    while True:
        drawn = list(_column_bases(format, rng) if columns else _line_bases(format, rng))
        if all(drawn):
            return drawn


def _line_bases(format: Format, rng: Rng) -> Iterator[Base]:
    pool = len(format.pools[0])
    used: set[Class] = set()
    for _ in range(pool // len(patterns.shape_lines(format))):
        yield _fresh(format, [range(pool)] * format.columns, used, rng, columns=False)


def _column_bases(format: Format, rng: Rng) -> Iterator[Base]:
    used: set[Class] = set()
    decks = [_column_classes(format) for _column in range(format.columns)]
    for deck in decks:
        rng.shuffle(deck)
    for held in zip(*decks, strict=True):
        yield _fresh(format, held, used, rng, columns=True)


def _column_classes(format: Format) -> list[tuple[int, ...]]:
    """One set of each class of columns, the smallest: it holds place 0 and the narrowest gaps."""
    pool = len(format.pools[0])
    sets = combinations(range(pool), format.rows)
    return sorted(
        {
            min(tuple(sorted((place + by) % pool for place in held)) for by in range(pool))
            for held in sets
        }
    )


def _fresh(
    format: Format, held: Sequence[Sequence[int]], used: set[Class], rng: Rng, *, columns: bool
) -> Base:
    """Draw a base card out of these places whose lines' classes are all unused, and use them."""
    for _ in range(ATTEMPTS):
        base = _drawn(format, held, rng)
        classes = [
            _class(format, base, line, columns=columns) for line in patterns.shape_lines(format)
        ]
        if len(used.union(classes)) == len(used) + len(classes):
            used.update(classes)
            return base
    return ()


def _drawn(format: Format, held: Sequence[Sequence[int]], rng: Rng) -> Base:
    pool = len(format.pools[0])
    drawn = []
    for places in held:
        shuffled, by = list(places), rng.randrange(pool)
        rng.shuffle(shuffled)
        drawn.append([(place + by) % pool for place in shuffled[: format.rows]])
    return tuple(zip(*drawn, strict=True))


def _class(format: Format, base: Base, line: patterns.Cells, *, columns: bool) -> Class:
    pool = len(format.pools[0])
    places = [base[row][column] for row, column in sorted(line, key=lambda cell: cell[1])]
    if columns:
        return tuple((place - places[0]) % pool for place in places[1:])
    return ((places[-1] - sum(places[:-1])) % pool,)
