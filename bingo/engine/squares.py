"""Cards without blanks, many at once: 80 and 75."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bingo.engine.gathering import Cards, gather
from bingo.engine.lines import lines
from bingo.engine.orders import orders
from bingo.engine.pools import alike
from bingo.engine.randomness import Rng, Source
from bingo.engine.register import Register
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal

# How many cards may repeat a line for one that does not, before the series is full.
ATTEMPTS = 20_000

Bytes = NDArray[np.uint8]


def emit(size: int, *, format: Format, source: Source) -> Cards:
    """Draw `size` cards, (size, rows, columns), no card and no row or diagonal twice.

    Refusal series_too_large with bound "attempts".
    """
    register = Register(lines(format).ranks.total)

    def draw(count: int) -> Cards:
        cards = _set(_drawn(count, format, source), format)
        return cards[register.take(lines(format).places(cards))]

    return gather(size, strip=1, attempts=ATTEMPTS, draw=draw)


def emit_by_columns(size: int, *, format: Format, source: Source) -> Cards:
    """Draw `size` cards of which no two have a column in common either, nor then all numbers.

    Each column's possible sets are shared out among the cards, and only their order is drawn
    again. Refusal series_too_large with bound "attempts".
    """
    register = Register(lines(format).ranks.total)
    decks = [_deck(format, at, source)[:size] for at in range(format.columns)]
    cards = np.zeros((size, format.rows, format.columns), dtype=np.uint8)
    left = np.arange(size)
    for _try in range(ATTEMPTS):
        cards[left] = _set([_reordered(deck[left], source) for deck in decks], format)
        left = left[~register.take(lines(format).places(cards[left]))]
        if not len(left):
            return cards
    raise Refusal("series_too_large", size=size, limit=size - len(left), bound="attempts")


def _drawn(count: int, format: Format, source: Source) -> list[Bytes]:
    """Draw the numbers of `count` cards, a column's (count, numbers)."""
    drawn = [np.zeros((0, 0), dtype=np.uint8)] * format.columns
    for columns, pools in alike(format):
        places = orders(source, len(pools), count * len(columns)).reshape(len(pools), count, -1)
        for at, column in enumerate(columns):
            drawn[column] = pools[places[: _height(format, column), :, at].T, at]
    return drawn


def _height(format: Format, column: int) -> int:
    return format.rows - format.free_in(column)


def _deck(format: Format, column: int, source: Source) -> Bytes:
    """Put all sets of numbers that a column can hold in random order, (sets, numbers)."""
    deck = [*combinations(format.pools[column], _height(format, column))]
    Rng(source).shuffle(deck)
    return np.array(deck, dtype=np.uint8)


def _reordered(sets: Bytes, source: Source) -> Bytes:
    """Put the numbers of each set, (sets, numbers), in random order."""
    places = orders(source, sets.shape[1], len(sets)).T
    return np.take_along_axis(sets, places.astype(np.intp), axis=1)


def _set(columns: list[Bytes], format: Format) -> Cards:
    """Set each column's numbers, in their order, from the top; a free cell takes none."""
    cards = np.zeros((len(columns[0]), format.rows, format.columns), dtype=np.uint8)
    for column, numbers in enumerate(columns):
        rows = [row for row in range(format.rows) if (row, column) not in format.free]
        cards[:, rows, column] = numbers
    return cards
