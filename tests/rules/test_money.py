"""Money: split to the unit, nothing made and nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import money
from bingo.rules.refusal import Refusal

AMOUNTS = st.integers(min_value=0, max_value=10**12)
WEIGHTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=12).filter(any)


@pytest.mark.rule(6)
@pytest.mark.parametrize(
    ("total", "holders", "parts"),
    [
        (16297, 3, (5433, 5432, 5432)),
        (48888, 2, (24444, 24444)),
        (5, 3, (2, 2, 1)),
        (2, 3, (1, 1, 0)),
        (0, 2, (0, 0)),
        (7, 1, (7,)),
    ],
)
def test_share_equally_gives_odd_units_to_the_first(
    total: int, holders: int, parts: tuple[int, ...]
) -> None:
    assert money.share_equally(total, holders) == parts


@pytest.mark.rule(6)
@given(AMOUNTS, st.integers(1, 200))
def test_share_equally_keeps_the_total_and_differs_by_a_unit(total: int, holders: int) -> None:
    parts = money.share_equally(total, holders)

    assert (len(parts), sum(parts)) == (holders, total)
    assert max(parts) - min(parts) <= 1
    assert list(parts) == sorted(parts, reverse=True)


@pytest.mark.parametrize("holders", [0, -1])
def test_share_equally_refuses_no_holders(holders: int) -> None:
    with pytest.raises(Refusal) as refused:
        money.share_equally(100, holders)
    assert refused.value == Refusal("no_holders", holders=holders)


def test_apportion_gives_the_units_over_to_the_largest_remainders() -> None:
    assert money.apportion(100, (1, 1, 1)) == (34, 33, 33)
    assert money.apportion(10, (1, 2)) == (3, 7)
    assert money.apportion(8, (25, 55)) == (3, 5)
    assert money.apportion(9, (0, 5)) == (0, 9)


@given(AMOUNTS, WEIGHTS)
def test_apportion_keeps_the_total_and_stays_within_a_unit(total: int, weights: list[int]) -> None:
    parts = money.apportion(total, weights)
    whole = sum(weights)

    assert sum(parts) == total
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part * whole - total * weight) < whole


@pytest.mark.parametrize(
    ("total", "weights", "refusal"),
    [
        (-1, (1, 1), Refusal("negative_amount", amount=-1)),
        (1, (2, -1), Refusal("negative_weight", weights=(2, -1))),
        (1, (0, 0), Refusal("no_weight", weights=(0, 0))),
        (1, (), Refusal("no_weight", weights=())),
    ],
)
def test_apportion_refuses_what_cannot_be_split(
    total: int, weights: tuple[int, ...], refusal: Refusal
) -> None:
    with pytest.raises(Refusal) as refused:
        money.apportion(total, weights)
    assert refused.value == refusal


@given(AMOUNTS, WEIGHTS, st.integers(1, 500))
def test_share_in_steps_loses_nothing_and_pays_whole_steps(
    total: int, weights: list[int], step: int
) -> None:
    parts, left = money.share_in_steps(total, weights, step=step)

    assert sum(parts) + left == total
    assert 0 <= left < step
    whole = money.apportion(total // step, weights)
    if any(weight and not part for weight, part in zip(weights, whole, strict=True)):
        assert parts == money.apportion(total, weights)  # who has won is paid
    else:
        assert all(part % step == 0 for part in parts)


def test_share_in_steps_of_one_unit_is_to_apportion() -> None:
    assert money.share_in_steps(16297, (1, 1, 1)) == ((5433, 5432, 5432), 0)
    assert money.share_in_steps(16297, (1, 1, 1), step=5) == ((5435, 5430, 5430), 2)


@pytest.mark.parametrize(
    ("total", "step", "code"), [(10, 0, "bad_cash_step"), (-1, 5, "negative_amount")]
)
def test_share_in_steps_refuses(total: int, step: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        money.share_in_steps(total, (1,), step=step)
    assert refused.value.code == code
