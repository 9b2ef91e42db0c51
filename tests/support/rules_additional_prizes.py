"""What the tests of additional prizes share with others."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from bingo.rules import formats, patterns, prize_distributions, rulebooks, series
from bingo.rules.cards import Card
from bingo.rules.patterns import LINES
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from tests.support.rules_playing import FACE, Play

Data = dict[str, Any]


CARDS: dict[int, tuple[Card, ...]] = {
    highest: series.emit(
        90,
        format=formats.get_format(highest),
        rulebook=rulebooks.get("cape-verde-2017"),
        rng=Random(highest),
    )
    for highest in (75, 30)
}


SOLD = 10


GROSS = SOLD * FACE


NINETY = Distribution(90, Shares(1500, 6000, (Extra("prima", 500, limit=20),)))


SEVENTY_FIVE = Distribution(75, Shares(1500, 6000, (Extra("corners", 500),)), LINES)


FIGURE = Distribution(75, Shares(0, 8000), (), figure=True)


THIRTY = Distribution(30, Shares(0, 6000, (Extra("column", 2000),)), ())


GRANTED = [prize_distributions.dump(one) for one in (NINETY, SEVENTY_FIVE, FIGURE, THIRTY)]


X = list(patterns.draw(patterns.get("x").cells))


def numbers_of(card: Card, cells: Iterable[tuple[int, int]]) -> list[int]:
    return sorted(patterns.shape_numbers(card, cells))


def check(play: Play, combination: str, card: int) -> Data:
    """Show a card of the game's format."""
    shown = CARDS[play.game.format][card - 1]
    return play.do(
        "claim_checked", combination=combination, issue=1, card=card, sound=True,
        rows=[list(row) for row in shown],
    )  # fmt: skip
