"""Combinations: which cells win what in each format, and which a format does not have."""

from typing import Any

import pytest

from bingo.rules import patterns
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, THIRTY
from bingo.rules.patterns import COLUMNS, DIAGONALS, ROWS
from bingo.rules.refusal import Refusal
from tests.support.shapes import BINGO as CARD_OF_75


@pytest.mark.rule(5)
def test_line_of_ninety_is_one_of_three_rows() -> None:
    found = patterns.combination_line(NINETY)
    assert (found.name, len(found.ways)) == ("line", 3)
    assert found.ways[1] == {(1, column) for column in range(9)}


@pytest.mark.rule(66)
@pytest.mark.rule(67)
@pytest.mark.parametrize(
    ("counts", "ways"),
    [
        ([ROWS], 4),
        ([DIAGONALS], 2),
        ([COLUMNS], 4),
        ([DIAGONALS, ROWS], 6),
        ([ROWS, COLUMNS, DIAGONALS], 10),
    ],
)
def test_line_of_eighty_is_what_the_game_says(counts: list[str], ways: int) -> None:
    assert len(patterns.combination_line(EIGHTY, counts).ways) == ways


@pytest.mark.rule(74)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
def test_lines_of_seventy_five_and_thirty() -> None:
    assert len(patterns.combination_line(SEVENTY_FIVE, patterns.LINES).ways) == 12
    assert len(patterns.combination_line(THIRTY, patterns.LINES).ways) == 8


def test_lines_are_told_in_one_order_however_they_are_asked_for() -> None:
    assert patterns.combination_line(EIGHTY, [COLUMNS, ROWS]) == patterns.combination_line(
        EIGHTY, [ROWS, COLUMNS]
    )


@pytest.mark.parametrize(
    ("format", "counts", "refusal"),
    [
        (NINETY, [COLUMNS], Refusal("line_not_in_format", line="columns", format=90)),
        (NINETY, [ROWS, DIAGONALS], Refusal("line_not_in_format", line="diagonals", format=90)),
        (EIGHTY, [], Refusal("line_missing")),
        (EIGHTY, [ROWS, ROWS], Refusal("line_repeated", line="rows")),
        (EIGHTY, ["rings"], Refusal("unknown_line", line="rings")),
    ],
)
def test_line_that_a_format_does_not_have_is_refused(
    format: Any, counts: list[str], refusal: Refusal
) -> None:
    with pytest.raises(Refusal) as refused:
        patterns.combination_line(format, counts)
    assert refused.value == refusal


@pytest.mark.rule(84)
def test_thirty_may_have_a_column_and_corners() -> None:
    assert [len(cells) for cells in patterns.column(THIRTY).ways] == [3, 3, 3]
    assert patterns.combination_corners(THIRTY).ways == (
        frozenset({(0, 0), (0, 2), (2, 0), (2, 2)}),
    )


def test_ninety_has_neither_column_nor_corners() -> None:
    for made, refusal in (
        (patterns.column, Refusal("line_not_in_format", line="columns", format=90)),
        (patterns.combination_corners, Refusal("corners_not_in_format", format=90)),
    ):
        with pytest.raises(Refusal) as refused:
            made(NINETY)
        assert refused.value == refusal


@pytest.mark.rule(73)
def test_bingo_is_the_whole_card_or_in_seventy_five_a_figure() -> None:
    figure = patterns.get("x").cells
    assert [len(cells) for cells in patterns.bingo(NINETY).ways] == [27]
    assert patterns.bingo(SEVENTY_FIVE, figure).ways == (figure,)
    with pytest.raises(Refusal) as refused:
        patterns.bingo(EIGHTY, figure)
    assert refused.value == Refusal("pattern_not_in_format", format=80)


@pytest.mark.rule(72)
def test_free_centre_is_in_a_way_and_holds_no_number() -> None:
    [whole] = patterns.combination_ways(patterns.bingo(SEVENTY_FIVE), CARD_OF_75)
    falling = patterns.combination_ways(
        patterns.combination_line(SEVENTY_FIVE, [DIAGONALS]), CARD_OF_75
    )[0]
    assert (len(whole), len(falling)) == (24, 4)
