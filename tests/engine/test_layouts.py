"""Layouts: every legal way to fill a card of 90, and no other."""

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from bingo.engine.lines import HEIGHT, LAYOUT_BITS, choices, layouts, packed
from bingo.rules.formats import NINETY

BOTH = [(1, 2), (1, 3)]


def heights(counts: tuple[int, int]) -> NDArray[np.intp]:
    """How many numbers of each column each layout holds, (layouts, columns)."""
    held: NDArray[np.intp] = choices(NINETY)[layouts(NINETY, counts).rows].sum(axis=1)
    return held


def test_choices_are_all_the_fives_of_nine_columns() -> None:
    held = choices(NINETY)

    assert held.shape == (comb(9, 5), 9)
    assert (held.sum(axis=1) == NINETY.per_row).all()
    assert len({row.tobytes() for row in held}) == len(held)


@pytest.mark.rule(14)
def test_layouts_with_one_or_two_a_column_are_as_many_as_counted() -> None:
    # Rows that leave no column empty, less those with a column of three, by inclusion and
    # exclusion: six columns of two and three of one for each.
    assert len(layouts(NINETY, (1, 2)).rows) == comb(9, 3) * 1710


@pytest.mark.rule("BOE I")
def test_layouts_with_one_to_three_a_column_are_as_many_as_counted() -> None:
    none_empty = sum((-1) ** empty * comb(9, empty) * comb(9 - empty, 5) ** 3 for empty in range(5))

    assert len(layouts(NINETY, (1, 3)).rows) == none_empty == 735_210


@pytest.mark.slow
@pytest.mark.parametrize("counts", BOTH)
def test_layouts_differ_and_keep_to_the_counts(counts: tuple[int, int]) -> None:
    held = heights(counts)

    assert held.min() == counts[0]
    assert held.max() == counts[1]
    assert (held.sum(axis=1) == NINETY.per_card).all()
    assert len({row.tobytes() for row in layouts(NINETY, counts).rows}) == len(held)


@pytest.mark.parametrize("counts", BOTH)
def test_layouts_of_equal_heights_stand_side_by_side(counts: tuple[int, int]) -> None:
    ways = layouts(NINETY, counts)
    codes = packed(heights(counts))

    for code in np.unique(codes):
        first, count = ways.first[code], ways.count[code]
        assert (codes[first : first + count] == code).all()
    assert ways.count.sum() == len(codes)
    assert not ways.count[packed(np.full(9, 3))]


def test_packed_heights_can_be_read_back() -> None:
    held = np.array([[1, 2, 3, 0, 1, 2, 3, 0, 1]])

    code = int(packed(held)[0])

    assert [code >> LAYOUT_BITS * column & HEIGHT for column in range(9)] == held[0].tolist()
