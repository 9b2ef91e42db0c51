"""Winners of many cards: the same as the plain rules, card by card and ball by ball."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine import winners
from bingo.rules import claims, formats, rulebooks, series
from bingo.rules.cards import Card
from bingo.rules.refusal import Refusal

NINETY = formats.NINETY
CARDS = series.emit(
    36, format=NINETY, rulebook=rulebooks.get("cape-verde-2017"), rng=random.Random(4)
)
ORDERS = st.permutations(range(1, 91)).flatmap(
    lambda order: st.integers(0, 90).map(lambda balls: order[:balls])
)


def table(cards: Sequence[Card]) -> np.ndarray:
    return np.array([[[cell or 0 for cell in row] for row in card] for card in cards], np.uint8)


def first_valid(card: Card, combination: str, order: Sequence[int]) -> int:
    """By the plain rules: the ball count at which the combination is first valid, 0 for never."""
    for count in range(1, len(order) + 1):
        if claims.judge(card, combination, drawn=order[:count]).valid:
            return count
    return 0


@pytest.mark.rule(5)
@settings(max_examples=15, deadline=None)
@given(ORDERS)
def test_completion_equals_the_plain_rules(order: list[int]) -> None:
    found = winners.completion(table(CARDS), np.array(order, dtype=np.int64))

    assert found.line.tolist() == [first_valid(card, claims.LINE, order) for card in CARDS]
    assert found.bingo.tolist() == [first_valid(card, claims.BINGO, order) for card in CARDS]


def test_completion_of_all_ninety_is_never_zero() -> None:
    order = np.array(random.Random(1).sample(range(1, 91), 90))

    found = winners.completion(table(CARDS), order)

    assert found.line.min() >= 5
    assert found.bingo.min() >= 15
    assert (found.line <= found.bingo).all()
    assert found.line.dtype == found.bingo.dtype == np.int16


def test_completion_is_zero_where_a_number_was_not_drawn() -> None:
    card = CARDS[0]
    top = [cell for cell in card[0] if cell is not None]

    found = winners.completion(table([card]), np.array(top))

    assert (found.line.tolist(), found.bingo.tolist()) == ([5], [0])


def test_completion_of_no_cards_and_of_no_balls() -> None:
    none = winners.completion(np.zeros((0, 3, 9), np.uint8), np.array([1, 2]))
    early = winners.completion(table(CARDS[:2]), np.array([], dtype=np.int64))

    assert (none.line.tolist(), none.bingo.tolist()) == ([], [])
    assert (early.line.tolist(), early.bingo.tolist()) == ([0, 0], [0, 0])


def test_completion_refuses_a_ball_drawn_twice() -> None:
    with pytest.raises(Refusal) as refused:
        winners.completion(table(CARDS[:1]), np.array([5, 6, 5]))
    assert refused.value == Refusal("repeated_ball")


@pytest.mark.parametrize(("cell", "ball"), [(-1, 1), (1, 0), (1, -1)])
def test_completion_refuses_numbers_below_one(cell: int, ball: int) -> None:
    cards = np.array([[[cell, 2], [3, 4]]], dtype=np.int16)
    with pytest.raises(Refusal) as refused:
        winners.completion(cards, np.array([ball]))
    assert refused.value == Refusal("negative_number")
