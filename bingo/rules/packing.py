"""Series of a small square card that use up all its lines, where drawing and looking gets stuck.

Number the m numbers of each of the n columns from 0. Moving a card's columns on by shifts whose
last is the sum of the others (mod m) changes every line's numbers, but not its *class*: last
minus the sum of the others. So a card whose lines lie in different classes moves through
m^(n-1) cards without repeating a line, and two cards with no class in common share none. For 30
the five lines of two cards fill the ten classes: 2 x 100 cards, all 1,000 lines. Where columns
may not come twice either, all columns are moved by the same shift: a line's class is what its
numbers differ by, and a column's class is its set up to a shift, used once: 12 cards moved ten
ways. Which number is which is drawn at the end, so any series of this make can come out.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import gcd

from bingo.rules import shapes
from bingo.rules.cards import Card
from bingo.rules.cards import numbers as numbers_of
from bingo.rules.formats import Format
from bingo.rules.strips import Rng

# How often a base card is drawn before all are drawn anew.
ATTEMPTS = 1000

Base = tuple[tuple[int, ...], ...]
Class = tuple[int, ...]


def fits(format: Format) -> bool:
    """Tell whether base cards can use up the lines: square, equal pools that lines divide (30)."""
    pool = len(format.pools[0])
    return (
        format.full
        and not format.free
        and format.rows == format.columns
        and {len(other) for other in format.pools} == {pool}
        and pool % len(shapes.lines(format)) == 0
        and gcd(pool, format.rows) == 1  # else a shift can leave a column's set as it is
    )


def cards(format: Format, *, rng: Rng, columns: bool = False) -> tuple[Card, ...]:
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
    for _ in range(pool // len(shapes.lines(format))):
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
        classes = [_class(format, base, line, columns=columns) for line in shapes.lines(format)]
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


def _class(format: Format, base: Base, line: shapes.Cells, *, columns: bool) -> Class:
    pool = len(format.pools[0])
    places = [base[row][column] for row, column in sorted(line, key=lambda cell: cell[1])]
    if columns:
        return tuple((place - places[0]) % pool for place in places[1:])
    return ((places[-1] - sum(places[:-1])) % pool,)
