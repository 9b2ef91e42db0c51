"""Emit strips of 90 by machine code: the kernel's tables, how it is called, and its refusal."""

from collections.abc import Callable
from functools import cache
from math import factorial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bingo.engine import kernel, lines
from bingo.engine.kernel import COLUMNS, LABEL, LANES, STRIP
from bingo.engine.lines import HEIGHT, LAYOUT_BITS, choices, layouts, weights
from bingo.engine.random_bytes import WORD, ByteSource, words
from bingo.engine.strips import margins
from bingo.rules.formats import NINETY
from bingo.rules.refusal import Refusal

Number = TypeVar("Number", bound=np.generic)
Bytes = NDArray[np.uint8]
FEWEST, MOST = 2**9, 2**15  # words asked for at once; more would not stay in the processor's cache
STRIP_WORDS = 24  # what a strip takes, a little more or less


class Tables(NamedTuple):
    """What the kernel looks up.

    `units` of the margins, and `groups` (words, 3) how they are drawn; `margin` their start by
    card and by column, step and last. `pools` (columns, 4): first number, end, orders, 2^32 mod
    orders. `labels`, by packed heights of a column's cards, each card's place as often as it has
    numbers. `layouts` (packed heights, 3): first, count, 2^32 mod count; their `rows`. By choice
    of columns, `marks` (choices, lanes) and `ranks` (choices, columns and offset). By number,
    `weights` of the keys.
    """

    units: Bytes
    groups: NDArray[np.int64]
    margin: NDArray[np.int64]
    pools: NDArray[np.int64]
    labels: NDArray[np.int64]
    layouts: NDArray[np.int32]
    rows: Bytes
    marks: Bytes
    ranks: NDArray[np.int64]
    weights: NDArray[np.int64]


def emit(size: int, *, counts: tuple[int, int], source: ByteSource) -> Bytes:
    """Draw `size` cards of 90 in strips, (size, rows, columns), least to most numbers a column.

    Refusal series_too_large with bound "attempts".
    """
    run = machine_code()
    cards, progress, drawn, seen, table = work(size)
    end = kernel.MORE_WORDS
    while end == kernel.MORE_WORDS:
        wanted = (size - int(progress[0])) // STRIP * STRIP_WORDS
        fresh = words(source, min(max(wanted, FEWEST), MOST))
        drawn = np.concatenate([drawn[progress[1] :], fresh])
        progress[1] = 0
        end = run(cards, progress, drawn, seen, table, *tables(counts))
    if end == kernel.STUCK:
        raise Refusal("series_too_large", size=size, limit=int(progress[0]), bound="attempts")
    return cards


@cache
def machine_code() -> Callable[..., int]:
    """Load or compile the kernel."""
    return kernel.compiled(kernel.emit, *work(0), *tables((1, 2)))


def work(
    size: int,
) -> tuple[Bytes, NDArray[np.int64], NDArray[np.uint32], Bytes, NDArray[np.uint32]]:
    """Return what the kernel works on: cards, progress, no words yet, no line seen, no key held."""
    return (
        np.empty((size, NINETY.rows, NINETY.columns), dtype=np.uint8),
        np.zeros(3, dtype=np.int64),
        np.zeros(0, dtype=np.uint32),
        np.zeros(lines.rows(NINETY).total // 8 + 1, dtype=np.uint8),
        np.zeros(2 ** (3 * size).bit_length(), dtype=np.uint32),
    )


@cache
def tables(counts: tuple[int, int]) -> Tables:
    """Make what the kernel looks up, for least to most numbers a column."""
    dealt = margins(NINETY, counts)
    ways = layouts(NINETY, counts)
    ranked = lines.rows(NINETY)
    starts = [
        sum(dealt.start << LAYOUT_BITS * column for column in range(COLUMNS)),
        sum(dealt.start << LAYOUT_BITS * card for card in range(STRIP)),
    ]
    bound = (WORD % np.maximum(ways.count, 1).astype(np.int64)).astype(np.int32)
    pools = [(pool.start, pool.stop, factorial(len(pool))) for pool in NINETY.pools]
    return Tables(
        units=dealt.units,
        groups=groups(len(dealt.units)),
        margin=np.array([*starts, dealt.step, dealt.last]),
        pools=np.array([(*pool, WORD % pool[2]) for pool in pools]),
        labels=labels(),
        layouts=np.stack([ways.first, ways.count, bound], axis=1),
        rows=ways.rows,
        marks=_widened(choices(NINETY) * np.uint8(255)),
        ranks=np.column_stack([ranked.strides.astype(np.int64), ranked.offsets]),
        weights=weights(),
    )


def groups(units: int) -> NDArray[np.int64]:
    """Share the draws of `units` units out over words: where each ends, its ways, 2^32 mod them.

    A word serves while the ways stay under 2^28, so that few words are thrown away.
    """
    ends, ways = [0], [1]
    for left in range(units, 0, -1):
        if ways[-1] * left > 2**28:
            ends.append(ends[-1])
            ways.append(1)
        ends[-1] += 1
        ways[-1] *= left
    return np.array([(end, way, WORD % way) for end, way in zip(ends, ways, strict=True)])


def labels() -> NDArray[np.int64]:
    """Return for packed heights of a column's cards each card's place as often as it has numbers."""
    packed = np.zeros((HEIGHT + 1) ** STRIP, dtype=np.int64)
    for heights in range(len(packed)):
        held = [
            card for card in range(STRIP) for _ in range(heights >> LAYOUT_BITS * card & HEIGHT)
        ]
        if len(held) <= max(map(len, NINETY.pools)):
            packed[heights] = sum(card << LABEL * at for at, card in enumerate(held))
    return packed


def _widened(table: NDArray[Number]) -> NDArray[Number]:
    wide = np.zeros((len(table), LANES), dtype=table.dtype)
    wide[:, :COLUMNS] = table
    return wide
