"""Distributions: what is won with each kind of card, and what a card or a rule book does not allow."""

from dataclasses import replace

import pytest

from bingo.rules import patterns, prize_distributions, rulebooks
from bingo.rules.patterns import LINES
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal

CV = rulebooks.get("cape-verde-2017")
PRIMA = Extra("prima", 500, limit=40)
CORNERS, COLUMN = Extra("corners", 500), Extra("column", 2000)
NINETY = Distribution(90, Shares(1500, 6000, (PRIMA,)))
EIGHTY = Distribution(80, Shares(2000, 6000), LINES)
SEVENTY_FIVE = Distribution(75, Shares(1500, 6000, (CORNERS,)), ("rows", "diagonals"))
FIGURE = Distribution(75, Shares(0, 8000), (), figure=True)
THIRTY = Distribution(30, Shares(0, 6000, (COLUMN,)), ())
ALL = (NINETY, EIGHTY, SEVENTY_FIVE, FIGURE, THIRTY)


@pytest.mark.rule(7)
@pytest.mark.parametrize("distribution", ALL)
def test_distribution_that_the_law_knows_is_allowed(distribution: Distribution) -> None:
    prize_distributions.check(distribution, jackpot_rate=300, rulebook=CV)


@pytest.mark.parametrize("distribution", ALL)
def test_distribution_is_the_same_from_its_record(distribution: Distribution) -> None:
    assert prize_distributions.load(prize_distributions.dump(distribution)) == distribution


@pytest.mark.parametrize(
    ("distribution", "code"),
    [
        (replace(NINETY, counts=("rows", "columns")), "line_not_in_format"),
        (replace(NINETY, shares=Shares(1500, 6000, (CORNERS,))), "extra_not_in_format"),
        (replace(EIGHTY, shares=Shares(1500, 6000, (CORNERS,))), "extra_not_in_format"),
        (replace(NINETY, shares=Shares(2000, 6000), figure=True), "pattern_not_in_format"),
        (replace(NINETY, counts=()), "line_missing"),
        (replace(FIGURE, counts=("rows",)), "line_share_missing"),
        (replace(FIGURE, shares=Shares(2000, 6000), counts=("rows",)), "extra_not_in_format"),
        (replace(FIGURE, shares=Shares(0, 7500, (CORNERS,))), "extra_not_in_format"),
        (replace(NINETY, shares=Shares(1000, 6000, (PRIMA, PRIMA))), "extra_repeated"),
        (
            replace(NINETY, shares=Shares(2000, 6000, (replace(PRIMA, share=0),))),
            "extra_share_missing",
        ),
        (
            replace(NINETY, shares=Shares(1500, 6000, (replace(PRIMA, limit=0),))),
            "prima_limit_out_of_range",
        ),
        (
            replace(NINETY, shares=Shares(1500, 6000, (replace(PRIMA, limit=91),))),
            "prima_limit_out_of_range",
        ),
        (
            replace(SEVENTY_FIVE, shares=Shares(1500, 6000, (replace(CORNERS, limit=9),))),
            "prima_limit_out_of_range",
        ),
        (replace(NINETY, format=77), "unknown_format"),
        (replace(NINETY, shares=Shares(2600, 5400)), "bingo_below_floor"),
        (replace(NINETY, shares=Shares(1000, 6000)), "fund_differs"),
    ],
)
def test_distribution_that_is_not_allowed_is_refused(distribution: Distribution, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        prize_distributions.check(distribution, jackpot_rate=0, rulebook=CV)
    assert refused.value.code == code


@pytest.mark.rule(84)
def test_thirty_has_one_prize_besides_the_bingo_at_most() -> None:
    both = Distribution(30, Shares(1000, 6000, (Extra("corners", 1000),)))
    with pytest.raises(Refusal) as refused:
        prize_distributions.check(both, jackpot_rate=0, rulebook=CV)
    assert refused.value == Refusal("one_extra_only", format=30)
    with_prima = Distribution(30, Shares(1500, 6000, (replace(PRIMA, limit=20),)))
    prize_distributions.check(with_prima, jackpot_rate=0, rulebook=CV)


@pytest.mark.rule(73)
@pytest.mark.rule(74)
def test_combinations_that_may_be_called() -> None:
    figure = patterns.get("x").cells
    named = {
        one: [combination.name for combination in prize_distributions.won(one)] for one in ALL[:3]
    }
    assert list(named.values()) == [
        ["line", "bingo"], ["line", "bingo"], ["line", "corners", "bingo"],
    ]  # fmt: skip
    [bingo] = prize_distributions.won(FIGURE, pattern=figure)
    assert bingo.ways == (figure,)
    assert [one.name for one in prize_distributions.won(THIRTY)] == ["column", "bingo"]


def test_game_has_the_distribution_of_its_card_and_otherwise_the_halls() -> None:
    hall = Shares(2000, 6000)
    granted = [SEVENTY_FIVE, FIGURE]

    def of(format: int, figure: bool) -> Distribution:
        return prize_distributions.chosen(granted, format=format, figure=figure, otherwise=hall)

    assert of(75, False) == SEVENTY_FIVE
    assert of(75, True) == FIGURE
    assert of(90, False) == Distribution(90, hall, ("rows",))


@pytest.mark.rule(73)
def test_figure_needs_a_distribution_of_its_own() -> None:
    with pytest.raises(Refusal) as refused:
        prize_distributions.chosen([], format=75, figure=True, otherwise=Shares(2000, 6000))
    assert refused.value == Refusal("figure_not_authorised", format=75)
