"""Strips: every number once, and a matrix drawn with given sums."""

import random
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import cards, strips
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal

SEEDS = st.integers(0, 2**32)
TABLES = st.tuples(st.integers(1, 4), st.integers(1, 7), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        st.just(shape[2]),
        st.lists(
            st.lists(st.integers(0, shape[2]), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ),
    )
)


@settings(deadline=None)
@given(TABLES, SEEDS)
def test_matrix_has_the_sums_of_any_matrix_that_exists(
    table: tuple[int, list[list[int]]], seed: int
) -> None:
    cap, example = table
    rows = [sum(row) for row in example]
    columns = [sum(column) for column in zip(*example, strict=True)]

    drawn = strips.matrix(rows, columns, cap=cap, rng=random.Random(seed))

    assert [sum(row) for row in drawn] == rows
    assert [sum(column) for column in zip(*drawn, strict=True)] == columns
    assert all(0 <= cell <= cap for cell in chain(*drawn))


def test_matrix_can_be_each_that_exists() -> None:
    rng = random.Random(1)

    seen = Counter(strips.matrix([1, 1, 1], [1, 1, 1], cap=1, rng=rng) for _ in range(600))

    assert len(seen) == 6
    assert min(seen.values()) > 50


@pytest.mark.parametrize(
    ("rows", "columns", "cap"),
    [
        ((1, 1), (1, 2), 1),
        ((3, 0), (1, 2), 1),
        ((2, 2), (4, 0), 1),
        ((4, 0), (2, 2), 1),
        ((0, 3, 3), (1, 2, 3), 1),
    ],
)
def test_matrix_refuses_sums_that_no_matrix_has(
    rows: tuple[int, ...], columns: tuple[int, ...], cap: int
) -> None:
    with pytest.raises(Refusal) as refused:
        strips.matrix(rows, columns, cap=cap, rng=random.Random(1))
    assert refused.value == Refusal("impossible_margins", rows=rows, columns=columns, cap=cap)


@pytest.mark.rule(14)
@pytest.mark.parametrize("counts", [(1, 2), (1, 3)])
@settings(deadline=None)
@given(seed=SEEDS)
def test_strip_of_six_holds_one_to_ninety_once(counts: tuple[int, int], seed: int) -> None:
    strip = strips.strip(NINETY, counts=counts, rng=random.Random(seed))

    assert len(strip) == 6
    assert sorted(chain(*map(cards.numbers, strip))) == list(range(1, 91))


@pytest.mark.rule(14)
def test_strip_of_one_or_two_a_column_has_six_twos_and_three_ones() -> None:
    for card in strips.strip(NINETY, counts=(1, 2), rng=random.Random(3)):
        heights = [sum(cell is not None for cell in column) for column in zip(*card, strict=True)]
        assert sorted(heights) == [1, 1, 1, 2, 2, 2, 2, 2, 2]


def test_strip_favours_no_row_of_a_column() -> None:
    rng = random.Random(5)
    filled = Counter(
        (row, column)
        for _ in range(300)
        for card in strips.strip(NINETY, counts=(1, 2), rng=rng)
        for row, cells in enumerate(card)
        for column, cell in enumerate(cells)
        if cell is not None
    )

    # A pool of ten in 18 rows of a strip fills ten of eighteen; 300 strips vary by some 20.
    for (_row, column), times in filled.items():
        assert abs(times - 300 * len(NINETY.pools[column]) / 3) < 100
    assert len(filled) == 27


def test_card_that_shares_with_no_other_keeps_the_column_counts() -> None:
    # 19 numbers, 4 a card: no number of cards holds them all, so each is drawn alone.
    alone = Format(19, 2, 3, 2, (range(1, 7), range(7, 13), range(13, 20)), ascending=True)
    rng = random.Random(2)
    heights = set()
    for _ in range(60):
        (card,) = strips.strip(alone, counts=(1, 2), rng=rng)
        assert [len(line) for line in cards.lines(card)] == [2, 2]
        columns = zip(*card, strict=True)
        heights.add(tuple(sum(cell is not None for cell in column) for column in columns))

    assert heights == {(2, 1, 1), (1, 2, 1), (1, 1, 2)}


@pytest.mark.rule(65)
@pytest.mark.rule(71)
@pytest.mark.rule(82)
@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE, THIRTY], ids=lambda one: one.highest)
@settings(deadline=None)
@given(seed=SEEDS)
def test_full_card_is_drawn_alone_and_leaves_its_free_cell_empty(format: Format, seed: int) -> None:
    (card,) = strips.strip(format, counts=(format.rows, format.rows), rng=random.Random(seed))

    assert len(cards.numbers(card)) == format.per_card
    for row, cells in enumerate(card):
        for column, cell in enumerate(cells):
            if (row, column) in format.free:
                assert cell is None
            else:
                assert cell in format.pools[column]


def test_full_card_favours_no_number_of_a_column_and_no_row() -> None:
    rng = random.Random(6)
    drawn = Counter(
        (row, cells[0])
        for _ in range(3000)
        for card in strips.strip(THIRTY, counts=(3, 3), rng=rng)
        for row, cells in enumerate(card)
    )

    # Each of ten numbers in each of three rows 300 times, give or take some 16.
    assert len(drawn) == 30
    assert max(abs(times - 300) for times in drawn.values()) < 80


def test_strip_refuses_a_format_that_leaves_no_way() -> None:
    # Six cards with a number in each column need six numbers in the first.
    starved = replace(NINETY, pools=(range(1, 6), range(6, 20), *NINETY.pools[2:]))
    with pytest.raises(Refusal) as refused:
        strips.strip(starved, counts=(1, 2), rng=random.Random(1))
    assert refused.value.code == "impossible_margins"
