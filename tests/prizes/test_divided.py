"""How the sales are divided, as people are shown it: every part once, and all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import rulebooks
from bingo.rules.prize_distributions import quote
from bingo.rules.prize_shares import Extra, Shares
from draws.prizes import labels as prizes_labels
from draws.prizes.labels import ORDER
from draws.templatetags.words import LENGTH, division

BOOK = rulebooks.get("spain-1979")


@st.composite
def some_shares(draw: st.DrawFn) -> Shares:
    """Shares of a line, a bingo and extras that leave something to the hall, or nothing."""
    line, bingo, corners, prima = (draw(st.integers(0, 2500)) for _prize in range(4))
    extras = (Extra("corners", corners), Extra("prima", prima, 40))
    return Shares(line, bingo + 1 if not line else bingo, extras)


@pytest.mark.rule(7)
@given(
    shares=some_shares(),
    cards=st.integers(1, 10**6),
    face=st.integers(1, 10**6),
    rate=st.integers(0, 1000),
)
def test_parts_are_the_whole_of_the_sales(shares: Shares, cards: int, face: int, rate: int) -> None:
    fixed = quote(cards=cards, face=face, shares=shares, jackpot_rate=rate, rulebook=BOOK).prizes
    parts = prizes_labels.of_prizes(fixed)
    assert sum(part.amount for part in parts) == fixed.gross
    assert all(part.amount > 0 for part in parts)
    codes = [part.code for part in parts]
    assert codes == [code for code in ORDER if code in codes]
    assert sum(part.points for part in parts) == pytest.approx(10_000)


def test_shares_are_divided_before_the_jackpot_takes_its_part() -> None:
    parts = prizes_labels.of_shares(Shares(1500, 6000, (Extra("corners", 500),)))
    assert [(part.code, part.amount) for part in parts] == [
        ("line", 1500), ("corners", 500), ("bingo", 6000), ("hall", 2000),
    ]  # fmt: skip


def test_bar_has_each_part_to_scale_one_beside_the_other() -> None:
    drawn = division(prizes_labels.of_shares(Shares(2000, 6000)))
    assert drawn.count("<rect") == 3
    assert f'viewBox="0 0 {LENGTH} 10"' in drawn
    assert 'class="is-line" x="0.0" width="200.0"' in drawn
    assert 'class="is-bingo" x="200.0" width="600.0"' in drawn
    assert 'class="is-hall" x="800.0" width="200.0"' in drawn
