"""Draw strips of cards of three rows with blanks, many at once: the twin of `bingo.rules.strips`.

First it is drawn how many numbers of each column each card of a strip holds (`Margins`); columns
whose pools are equally long are shuffled in one go. Random orders are made by drawing and sorting
keys, all orders in step. `gather` puts a series together out of batches, each tested against all
before.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bingo.engine import lines
from bingo.engine.lines import Register, choices, keys, layouts, packed, repeated_keys
from bingo.engine.random_bytes import ByteSource, below, halves
from bingo.rules.formats import Format
from bingo.rules.refusal import Refusal


@dataclass(frozen=True, slots=True, eq=False)
class Margins:
    """Heights begin at `start`; each of `units`, a column each, is dealt to a card and adds `step`.

    Every card gets as many units; a deal that takes a height beyond `last` is thrown away. Of
    least and most the one that needs fewer units is the start, so that few deals are.
    """

    units: NDArray[np.uint8]
    start: int
    step: int
    last: int


def margins(format: Format, counts: tuple[int, int]) -> Margins:
    """Return the margins of a strip with least to most numbers a column.

    One or two a column: 18 columns with one number less than two; with none twice on a card, all
    such strips are equally likely. One to three: 36 numbers above one.
    """
    least, most = counts
    above = [len(pool) - least * format.strip for pool in format.pools]
    below = [most * format.strip - len(pool) for pool in format.pools]
    columns = np.arange(format.columns, dtype=np.uint8)
    if sum(above) < sum(below):
        return Margins(np.repeat(columns, above), start=least, step=1, last=most)
    return Margins(np.repeat(columns, below), start=most, step=-1, last=least)


@cache
def alike(format: Format) -> tuple[tuple[list[int], NDArray[np.uint8]], ...]:
    """Return for each length the columns and their numbers, (numbers, columns)."""
    columns = defaultdict(list)
    for column, pool in enumerate(format.pools):
        columns[len(pool)].append(column)
    return tuple(
        (held, np.array([format.pools[column] for column in held], dtype=np.uint8).T)
        for held in columns.values()
    )


def orders(source: ByteSource, size: int, count: int) -> NDArray[np.uint8]:
    """Draw `count` orders of 0 to `size` - 1, at most 32, all equally likely: (size, count)."""
    places = np.arange(size, dtype=np.uint8)
    return shuffled(source, np.repeat(places[:, np.newaxis], count, axis=1))


def shuffled(source: ByteSource, labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put each column of `labels` (size, columns), all below 32, in random order.

    Every label is drawn a key of 16 bits less its own and they are sorted by keys; a column with
    two equal keys is drawn again, so that all its orders are equally likely.
    """
    bits = int(labels.max(initial=1)).bit_length()
    low = np.uint16(2**bits - 1)
    keys = halves(source, labels.size).reshape(labels.shape) & ~low
    keys = _sorted(keys | labels)
    drawn = (keys & low).astype(np.uint8)
    keys >>= np.uint16(bits)
    again = np.flatnonzero((keys[1:] == keys[:-1]).any(axis=0))
    if len(again):
        drawn[:, again] = shuffled(source, labels[:, again])
    return drawn


def _sorted(keys: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Sort each column: a network compares whole rows, which is faster than column by column."""
    rows = list(keys)
    spare = np.empty_like(rows[0])
    for upper, lower in network(len(rows)):
        np.minimum(rows[upper], rows[lower], out=spare)
        np.maximum(rows[upper], rows[lower], out=rows[lower])
        rows[upper], spare = spare, rows[upper]
    return np.stack(rows)


@cache
def network(size: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of places that sort any `size` values when compared and swapped in turn."""
    return tuple(_merges(size))


def _merges(size: int) -> Iterator[tuple[int, int]]:
    """Batcher's odd-even merge sort."""
    block = 1
    while block < size:
        step = block
        while step:
            for first in range(step % block, size - step, 2 * step):
                for at in range(first, min(first + step, size - step)):
                    if at // (2 * block) == (at + step) // (2 * block):
                        yield at, at + step
            step //= 2
        block *= 2


BATCH = 4096  # strips made at once: what the processor's cache holds
CAUTION = 0.9  # of the last batch's yield is counted upon in the next

Cards = NDArray[np.uint8]


def gather(size: int, *, strip: int, attempts: int, draw: Callable[[int], Cards]) -> Cards:
    """Gather `size` cards, no two of equal numbers, in strips of `strip` cards; the last is cut.

    `draw` tries as many strips as it is told and gives those, (cards, rows, columns), that repeat
    no line of any it gave before. Refusal series_too_large with bound "attempts" when that is
    fewer than one in so many.
    """
    parts: list[Cards] = []
    found = tried = 0
    yielded = 1.0
    while found < size:
        count = min(math.ceil((size - found) / strip / yielded), BATCH)
        part = draw(count)
        parts.append(part)
        found += len(part)
        gained = len(part) // strip
        yielded = CAUTION * max(gained, 1) / count
        tried = 0 if gained * attempts >= tried + count else tried + count
        if found < size and tried >= attempts:
            raise Refusal("series_too_large", size=size, limit=found, bound="attempts")
        if found >= size:
            parts = [_unlike(np.concatenate(parts), strip)]
            found = len(parts[0])
    return parts[0][:size]


def _unlike(cards: Cards, strip: int) -> Cards:
    """Leave out the strips of cards whose numbers an earlier one has."""
    repeated = repeated_keys(keys(cards))
    if not len(repeated):
        return cards
    kept = np.ones(len(cards) // strip, dtype=np.bool_)
    kept[repeated // strip] = False
    return cards[np.repeat(kept, strip)]


FIELD = 3  # bits in which the units of a column on a card are counted
# How often a card's layout is drawn again, and then its strip, before the series is full.
LAYOUTS = 64
ATTEMPTS = 100

Bytes = NDArray[np.uint8]
# A card's lowest, second and last number of each column, (cards, columns).
Held = tuple[Bytes, Bytes, Bytes]


def emit(size: int, *, format: Format, counts: tuple[int, int], source: ByteSource) -> Cards:
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


def _heights(count: int, format: Format, dealt: Margins, source: ByteSource) -> Bytes:
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


def _numbers(heights: Bytes, format: Format, source: ByteSource) -> Held:
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
    source: ByteSource,
) -> Cards:
    """Draw layouts until all lines are new; return the strips for all of whose cards some were."""
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
    source: ByteSource,
) -> tuple[Cards, NDArray[np.int64]]:
    """Draw each card one of the layouts of its heights; return the cards and their lines' places."""
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
