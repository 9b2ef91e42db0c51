"""Quotes: what a distribution pays, and the reason where it may not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import prize_distributions, rulebooks
from bingo.rules.prize_distributions import Quote
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.prizes import UNTAXED, Tax
from bingo.rules.refusal import Refusal

SPLIT = Shares(2000, 6000)
CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")


def quote(
    cards: int = 420,
    face: int = 2_00,
    *,
    shares: Shares = SPLIT,
    rate: int = 0,
    book: rulebooks.Rulebook = CV,
    winners: dict[str, int] | None = None,
    step: int = 1,
    tax: Tax = UNTAXED,
) -> Quote:
    return prize_distributions.quote(
        cards=cards, face=face, shares=shares, jackpot_rate=rate, rulebook=book,
        winners=winners, step=step, tax=tax,
    )  # fmt: skip


@pytest.mark.rule(6)
@pytest.mark.rule(7)
@pytest.mark.rule(10)
def test_worked_example_of_the_readings() -> None:
    found = quote(rate=300, winners={"line": 3, "bingo": 2})
    assert (found.prizes.line, found.prizes.bingo, found.prizes.jackpot) == (162_96, 488_88, 20_16)
    assert found.shared == {"line": (54_32, 54_32, 54_32), "bingo": (244_44, 244_44)}
    assert found.carried == 0


def test_published_example_of_420_cards_at_two_hundred() -> None:
    found = quote(face=200_00, shares=Shares(1500, 6000), book=BOE)
    assert (found.prizes.line, found.prizes.bingo) == (12_600_00, 50_400_00)


def test_prize_of_one_winner_is_his_where_nobody_says_how_many() -> None:
    shares = Shares(1500, 6000, (Extra("corners", 500),))
    assert quote(shares=shares).shared == {
        "line": (126_00,),
        "bingo": (504_00,),
        "corners": (42_00,),
    }


def test_what_the_smallest_coin_leaves_over_is_carried_on() -> None:
    found = quote(rate=300, winners={"line": 2, "bingo": 2}, step=5)
    assert found.shared == {"line": (81_45, 81_45), "bingo": (244_40, 244_40)}
    assert found.carried == 14


@given(
    st.integers(1, 100_000),
    st.integers(1, 10_000),
    st.integers(1, 20),
    st.sampled_from([1, 5, 10, 50, 100]),
    st.integers(0, 10_000),
)
def test_nothing_is_made_or_lost(cards: int, face: int, winners: int, step: int, rate: int) -> None:
    count = min(winners, cards)
    # A coin that is worth more than the smallest prize, 19.4 % of a card, is refused.
    step = step if step * 10_000 <= face * 1_940 else 1
    found = quote(
        cards, face, rate=300, winners={"line": count, "bingo": 1}, step=step, tax=Tax(rate, 0)
    )
    paid = sum(map(sum, [*found.handed_over.values(), *found.tax.values()]))
    assert paid + found.carried + found.prizes.jackpot == found.prizes.fund


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"cards": 0}, Refusal("no_cards")),
        ({"cards": -3}, Refusal("no_cards")),
        ({"face": 0}, Refusal("bad_face", face=0, most=10**15 // 420)),
        ({"face": 10**18}, Refusal("bad_face", face=10**18, most=10**15 // 420)),
        ({"step": 0}, Refusal("bad_cash_step", step=0)),
        ({"tax": Tax(10_001, 0)}, Refusal("bad_tax", rate=10_001, threshold=0)),
        ({"tax": Tax(2000, -1)}, Refusal("bad_tax", rate=2000, threshold=-1)),
        (
            {"step": 50_00},
            Refusal("cash_step_over_prize", step=50_00, prize="line", amount=40, face=200),
        ),
        ({"winners": {"jackpot": 1}}, Refusal("winners_of_no_prize", prize="jackpot")),
        ({"winners": {"line": 0}}, Refusal("winners_out_of_range", most=420)),
        ({"winners": {"bingo": 421}}, Refusal("winners_out_of_range", most=420)),
        (
            {"shares": Shares(2500, 5500), "rate": 300},
            Refusal("bingo_below_floor", bingo=5335, floor=5500),
        ),
        (
            {"shares": Shares(2500, 6000)},
            Refusal("fund_differs", fund=8500, expected=8000),
        ),
        ({"shares": Shares(5000, 6000)}, Refusal("shares_over_gross", fund=11000)),
    ],
)
def test_what_may_not_be_is_refused_with_the_reason(
    asked: dict[str, object], refusal: Refusal
) -> None:
    with pytest.raises(Refusal) as refused:
        quote(**asked)  # type: ignore[arg-type]
    assert refused.value == refusal


@pytest.mark.rule(10)
def test_each_level_of_a_jackpot_is_rounded_for_itself() -> None:
    one = prize_distributions.quote(
        cards=6, face=2_00, shares=Shares(2000, 6000), jackpot_rate=300, rulebook=CV
    )
    three = prize_distributions.quote(
        cards=6, face=2_00, shares=Shares(2000, 6000), jackpot_rate=300, rulebook=CV,
        rates=(100, 100, 100),
    )  # fmt: skip
    assert (one.prizes.jackpot, one.prizes.bingo) == (28, 6_99)
    assert (three.prizes.jackpot, three.prizes.bingo) == (27, 7_00)
