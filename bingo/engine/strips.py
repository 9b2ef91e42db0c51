"""Strips of a card of three rows with blanks, many at once: the twin of `bingo.rules.strips`."""

import numpy as np
from numpy.typing import NDArray

from bingo.engine import lines
from bingo.engine.gathering import Cards, gather
from bingo.engine.layouts import choices, layouts, packed
from bingo.engine.margins import Margins, margins
from bingo.engine.orders import shuffled
from bingo.engine.pools import alike
from bingo.engine.randomness import Source, below
from bingo.engine.register import Register
from bingo.rules.formats import Format

FIELD = 3  # bits in which the units of a column on a card are counted
# How often a card's layout is drawn again, and then its strip, before the series is full.
LAYOUTS = 64
ATTEMPTS = 100

Bytes = NDArray[np.uint8]
# A card's lowest, second and last number of each column, (cards, columns).
Held = tuple[Bytes, Bytes, Bytes]


def emit(size: int, *, format: Format, counts: tuple[int, int], source: Source) -> Cards:
    """Draw `size` cards in strips, (size, rows, columns), with least to most numbers a column.

    Refusal series_too_large with bound "attempts".
    """
    register = Register(lines.rows(format).total)
    dealt = margins(format, counts)

    def draw(count: int) -> Cards:
        heights = _heights(count, format, dealt, source)
        held = _numbers(heights, format, source)
        codes = packed(heights.transpose(2, 1, 0)).ravel()
        return _laid_out(held, codes, format, counts, register, source)

    return gather(size, strip=format.strip, attempts=ATTEMPTS, draw=draw)


def _heights(count: int, format: Format, dealt: Margins, source: Source) -> Bytes:
    """Deal the units of the margins to the cards of `count` strips; leave out what goes beyond.

    Gives how many numbers of each column each card holds, (columns, cards of a strip, strips).
    """
    fields = FIELD * np.arange(format.columns)
    ones = int((1 << fields).sum())
    # A field that goes beyond reaches its highest bit.
    spare = ones * (2 ** (FIELD - 1) - 1 - abs(dealt.last - dealt.start))
    found = np.zeros((format.strip, 0), dtype=np.int32)
    while found.shape[1] < count:
        tries = (count - found.shape[1]) * 7 // 2 + 16
        units = shuffled(source, np.repeat(dealt.units[:, np.newaxis], tries, axis=1))
        bits = np.left_shift(np.int32(1), FIELD * units, dtype=np.int32)
        cards = bits.reshape(format.strip, -1, tries).sum(axis=1, dtype=np.int32)
        beyond = (cards + spare & ones << FIELD - 1).any(axis=0)
        found = np.concatenate([found, cards[:, ~beyond]], axis=1)
    dealt_units = found[:, :count] >> fields[:, np.newaxis, np.newaxis] & 2**FIELD - 1
    heights: Bytes = (dealt.start + dealt.step * dealt_units).astype(np.uint8)
    return heights


def _numbers(heights: Bytes, format: Format, source: Source) -> Held:
    """Deal each column's numbers to the cards."""
    lowest, second, last = (np.empty(heights.shape, dtype=np.uint8) for _place in range(3))
    for columns, pools in alike(format):
        owners = _owners(heights[columns], len(pools))
        owners = shuffled(source, owners.reshape(len(pools), -1)).reshape(owners.shape)
        numbers = pools[:, :, np.newaxis]
        for card in range(format.strip):
            others = (owners != card) * np.uint8(255)
            own = numbers & ~others
            low = (numbers | others).min(axis=0)
            high = own.max(axis=0)
            # Of three numbers the two ends fall out, of two both, of one neither.
            middle = np.bitwise_xor.reduce(own, axis=0) ^ low ^ high
            lowest[columns, card] = low
            last[columns, card] = high
            second[columns, card] = np.where(middle, middle, high)
    return _by_card(lowest), _by_card(second), _by_card(last)


def _owners(heights: Bytes, numbers: int) -> Bytes:
    """Name the cards of each strip as often as their heights say, (numbers, columns, strips)."""
    ends = np.cumsum(heights, axis=1, dtype=np.uint8)
    places = np.arange(numbers, dtype=np.uint8)[:, np.newaxis, np.newaxis]
    owners = np.zeros((numbers, len(heights), heights.shape[2]), dtype=np.uint8)
    for card in range(heights.shape[1] - 1):
        owners += ends[:, card] <= places
    return owners


def _by_card(held: Bytes) -> Bytes:
    """Turn (columns, cards of a strip, strips) into (cards, columns), strip after strip."""
    return np.ascontiguousarray(held.transpose(2, 1, 0)).reshape(-1, len(held))


def _laid_out(
    held: Held,
    heights: NDArray[np.int32],
    format: Format,
    counts: tuple[int, int],
    register: Register,
    source: Source,
) -> Cards:
    """Draw layouts until all lines are new; give the strips for all of whose cards some were."""
    cards, taken = _drawn_out(held, heights, format, counts, source)
    left = np.flatnonzero(~register.take(taken))
    for _again in range(LAYOUTS):
        if not len(left):
            break
        some = (held[0][left], held[1][left], held[2][left])
        cards[left], taken[left] = _drawn_out(some, heights[left], format, counts, source)
        left = left[~register.take(taken[left])]
    return _whole_strips(cards, taken, left, format.strip, register)


def _drawn_out(
    held: Held,
    heights: NDArray[np.int32],
    format: Format,
    counts: tuple[int, int],
    source: Source,
) -> tuple[Cards, NDArray[np.int64]]:
    """Draw each card one of the layouts of its heights; give the cards and their lines' places."""
    ways = layouts(format, counts)
    rows = ways.rows[ways.first[heights] + below(source, ways.count[heights])]
    cards = _placed(held, rows, format)
    return cards, lines.rows(format).places(cards, rows)


def _placed(held: Held, rows: Bytes, format: Format) -> Cards:
    """Set the cards' numbers in the columns that their rows have chosen."""
    marks = choices(format) * np.uint8(255)
    top, middle, bottom = (marks[rows[:, row]] for row in range(format.rows))
    lowest, second, last = held
    cards = np.empty((len(rows), format.rows, format.columns), dtype=np.uint8)
    cards[:, 0] = lowest & top
    cards[:, 1] = (second & top | lowest & ~top) & middle
    cards[:, 2] = (
        last & top & middle | second & (top ^ middle) | lowest & ~(top | middle)
    ) & bottom
    return cards


def _whole_strips(
    cards: Cards,
    lines: NDArray[np.int64],
    left: NDArray[np.intp],
    strip: int,
    register: Register,
) -> Cards:
    """Leave out the strips of the cards that are `left`, and give their other cards' lines back."""
    if not len(left):
        return cards
    placed = np.ones(len(cards), dtype=np.bool_)
    placed[left] = False
    whole = np.repeat(placed.reshape(-1, strip).all(axis=1), strip)
    register.free(lines[placed & ~whole])
    return cards[whole]
