"""Strips of 90 in loops that Numba turns into machine code: see `bingo.engine.compiled`.

Only loops, integers and arrays. All that makes a strip is in this one file, its constants too,
because Numba's store of machine code sees no change in any other. Arrays are handed on one by one
and never cut: a slice, or an array out of a tuple, would count references within the loops.

The machine code is stored where there is a folder for it.
"""

from collections.abc import Callable
from pickle import UnpicklingError  # nosec B403
from typing import TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

STRIP, ROWS, COLUMNS = 6, 3, 9  # as in NINETY
BITS, HEIGHT = 2, 3  # of a height in packed heights: as in `bingo.engine.lines`
LABEL = 4  # bits of a card's place in a packed column
LANES = 16  # columns are kept sixteen wide, which a processor does at once
MARK = 28  # bits of a key that its mark, the 32 above them, leaves out
LOW = 2**32 - 1
# How often a card's layout is drawn again, and then its strip, before the series is full.
LAYOUTS = 256
ATTEMPTS = 100

DONE, MORE_WORDS, STUCK = 0, 1, 2

Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Layouts = NDArray[np.int32]
Integer = int | np.int64
Function = TypeVar("Function", bound=Callable[..., object])


def part(function: Function) -> Function:
    """Let `emit` take a function's code into its own: a call would hand over every array anew."""
    return cast(Function, numba.njit(inline="always")(function))


@part
def accepted(words: Words, at: int, product: Integer, bound: Integer) -> int:
    """Find the first word from `at` that draws all of `product` ways equally often; -1 for none.

    `bound` is 2^32 mod `product`. A word is multiplied by the ranges of several draws in turn;
    each takes the high half and leaves the low half to the next. Without the words whose last low
    half is under the bound, every outcome comes of as many words.
    """
    while at < len(words):
        if (np.int64(words[at]) * product & LOW) >= bound:
            return at
        at += 1
    return -1


@part
def clear_heights(
    units: Bytes, margin: Integers, slots: Bytes, cards: Integers, columns: Integers
) -> None:
    """Put all heights where they begin, and each card in as many slots as it gets units."""
    share = len(units) // STRIP
    for card in range(STRIP):
        cards[card] = margin[0]
        for unit in range(share):
            slots[card * share + unit] = card
    for column in range(COLUMNS):
        columns[column] = margin[1]


@part
def deal_units(
    word: Integer,
    dealt: int,
    end: int,
    units: Bytes,
    margin: Integers,
    slots: Bytes,
    cards: Integers,
    columns: Integers,
) -> int:
    """Deal the units up to `end` by one word; give where that is, or the first that goes beyond."""
    while dealt < end:
        drawn = word * (len(units) - dealt)
        word = drawn & LOW
        pick = dealt + (drawn >> 32)
        card = slots[pick]
        slots[pick] = slots[dealt]
        column = units[dealt]
        if cards[card] >> BITS * column & HEIGHT == margin[3]:
            return dealt
        cards[card] += margin[2] << BITS * column
        columns[column] += margin[2] << BITS * card
        dealt += 1
    return dealt


@part
def draw_heights(
    words: Words,
    at: int,
    units: Bytes,
    groups: Integers,
    margin: Integers,
    slots: Bytes,
    cards: Integers,
    columns: Integers,
) -> int:
    """Deal the units of the margins to the cards; return the next word's place, or -1.

    Leaves packed heights in `cards`, by column, and in `columns`, by card.
    """
    dealt = 0
    while dealt < len(units):
        clear_heights(units, margin, slots, cards, columns)
        dealt = 0
        for group in range(len(groups)):
            at = accepted(words, at, groups[group, 1], groups[group, 2])
            if at < 0:
                return at
            word = np.int64(words[at])
            at += 1
            end = groups[group, 0]
            dealt = deal_units(word, dealt, end, units, margin, slots, cards, columns)
            if dealt < end:
                break
    return at


@part
def deal_numbers(
    words: Words,
    at: int,
    pools: Integers,
    labels: Integers,
    weights: Integers,
    columns: Integers,
    numbers: Bytes,
    keys: Integers,
) -> int:
    """Deal each column's numbers to the cards, ascending; return the next word's place, or -1.

    A column's cards stand packed in one integer, so that drawing one and closing the gap with the
    last touches no memory. A card's key is the sum of its numbers' weights.
    """
    for card in range(STRIP):
        keys[card] = 0
    for column in range(COLUMNS):
        at = accepted(words, at, pools[column, 2], pools[column, 3])
        if at < 0:
            return at
        word = np.int64(words[at])
        at += 1
        left = labels[columns[column]]
        filled = 0
        end = pools[column, 1]
        for number in range(pools[column, 0], end):
            drawn = word * (end - number)
            word = drawn & LOW
            pick = (drawn >> 32) * LABEL
            card = left >> pick & 15
            last = left >> (end - number - 1) * LABEL & 15
            left ^= (card ^ last) << pick
            numbers[card, filled >> BITS * card & HEIGHT, column] = number
            filled += 1 << BITS * card
            keys[card] += weights[number]
    return at


@part
def draw_layouts(
    words: Words,
    at: int,
    open_cards: Bytes,
    heights: Integers,
    layouts: Layouts,
    rows: Bytes,
    choices: Integers,
) -> int:
    """Draw each open card one of the layouts of its heights; return the next word's place, or -1."""
    for card in range(STRIP):
        if open_cards[card]:
            count = np.int64(layouts[heights[card], 1])
            at = accepted(words, at, count, layouts[heights[card], 2])
            if at < 0:
                return at
            layout = layouts[heights[card], 0] + (words[at] * count >> 32)
            at += 1
            for row in range(ROWS):
                choices[card, row] = rows[layout, row]
    return at


@part
def set_rows(
    open_cards: Bytes, choices: Integers, marks: Bytes, numbers: Bytes, placed: Bytes
) -> None:
    """Set each open card's numbers in the columns that its rows have chosen."""
    for card in range(STRIP):
        if not open_cards[card]:
            continue
        top = choices[card, 0]
        middle = choices[card, 1]
        bottom = choices[card, 2]
        for lane in range(LANES):
            one = marks[top, lane]
            two = marks[middle, lane]
            three = marks[bottom, lane]
            first = numbers[card, 0, lane]
            second = numbers[card, 1, lane]
            third = numbers[card, 2, lane]
            placed[card, 0, lane] = first & one
            placed[card, 1, lane] = (second & one | first & ~one) & two
            placed[card, 2, lane] = (
                third & one & two | second & (one ^ two) | first & ~(one | two)
            ) & three


@part
def rank_lines(
    open_cards: Bytes, choices: Integers, ranks: Integers, placed: Bytes, lines: Integers
) -> None:
    """Find the place of each open card's lines among all lines."""
    for card in range(STRIP):
        if not open_cards[card]:
            continue
        for row in range(ROWS):
            choice = choices[card, row]
            line = ranks[choice, COLUMNS]
            for column in range(COLUMNS):
                line += ranks[choice, column] * placed[card, row, column]
            lines[card, row] = line


@part
def close_cards(wanted: int, lines: Integers, seen: Bytes, open_cards: Bytes) -> int:
    """Leave those cards open of which a line is held, and count them.

    A loop that does nothing else waits for the memory of all lines at once.
    """
    left = 0
    for card in range(wanted):
        held = 0
        for row in range(ROWS):
            held |= seen[lines[card, row] >> 3] >> (lines[card, row] & 7)
        open_cards[card] = held & 1
        left += held & 1
    return left


@part
def find(table: Words, key: int) -> int:
    """Return the place in the open-addressed table where the mark of `key` stands, or would.

    Equal keys meet at the same mark. Others may too, once in billions, and are drawn again.
    """
    last = len(table) - 1
    at = key & last
    while table[at] != 0 and table[at] != key >> MARK:
        at = at + 1 & last
    return at


@part
def are_new(wanted: int, keys: Integers, table: Words) -> bool:
    """Return whether no card's key is held already."""
    # First the keys' own places together, which for most strips is enough.
    held = False
    for card in range(wanted):
        held |= table[keys[card] & len(table) - 1] != 0
    if held:
        held = False
        for card in range(wanted):
            held |= table[find(table, keys[card])] != 0
    return not held


@part
def write_strip(
    cards: Bytes,
    first: int,
    wanted: int,
    placed: Bytes,
    lines: Integers,
    seen: Bytes,
    keys: Integers,
    table: Words,
) -> None:
    """Write the strip's cards from place `first` on, and mark their lines and keys."""
    for card in range(wanted):
        for row in range(ROWS):
            for column in range(COLUMNS):
                cards[first + card, row, column] = placed[card, row, column]
            line = lines[card, row]
            seen[line >> 3] |= 1 << (line & 7)
        table[find(table, keys[card])] = keys[card] >> MARK


def emit(
    cards: Bytes,
    progress: Integers,
    words: Words,
    seen: Bytes,
    table: Words,
    units: Bytes,
    groups: Integers,
    margin: Integers,
    pools: Integers,
    labels: Integers,
    layouts: Layouts,
    rows: Bytes,
    marks: Bytes,
    ranks: Integers,
    weights: Integers,
) -> int:
    """Fill `cards` (cards, rows, columns) with strips until DONE, MORE_WORDS or STUCK.

    `progress` holds cards made, words used and attempts at the present strip; `seen` has a bit
    for each line; `table` holds the keys of the cards; the rest is `compiled.Tables`. After
    MORE_WORDS it is called again with the unused words and more behind them; in pieces of any
    size they make the same cards. A strip's cards share no number, so no line among themselves.
    """
    slots = np.empty(len(units), np.uint8)
    heights = np.empty(STRIP, np.int64)
    columns = np.empty(COLUMNS, np.int64)
    numbers = np.zeros((STRIP, ROWS, LANES), np.uint8)
    open_cards = np.empty(STRIP, np.uint8)
    choices = np.zeros((STRIP, ROWS), np.int64)
    placed = np.zeros((STRIP, ROWS, LANES), np.uint8)
    lines = np.empty((STRIP, ROWS), np.int64)
    keys = np.empty(STRIP, np.int64)
    while progress[0] < len(cards):
        if progress[2] == ATTEMPTS:
            return STUCK
        wanted = min(STRIP, len(cards) - progress[0])
        at = draw_heights(words, progress[1], units, groups, margin, slots, heights, columns)
        if at >= 0:
            at = deal_numbers(words, at, pools, labels, weights, columns, numbers, keys)
        for card in range(STRIP):
            open_cards[card] = 1
        left = wanted
        tries = 0
        while at >= 0 and left > 0 and tries < LAYOUTS:
            at = draw_layouts(words, at, open_cards, heights, layouts, rows, choices)
            set_rows(open_cards, choices, marks, numbers, placed)
            rank_lines(open_cards, choices, ranks, placed, lines)
            left = close_cards(wanted, lines, seen, open_cards)
            tries += 1
        if at < 0:
            return MORE_WORDS
        progress[1] = at
        progress[2] += 1
        if left == 0 and are_new(wanted, keys, table):
            write_strip(cards, progress[0], wanted, placed, lines, seen, keys, table)
            progress[0] += wanted
            progress[2] = 0
    return DONE


# Only its error: the store that raises it is Numba's.


R = TypeVar("R")


def compiled(function: Callable[..., R], *example: object) -> Callable[..., R]:
    """Load or compile a function for arguments such as `example`, on which it is run once.

    Without the store where neither the program's folder nor the user's can be written, where the
    disk is full, and where a loss of power has left half of what was stored.
    """
    try:
        kept: Callable[..., R] = numba.njit(cache=True, nogil=True)(function)
        kept(*example)
    except (RuntimeError, OSError, EOFError, UnpicklingError):
        fresh: Callable[..., R] = numba.njit(nogil=True)(function)
        return fresh
    return kept
