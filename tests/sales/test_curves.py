"""Curves of sales: every card in one bar, as many bars as there is room for."""

from hypothesis import given
from hypothesis import strategies as some

from draws.sales.queries import BARS, STEP, SalesCurve, curve, total


def test_curve_has_a_bar_a_moment_and_none_where_nothing_was_sold() -> None:
    assert curve({3: 5, 5: 2}) == SalesCurve(STEP, (5, 0, 2))


def test_nothing_sold_is_an_empty_curve() -> None:
    assert curve({}) == curve({}, within=(1, 2)) == SalesCurve()


def test_curve_reaches_as_far_as_it_is_told() -> None:
    assert curve({3: 5}, within=(2, 5)) == SalesCurve(STEP, (0, 5, 0, 0))


def test_moments_are_merged_when_they_are_more_than_the_bars() -> None:
    assert curve({0: 1, 1: 2, 2: 4, 9: 8}, bars=5) == SalesCurve(2 * STEP, (3, 4, 0, 0, 8))


def test_total_adds_what_was_sold_at_the_same_moment() -> None:
    assert total([{1: 2, 2: 3}, {2: 4}, {}]) == {1: 2, 2: 7}


@given(some.dictionaries(some.integers(0, 5000), some.integers(1, 99), min_size=1))
def test_curve_loses_no_card_and_is_never_too_long(sold: dict[int, int]) -> None:
    found = curve(sold)
    assert sum(found.counts) == sum(sold.values())
    assert 0 < len(found.counts) <= BARS
    assert found.step % STEP == 0
