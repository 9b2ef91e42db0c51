"""Shapes: which cells a row, a column, a diagonal and the corners are."""

import pytest

from bingo.rules import cards, patterns
from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, THIRTY, Format
from tests.support.shapes import BINGO


@pytest.mark.rule(66)
def test_eighty_has_four_rows_four_columns_and_two_diagonals() -> None:
    assert patterns.shape_rows(EIGHTY)[1] == {(1, 0), (1, 1), (1, 2), (1, 3)}
    assert patterns.columns(EIGHTY)[1] == {(0, 1), (1, 1), (2, 1), (3, 1)}
    falling, rising = patterns.diagonals(EIGHTY)
    assert falling == {(0, 0), (1, 1), (2, 2), (3, 3)}
    assert rising == {(0, 3), (1, 2), (2, 1), (3, 0)}
    assert (len(patterns.shape_rows(EIGHTY)), len(patterns.columns(EIGHTY))) == (4, 4)


@pytest.mark.rule(74)
@pytest.mark.rule(84)
def test_corners_are_the_four_vertices_of_a_square_card() -> None:
    assert patterns.shape_corners(SEVENTY_FIVE) == {(0, 0), (0, 4), (4, 0), (4, 4)}
    assert patterns.shape_corners(THIRTY) == {(0, 0), (0, 2), (2, 0), (2, 2)}
    assert patterns.shape_numbers(BINGO, patterns.shape_corners(SEVENTY_FIVE)) == {1, 61, 5, 65}


@pytest.mark.rule(5)
def test_card_of_ninety_has_rows_but_neither_diagonals_nor_corners() -> None:
    assert (patterns.diagonals(NINETY), patterns.shape_corners(NINETY)) == ((), frozenset())
    assert patterns.shape_lines(NINETY) == patterns.shape_rows(NINETY)


@pytest.mark.rule(72)
def test_free_centre_drops_out_of_what_runs_through_it() -> None:
    falling, rising = patterns.diagonals(SEVENTY_FIVE)

    assert patterns.shape_numbers(BINGO, falling) == {1, 17, 49, 65}
    assert patterns.shape_numbers(BINGO, rising) == {61, 47, 19, 5}
    assert patterns.shape_numbers(BINGO, patterns.shape_rows(SEVENTY_FIVE)[2]) == {3, 18, 48, 63}
    assert patterns.shape_numbers(BINGO, patterns.columns(SEVENTY_FIVE)[2]) == {31, 32, 33, 34}


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_rows_and_columns_are_each_the_whole_card(format: Format) -> None:
    whole = {(row, column) for row in range(format.rows) for column in range(format.columns)}

    assert patterns.whole(format) == whole
    for parts in (patterns.shape_rows(format), patterns.columns(format)):
        assert frozenset().union(*parts) == whole
        assert sum(map(len, parts)) == len(whole)


def test_numbers_of_rows_and_whole_are_those_of_the_card() -> None:
    rows = tuple(patterns.shape_numbers(BINGO, row) for row in patterns.shape_rows(SEVENTY_FIVE))

    assert rows == cards.lines(BINGO)
    assert patterns.shape_numbers(BINGO, patterns.whole(SEVENTY_FIVE)) == cards.numbers(BINGO)
