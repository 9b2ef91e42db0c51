"""Stretches of card numbers: what is left between retired ones, beside counting one by one."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import sale_order

SIZE = 40
STRETCH = st.tuples(st.integers(1, SIZE), st.integers(0, 6)).map(
    lambda pair: (pair[0], min(SIZE, pair[0] + pair[1]))
)


def every(parts: object) -> list[int]:
    """Return the cards one by one."""
    return [number for first, last in parts for number in range(first, last + 1)]  # type: ignore[attr-defined]


@given(st.lists(STRETCH, max_size=8))
def test_merged_holds_the_same_cards_in_order_and_apart(parts: list[tuple[int, int]]) -> None:
    found = sale_order.merged(parts)
    assert every(found) == sorted(set(every(parts)))
    assert all(one[1] + 1 < two[0] for one, two in pairwise(found))


@given(st.integers(1, SIZE), st.integers(0, SIZE), st.lists(STRETCH, max_size=8))
def test_without_leaves_what_is_not_retired(
    first: int, last: int, parts: list[tuple[int, int]]
) -> None:
    retired = set(every(parts))
    left = list(sale_order.without(first, last, sale_order.merged(parts)))
    assert every(left) == [n for n in range(first, last + 1) if n not in retired]
    assert sale_order.count_range(left) == len(every(left))


@given(STRETCH, st.lists(STRETCH, max_size=8))
def test_first_common_is_the_lowest_card_in_both(
    part: tuple[int, int], parts: list[tuple[int, int]]
) -> None:
    common = set(every([part])) & set(every(parts))
    assert sale_order.first_common(*part, parts) == min(common, default=None)
