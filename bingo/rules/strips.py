"""A strip: cards that together hold every number of the game once, or one card, drawn at random."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

from bingo.rules.cards import Card
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal

# A column-by-column draw seldom gets stuck; one that is stuck this often has no solution.
ATTEMPTS = 1000

Matrix = tuple[tuple[int, ...], ...]


class Rng(Protocol):
    """The part of `random.Random` that drawing needs; `SystemRandom` in life."""

    def randrange(self, start: int, /) -> int:
        """Give one of 0 to `start` - 1."""

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
