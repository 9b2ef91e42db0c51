"""Bounds: how many cards a series can have, counted from the format and against brute force."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from bingo.rules import patterns, rulebooks, series
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")


@pytest.mark.rule(14)
@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
@pytest.mark.parametrize(
    ("format", "limit"),
    [
        (NINETY, (12_565_000 // 3, "lines")),
        (EIGHTY, (20**4 // 6, "lines")),
        (SEVENTY_FIVE, (15**4 // 3, "centre_lines")),
        (THIRTY, (10**3 // 5, "lines")),
    ],
    ids=lambda value: getattr(value, "highest", ""),
)
def test_limit_is_the_lines_there_are_over_those_of_a_card(
    format: Format, limit: tuple[int, str]
) -> None:
    assert series.limit(format) == limit


@pytest.mark.parametrize(
    ("format", "limit"), [(EIGHTY, 4_845), (SEVENTY_FIVE, 1_365), (THIRTY, 120)]
)
def test_limit_with_columns_is_the_narrowest_column(format: Format, limit: int) -> None:
    assert series.limit(format, columns=True) == (limit, "columns")


def test_other_bounds_of_seventy_five_are_wider() -> None:
    """Rows with five numbers, and the columns that have no free cell."""
    without_centre = replace(SEVENTY_FIVE, free=frozenset())

    assert series.limit(without_centre) == (15**5 // 7, "lines")
    assert series.limit(without_centre, columns=True) == (3_003, "columns")


def test_columns_with_blanks_are_no_lines() -> None:
    with pytest.raises(Refusal) as refused:
        series.limit(NINETY, columns=True)
    assert refused.value == Refusal("columns_not_a_line", format=90)


def test_limit_of_small_formats_is_what_counting_them_gives() -> None:
    pools = (range(1, 4), range(4, 7), range(7, 11))
    square = Format(10, 3, 3, 3, pools, ascending=False)
    blanks = Format(10, 2, 3, 2, pools, ascending=True)

    # A row and a diagonal are one number of each column; a row with blanks any two of three.
    assert len({frozenset(line) for line in product(*pools)}) == 36
    assert len([pair for two in combinations(pools, 2) for pair in product(*two)]) == 33
    assert series.limit(square) == (4, "cards")  # 1 x 1 x 4 sets of three a column; 36 // 5 lines
    assert series.limit(square, columns=True) == (1, "columns")
    assert series.limit(blanks) == (33 // 2, "lines")


@pytest.mark.rule(14)
@pytest.mark.parametrize("size", [0, -6])
def test_require_refuses_a_size_below_one(size: int) -> None:
    with pytest.raises(Refusal) as refused:
        series.require(size, format=NINETY, rulebook=CV)
    assert refused.value == Refusal("series_size_not_positive", size=size)


@pytest.mark.rule(14)
@pytest.mark.parametrize(
    ("format", "columns"),
    [
        (NINETY, False),
        (EIGHTY, False),
        (SEVENTY_FIVE, False),
        (THIRTY, False),
        (EIGHTY, True),
        (SEVENTY_FIVE, True),
        (THIRTY, True),
    ],
)
def test_require_refuses_one_card_more_than_the_limit_with_its_bound(
    format: Format, columns: bool
) -> None:
    limit, bound = series.limit(format, columns)

    series.require(limit, format=format, rulebook=CV, columns=columns)
    with pytest.raises(Refusal) as refused:
        series.require(limit + 1, format=format, rulebook=CV, columns=columns)
    assert refused.value == Refusal("series_too_large", size=limit + 1, limit=limit, bound=bound)


@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE, THIRTY], ids=lambda one: one.highest)
def test_require_refuses_first_a_format_the_rule_book_does_not_know(format: Format) -> None:
    with pytest.raises(Refusal) as refused:
        series.require(0, format=format, rulebook=BOE)
    assert refused.value.code == "format_not_in_rulebook"


def test_every_line_of_a_full_card_is_bounded() -> None:
    """What the bound counts and what may not be repeated are the same shapes."""
    assert len(patterns.shape_lines(EIGHTY)) == 6
    assert len(patterns.shape_lines(THIRTY)) == 5
    assert len(patterns.shape_lines(SEVENTY_FIVE)) == 4 + 3
