"""Draw a series of any size at speed: the NumPy twin of `bingo.rules.series`.

Cards without blanks (80 and 75) are drawn here, many at once.
"""

from importlib import import_module
from itertools import combinations
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from bingo.engine import strips
from bingo.engine.lines import Register, all_lines
from bingo.engine.random_bytes import ByteSource, PlainRandom
from bingo.engine.strips import Cards, alike, gather, orders
from bingo.rules import strips as rules_strips
from bingo.rules.formats import NINETY, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series import require

# How many cards may repeat a line for one that does not, before the series is full.
ATTEMPTS = 20_000

Bytes = NDArray[np.uint8]


def emit_squares(size: int, *, format: Format, source: ByteSource) -> Cards:
    """Draw `size` cards, (size, rows, columns), no card and no row or diagonal twice.

    Refusal series_too_large with bound "attempts".
    """
    register = Register(all_lines(format).ranks.total)

    def draw(count: int) -> Cards:
        cards = _set(_drawn(count, format, source), format)
        return cards[register.take(all_lines(format).places(cards))]

    return gather(size, strip=1, attempts=ATTEMPTS, draw=draw)


def emit_by_columns(size: int, *, format: Format, source: ByteSource) -> Cards:
    """Draw `size` cards of which no two have a column in common either, nor then all numbers.

    Each column's possible sets are shared out among the cards, and only their order is drawn
    again. Refusal series_too_large with bound "attempts".
    """
    register = Register(all_lines(format).ranks.total)
    decks = [_deck(format, at, source)[:size] for at in range(format.columns)]
    cards = np.zeros((size, format.rows, format.columns), dtype=np.uint8)
    left = np.arange(size)
    for _try in range(ATTEMPTS):
        cards[left] = _set([_reordered(deck[left], source) for deck in decks], format)
        left = left[~register.take(all_lines(format).places(cards[left]))]
        if not len(left):
            return cards
    raise Refusal("series_too_large", size=size, limit=size - len(left), bound="attempts")


def _drawn(count: int, format: Format, source: ByteSource) -> list[Bytes]:
    """Draw the numbers of `count` cards, a column's (count, numbers)."""
    drawn = [np.zeros((0, 0), dtype=np.uint8)] * format.columns
    for columns, pools in alike(format):
        places = orders(source, len(pools), count * len(columns)).reshape(len(pools), count, -1)
        for at, column in enumerate(columns):
            drawn[column] = pools[places[: _height(format, column), :, at].T, at]
    return drawn


def _height(format: Format, column: int) -> int:
    return format.rows - format.free_in(column)


def _deck(format: Format, column: int, source: ByteSource) -> Bytes:
    """Put all sets of numbers that a column can hold in random order, (sets, numbers)."""
    deck = [*combinations(format.pools[column], _height(format, column))]
    PlainRandom(source).shuffle(deck)
    return np.array(deck, dtype=np.uint8)


def _reordered(sets: Bytes, source: ByteSource) -> Bytes:
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


# From here on machine code saves more time than it takes to load.
COMPILED_FROM = 1_000_000


def emit(
    size: int,
    *,
    format: Format,
    rulebook: Rulebook,
    source: ByteSource,
    columns: bool = False,
    compiled: bool | None = None,
) -> NDArray[np.uint8]:
    """Draw a series of `size` cards: no card and no line, row or diagonal, twice as a set (R14).

    Gives (size, rows, columns), 0 for a blank and a free cell. With `columns` no column twice
    either. 90 comes in strips of six that hold 1 to 90 once. `compiled` says whether machine code
    makes the strips: None leaves it to size and to what is installed; True raises ImportError
    without Numba. A seeded source gives the same series again only with the same `size` and the
    same choice. Refusals: those of `series.require`; series_too_large with bound "attempts" and
    how many were found as `limit`.
    """
    require(size, format=format, rulebook=rulebook, columns=columns)
    if rules_strips.fits(format):
        return _packed(size, format, source, columns=columns)
    if columns:
        return emit_by_columns(size, format=format, source=source)
    if format.full:
        return emit_squares(size, format=format, source=source)
    counts = rulebook.column_count(format)
    machine = _machine(size, compiled) if format == NINETY else None
    if machine is None:
        return strips.emit(size, format=format, counts=counts, source=source)
    cards: NDArray[np.uint8] = machine.emit(size, counts=counts, source=source)
    return cards


def _packed(size: int, format: Format, source: ByteSource, *, columns: bool) -> NDArray[np.uint8]:
    cards = rules_strips.packing_cards(format, rng=PlainRandom(source), columns=columns)
    return np.array(cards[:size], dtype=np.uint8)


def _machine(size: int, wish: bool | None) -> ModuleType | None:
    """Load `bingo.engine.compiled` where it is wished for, or worth while and to be had."""
    if wish is False or (wish is None and size < COMPILED_FROM):
        return None
    try:
        return import_module("bingo.engine.compiled")
    except ImportError:
        if wish:
            raise
        return None
