"""Money: split to the unit, nothing made and nothing lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import prize_shares
from bingo.rules.refusal import Refusal

AMOUNTS = st.integers(min_value=0, max_value=10**12)
WEIGHTS = st.lists(st.integers(0, 10_000), min_size=1, max_size=12).filter(any)


def test_apportion_gives_the_units_over_to_the_largest_remainders() -> None:
    assert prize_shares.apportion(100, (1, 1, 1)) == (34, 33, 33)
    assert prize_shares.apportion(10, (1, 2)) == (3, 7)
    assert prize_shares.apportion(8, (25, 55)) == (3, 5)
    assert prize_shares.apportion(9, (0, 5)) == (0, 9)


@given(AMOUNTS, WEIGHTS)
def test_apportion_keeps_the_total_and_stays_within_a_unit(total: int, weights: list[int]) -> None:
    parts = prize_shares.apportion(total, weights)
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
        prize_shares.apportion(total, weights)
    assert refused.value == refusal


@pytest.mark.rule(6)
@pytest.mark.parametrize(
    ("total", "winners", "step", "each", "left"),
    [
        (250_00, 3, 50_00, 50_00, 100_00),
        (250_00, 5, 50_00, 50_00, 0),
        (250_00, 1, 50_00, 250_00, 0),
        (299_99, 1, 50_00, 250_00, 49_99),
        (162_97, 3, 5, 54_30, 7),
        # Coins would pay nothing: equal in minor units.
        (250_00, 6, 50_00, 41_66, 4),
        (2, 3, 50_00, 0, 2),
    ],
)
def test_equal_winners_get_equal_money_whatever_the_coin(
    total: int, winners: int, step: int, each: int, left: int
) -> None:
    assert prize_shares.share_in_coins(total, (1,) * winners, step=step) == (
        (each,) * winners,
        left,
    )


@pytest.mark.rule(6)
@given(AMOUNTS, st.integers(1, 40), st.integers(2, 100_000))
def test_equal_winners_get_equal_coins_and_nothing_is_lost(
    total: int, winners: int, step: int
) -> None:
    parts, left = prize_shares.share_in_coins(total, (1,) * winners, step=step)

    assert len(set(parts)) == 1
    assert sum(parts) + left == total
    if total // winners >= step:
        assert parts[0] % step == 0
        assert 0 <= left < winners * step  # no winner could have a coin more
    else:
        assert (parts[0], left) == divmod(total, winners)  # who has won is paid


@pytest.mark.rule(6)
@given(AMOUNTS, WEIGHTS, st.integers(2, 100_000))
def test_cards_of_one_price_get_equal_money_and_dearer_ones_no_less(
    total: int, weights: list[int], step: int
) -> None:
    parts, left = prize_shares.share_in_coins(total, weights, step=step)

    assert sum(parts) + left == total
    assert left >= 0
    by_weight = dict(zip(weights, parts, strict=True))
    assert [by_weight[weight] for weight in weights] == list(parts)
    assert [by_weight[one] for one in sorted(by_weight)] == sorted(by_weight.values())
    for weight, part in by_weight.items():
        exact = total * weight // sum(weights)
        assert part == (exact - exact % step if exact >= step else exact)


@given(AMOUNTS, WEIGHTS)
def test_without_a_coin_the_units_over_go_one_by_one(total: int, weights: list[int]) -> None:
    assert prize_shares.share_in_coins(total, weights) == (
        prize_shares.apportion(total, weights),
        0,
    )


@pytest.mark.parametrize(
    ("amount", "step", "paid"), [(720_00, 50_00, 700_00), (80_00, 50_00, 50_00),
        (40_00, 50_00, 40_00), (0, 50_00, 0), (123, 1, 123)],
)  # fmt: skip
def test_in_coins_rounds_down_and_pays_who_would_get_nothing(
    amount: int, step: int, paid: int
) -> None:
    assert prize_shares.in_coins(amount, step) == paid


@pytest.mark.parametrize("share", [prize_shares.share_in_coins, prize_shares.share_coin_by_coin])
@pytest.mark.parametrize(
    ("total", "step", "code"), [(10, 0, "bad_cash_step"), (-1, 5, "negative_amount")]
)
def test_shares_in_coins_refuse(share: Any, total: int, step: int, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        share(total, (1,), step=step)
    assert refused.value.code == code


@given(AMOUNTS, WEIGHTS, st.integers(1, 500))
def test_older_sessions_shared_coin_by_coin(total: int, weights: list[int], step: int) -> None:
    parts, left = prize_shares.share_coin_by_coin(total, weights, step=step)

    assert sum(parts) + left == total
    assert 0 <= left < step
    whole = prize_shares.apportion(total // step, weights)
    if any(weight and not part for weight, part in zip(weights, whole, strict=True)):
        assert parts == prize_shares.apportion(total, weights)
    else:
        assert all(part % step == 0 for part in parts)
    assert prize_shares.share_coin_by_coin(250_00, (1, 1, 1), step=50_00) == (
        (100_00, 100_00, 50_00),
        0,
    )
