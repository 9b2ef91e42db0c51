"""Random orders, many at once: keys are drawn and sorted, all orders in step."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bingo.engine.randomness import Source, halves


def orders(source: Source, size: int, count: int) -> NDArray[np.uint8]:
    """Draw `count` orders of 0 to `size` - 1, at most 32, all equally likely: (size, count)."""
    places = np.arange(size, dtype=np.uint8)
    return shuffled(source, np.repeat(places[:, np.newaxis], count, axis=1))


def shuffled(source: Source, labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
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
    """Give the pairs of places that sort any `size` values when compared and swapped in turn."""
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
