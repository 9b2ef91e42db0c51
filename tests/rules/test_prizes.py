"""Prizes: 80 % to the players to the unit, the floor of the bingo, the jackpot's accrual."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import prizes, rulebooks
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.prizes import Prizes, Tax
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
GROSS = st.integers(min_value=0, max_value=10**9)


def refused(shares: Shares, jackpot_rate: int = 0, book: rulebooks.Rulebook = CV) -> Refusal:
    with pytest.raises(Refusal) as caught:
        prizes.check(shares, jackpot_rate=jackpot_rate, rulebook=book)
    return caught.value


@pytest.mark.rule(7)
def test_distribute_420_cards_at_two() -> None:
    assert prizes.distribute(840_00, shares=Shares(2000, 6000), jackpot_rate=0) == Prizes(
        gross=840_00, fund=672_00, line=168_00, bingo=504_00, jackpot=0
    )


@pytest.mark.rule(10)
def test_distribute_deducts_the_jackpot_in_proportion() -> None:
    fixed = prizes.distribute(840_00, shares=Shares(2000, 6000), jackpot_rate=300)

    assert fixed == Prizes(gross=840_00, fund=672_00, line=162_96, bingo=488_88, jackpot=20_16)


@pytest.mark.rule(7)
def test_distribute_rounds_a_broken_unit_up_to_the_players() -> None:
    assert prizes.distribute(1, shares=Shares(2000, 6000), jackpot_rate=0).fund == 1
    assert prizes.distribute(6, shares=Shares(2000, 6000), jackpot_rate=0).fund == 5


def test_distribute_of_nothing_sold_is_nothing() -> None:
    assert prizes.distribute(0, shares=Shares(2000, 6000), jackpot_rate=300) == Prizes(
        0, 0, 0, 0, 0
    )


@pytest.mark.rule(7)
@pytest.mark.rule(10)
@given(GROSS, st.integers(0, 8000), st.sampled_from([0, 300]))
def test_distribute_conserves_the_fund(gross: int, line: int, rate: int) -> None:
    fixed = prizes.distribute(gross, shares=Shares(line, 8000 - line), jackpot_rate=rate)

    assert fixed.line + fixed.bingo + fixed.jackpot == fixed.fund
    assert 0 <= fixed.fund * 10 - gross * 8 < 10
    assert min(fixed.line, fixed.bingo, fixed.jackpot) >= 0
    assert 0 <= fixed.fund * rate - fixed.jackpot * 10_000 < 10_000


@pytest.mark.rule(7)
@given(GROSS, st.integers(5500, 8000), st.sampled_from([0, 300]))
def test_bingo_never_pays_under_its_floor_when_the_shares_are_let_pass(
    gross: int, bingo: int, rate: int
) -> None:
    shares = Shares(8000 - bingo, bingo)
    if bingo * (10_000 - rate) < 5500 * 10_000:
        assert refused(shares, rate).code == "bingo_below_floor"
        return

    prizes.check(shares, jackpot_rate=rate, rulebook=CV)
    assert prizes.distribute(gross, shares=shares, jackpot_rate=rate).bingo * 100 >= gross * 55


@pytest.mark.rule(7)
def test_bingo_rounded_to_the_nearest_would_fall_under_the_floor() -> None:
    # 55 of 80 parts of 8 units are 5.5; half a unit less is under 55 % of 10.
    assert prizes.distribute(10, shares=Shares(2500, 5500), jackpot_rate=0).bingo == 6


@pytest.mark.rule(7)
def test_check_lets_the_floor_pass_and_refuses_what_the_deduction_takes_below_it() -> None:
    prizes.check(Shares(2500, 5500), jackpot_rate=0, rulebook=CV)
    prizes.check(Shares(2329, 5671), jackpot_rate=300, rulebook=CV)

    assert refused(Shares(2501, 5499)) == Refusal("bingo_below_floor", bingo=5499, floor=5500)
    assert refused(Shares(2500, 5500), 300) == Refusal("bingo_below_floor", bingo=5335, floor=5500)
    assert refused(Shares(2330, 5670), 300) == Refusal("bingo_below_floor", bingo=5499, floor=5500)


@pytest.mark.rule(7)
def test_check_refuses_another_fund_than_the_law_s() -> None:
    assert refused(Shares(1999, 6000)) == Refusal("fund_differs", fund=7999, expected=8000)
    assert refused(Shares(2001, 6000)) == Refusal("fund_differs", fund=8001, expected=8000)


@pytest.mark.rule(10)
def test_check_refuses_another_jackpot_rate_than_the_law_s() -> None:
    assert refused(Shares(2000, 6000), 299) == Refusal(
        "jackpot_rate_differs", rate=299, expected=300
    )


def test_check_refuses_shares_that_make_no_sense_anywhere() -> None:
    assert refused(Shares(-1, 6000), book=BOE) == Refusal("negative_share", line=-1, bingo=6000)
    assert refused(Shares(6000, -1), book=BOE) == Refusal("negative_share", line=6000, bingo=-1)
    assert refused(Shares(0, 0), book=BOE) == Refusal("nothing_to_distribute")
    assert refused(Shares(4001, 6000), book=BOE) == Refusal("shares_over_gross", fund=10_001)
    for rate in (-1, 10_001):
        assert refused(Shares(2000, 6000), rate, BOE) == Refusal(
            "jackpot_rate_out_of_range", rate=rate
        )


def test_check_lets_spain_s_authorised_shares_pass() -> None:
    prizes.check(Shares(800, 5700), jackpot_rate=500, rulebook=BOE)
    prizes.check(Shares(4000, 6000), jackpot_rate=10_000, rulebook=BOE)


def test_distribute_refuses_what_was_never_checked() -> None:
    with pytest.raises(Refusal) as negative:
        prizes.distribute(-1, shares=Shares(2000, 6000), jackpot_rate=0)
    with pytest.raises(Refusal) as empty:
        prizes.distribute(1, shares=Shares(0, 0), jackpot_rate=0)
    assert negative.value == Refusal("negative_amount", amount=-1)
    assert empty.value == Refusal("nothing_to_distribute")


@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("amount", "tax", "due"),
    [
        (100_00, Tax(rate=0, threshold=0), 0),
        (100_00, Tax(rate=1500, threshold=0), 15_00),
        (100_00, Tax(rate=1500, threshold=100_00), 0),
        (100_01, Tax(rate=10_000, threshold=100_00), 1),
        (99_99, Tax(rate=1500, threshold=100_00), 0),
        (33, Tax(rate=1000, threshold=0), 3),
        (0, Tax(rate=1000, threshold=0), 0),
    ],
)
def test_withheld_taxes_what_exceeds_the_threshold_rounded_down(
    amount: int, tax: Tax, due: int
) -> None:
    assert prizes.withheld(amount, tax) == due


@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("gross", "tax", "due"),
    [
        (840_00, Tax(rate=500, threshold=0, on_sales=True), 42_00),
        (840_00, Tax(rate=500, threshold=840_00, on_sales=True), 0),
        (840_19, Tax(rate=500, threshold=840_00, on_sales=True), 0),
        (840_20, Tax(rate=500, threshold=840_00, on_sales=True), 1),
        (840_00, Tax(rate=500, threshold=0), 0),
    ],
)
def test_tax_on_sales_is_owed_of_what_a_game_collects_and_of_no_prize(
    gross: int, tax: Tax, due: int
) -> None:
    assert prizes.on_sales(gross, tax) == due
    assert prizes.withheld(gross, tax) == (0 if tax.on_sales else 42_00)


def test_withheld_refuses_a_negative_prize() -> None:
    with pytest.raises(Refusal) as caught:
        prizes.withheld(-1, Tax(rate=1000, threshold=0))
    assert caught.value == Refusal("negative_amount", amount=-1)


@pytest.mark.rule(7)
def test_additional_prizes_come_out_of_the_twenty_per_cent() -> None:
    shares = Shares(1200, 6000, (Extra("corners", 500), Extra("prima", 300, limit=45)))

    prizes.check(shares, jackpot_rate=300, rulebook=CV)
    assert prizes.distribute(840_00, shares=shares, jackpot_rate=300) == Prizes(
        gross=840_00, fund=672_00, line=97_78, bingo=488_88, jackpot=20_16,
        extras=(("corners", 40_74), ("prima", 24_44)),
    )  # fmt: skip


def test_what_an_additional_prize_cannot_have_of_a_unit_goes_to_the_first_prize_there_is() -> None:
    with_line = Shares(1000, 6000, (Extra("corners", 1000),))
    without = Shares(0, 6000, (Extra("corners", 1000), Extra("prima", 1000, limit=45)))

    assert prizes.distribute(107, shares=with_line, jackpot_rate=0).line == 11
    assert prizes.distribute(107, shares=without, jackpot_rate=0).extras == (
        ("corners", 11),
        ("prima", 10),
    )
    assert prizes.distribute(107, shares=without, jackpot_rate=0).line == 0


@given(
    GROSS,
    st.lists(st.integers(0, 2000), min_size=1, max_size=4),
    st.sampled_from([0, 300]),
    st.sampled_from(prizes.SOURCES),
)
def test_nothing_is_made_or_lost_whatever_the_prizes_and_the_source(
    gross: int, parts: list[int], rate: int, source: str
) -> None:
    line, *others = parts
    shares = Shares(line, 2000, tuple(Extra(f"extra{at}", part) for at, part in enumerate(others)))
    if source == "line" and shares.fund * rate > line * 10_000:
        with pytest.raises(Refusal) as caught:
            prizes.distribute(gross, shares=shares, jackpot_rate=rate, source=source)
        assert caught.value.code == "jackpot_over_its_source"
        return
    fixed = prizes.distribute(gross, shares=shares, jackpot_rate=rate, source=source)

    amounts = [fixed.line, fixed.bingo, fixed.jackpot, *(amount for _name, amount in fixed.extras)]
    assert sum(amounts) == fixed.fund
    assert min(amounts) >= 0
    assert fixed.jackpot == fixed.fund * rate // 10_000


@pytest.mark.rule(10)
def test_jackpot_taken_from_one_prize_leaves_the_others_whole() -> None:
    whole = Shares(2000, 6000)

    of_line = prizes.distribute(840_00, shares=whole, jackpot_rate=300, source="line")
    of_bingo = prizes.distribute(840_00, shares=whole, jackpot_rate=300, source="bingo")

    assert (of_line.line, of_line.bingo, of_line.jackpot) == (147_84, 504_00, 20_16)
    assert (of_bingo.line, of_bingo.bingo, of_bingo.jackpot) == (168_00, 483_84, 20_16)


@pytest.mark.rule(7)
def test_floor_is_tested_after_the_deduction_from_its_source() -> None:
    prizes.check(Shares(2500, 5500), jackpot_rate=300, rulebook=CV, source="line")
    for source in ("bingo", "proportional"):
        with pytest.raises(Refusal) as caught:
            prizes.check(Shares(2500, 5500), jackpot_rate=300, rulebook=CV, source=source)
        assert caught.value.code == "bingo_below_floor"
    with pytest.raises(Refusal) as caught:
        prizes.check(Shares(2000, 6000), jackpot_rate=300, rulebook=CV, source="house")
    assert caught.value == Refusal("unknown_source_of_jackpot", source="house")
