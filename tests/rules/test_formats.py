"""Formats: the four cards as the law draws them."""

from itertools import chain

import pytest

from bingo.rules import formats
from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal


@pytest.mark.rule(14)
def test_ninety_is_three_rows_of_five_in_nine_columns() -> None:
    assert (NINETY.rows, NINETY.columns, NINETY.per_row, NINETY.per_card) == (3, 9, 5, 15)
    assert NINETY.numbers == range(1, 91)
    assert [(pool[0], pool[-1]) for pool in NINETY.pools] == [
        (1, 9),
        (10, 19),
        (20, 29),
        (30, 39),
        (40, 49),
        (50, 59),
        (60, 69),
        (70, 79),
        (80, 90),
    ]


@pytest.mark.rule(14)
def test_column_of_places_every_number_once() -> None:
    assert NINETY.column_of(9) == 0
    assert NINETY.column_of(10) == 1
    assert NINETY.column_of(90) == 8
    held = [sum(number in pool for pool in NINETY.pools) for number in NINETY.numbers]
    assert held == [1] * 90


@pytest.mark.parametrize("number", [0, 91, -1])
def test_column_of_refuses_a_number_outside_the_game(number: int) -> None:
    with pytest.raises(Refusal) as refused:
        NINETY.column_of(number)
    assert refused.value == Refusal("number_out_of_range", number=number, highest=90)


@pytest.mark.rule(63)
@pytest.mark.rule(64)
@pytest.mark.rule(65)
def test_eighty_is_four_by_four_in_columns_of_twenty() -> None:
    assert (EIGHTY.rows, EIGHTY.columns, EIGHTY.per_row, EIGHTY.per_card) == (4, 4, 4, 16)
    assert ends(EIGHTY) == [(1, 20), (21, 40), (41, 60), (61, 80)]
    assert (EIGHTY.free, EIGHTY.letters) == (frozenset(), "")


@pytest.mark.rule(69)
@pytest.mark.rule(70)
@pytest.mark.rule(71)
@pytest.mark.rule(72)
def test_seventy_five_is_five_by_five_under_bingo_with_a_free_centre() -> None:
    assert (SEVENTY_FIVE.rows, SEVENTY_FIVE.columns, SEVENTY_FIVE.per_card) == (5, 5, 24)
    assert ends(SEVENTY_FIVE) == [(1, 15), (16, 30), (31, 45), (46, 60), (61, 75)]
    assert SEVENTY_FIVE.free == {(2, 2)}
    assert SEVENTY_FIVE.letters == "BINGO"
    assert [SEVENTY_FIVE.row_count(row) for row in range(5)] == [5, 5, 4, 5, 5]
    assert [SEVENTY_FIVE.free_in(column) for column in range(5)] == [0, 0, 1, 0, 0]


@pytest.mark.rule(79)
@pytest.mark.rule(81)
@pytest.mark.rule(82)
def test_thirty_is_three_by_three_in_columns_of_ten() -> None:
    assert (THIRTY.rows, THIRTY.columns, THIRTY.per_row, THIRTY.per_card) == (3, 3, 3, 9)
    assert ends(THIRTY) == [(1, 10), (11, 20), (21, 30)]


def ends(format: Format) -> list[tuple[int, int]]:
    """The first and last number of each column."""
    return [(pool[0], pool[-1]) for pool in format.pools]


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_pools_of_a_format_share_its_numbers_out(format: Format) -> None:
    assert len(format.pools) == format.columns
    assert [*chain(*format.pools)] == [*format.numbers]


def test_only_ninety_has_blanks_ascends_and_comes_in_strips() -> None:
    assert [format.highest for format in FORMATS.values() if not format.full] == [90]
    assert [format.highest for format in FORMATS.values() if format.ascending] == [90]
    assert {format.highest: format.strip for format in FORMATS.values()} == {
        90: 6, 80: 1, 75: 1, 30: 1
    }  # fmt: skip
    assert NINETY.strip * NINETY.per_card == 90


@pytest.mark.rule(1)
def test_get_knows_the_four_and_refuses_what_it_does_not_know() -> None:
    assert [formats.get_format(highest) for highest in (90, 80, 75, 30)] == [*FORMATS.values()]
    with pytest.raises(Refusal) as refused:
        formats.get_format(91)
    assert refused.value == Refusal("unknown_format", format=91)
