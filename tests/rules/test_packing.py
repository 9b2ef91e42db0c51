"""Packing: the card of 30 uses up every line there is, and every column."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import cards, patterns, rulebooks, series, strips
from bingo.rules.formats import FORMATS, THIRTY

CV = rulebooks.get("cape-verde-2017")
SEEDS = st.integers(0, 2**32)


def test_packing_fits_thirty_and_no_other_format() -> None:
    assert [format.highest for format in FORMATS.values() if strips.fits(format)] == [30]


@pytest.mark.slow
@pytest.mark.rule(78)
@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_two_hundred_cards_of_thirty_hold_all_thousand_lines(seed: int) -> None:
    drawn = strips.packing_cards(THIRTY, rng=random.Random(seed))
    lines = [
        patterns.shape_numbers(card, line)
        for card in drawn
        for line in patterns.shape_lines(THIRTY)
    ]

    assert (len(drawn), len(lines), len(set(lines))) == (200, 1000, 1000)
    assert len({cards.numbers(card) for card in drawn}) == 200
    assert series.faults(drawn, format=THIRTY, rulebook=CV) == ()


@pytest.mark.rule(84)
@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_hundred_and_twenty_cards_of_thirty_hold_every_column_once(seed: int) -> None:
    drawn = strips.packing_cards(THIRTY, rng=random.Random(seed), columns=True)
    columns = [
        patterns.shape_numbers(card, column)
        for card in drawn
        for column in patterns.columns(THIRTY)
    ]

    assert (len(drawn), len(set(columns))) == (120, 360)
    assert series.faults(drawn, format=THIRTY, rulebook=CV, columns=True) == ()


@pytest.mark.slow
def test_packed_card_favours_no_number_of_a_column() -> None:
    """The first card of a cut must be any card: each number on three tenths of them."""
    rng = random.Random(3)
    first = [
        cards.numbers(strips.packing_cards(THIRTY, rng=rng, columns=True)[0]) for _ in range(200)
    ]
    times = [sum(number in held for held in first) for number in THIRTY.numbers]

    # 60 each, give or take some 6.5.
    assert max(abs(count - 60) for count in times) < 33
