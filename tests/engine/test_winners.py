"""Winners of many cards: the same as the plain rules, card by card and ball by ball."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.engine.winners import Winners, Words, pairs, table
from bingo.rules import formats, patterns
from bingo.rules.refusal import Refusal
from tests.support.winners import CARDS, PLAYED


def winners(highest: int, count: int | None = None) -> Winners:
    return Winners(
        table(CARDS[highest])[:count],
        format=formats.get_format(highest),
        combinations=PLAYED[highest],
    )


# By the plain rules: the numbers of each way of each combination, card by card.
WAYS = {
    highest: {
        combination.name: [patterns.combination_ways(combination, card) for card in cards]
        for combination in PLAYED[highest]
    }
    for highest, cards in CARDS.items()
}


def lacking(highest: int, balls: Sequence[int], count: int) -> dict[str, set[tuple[int, int]]]:
    """By the plain rules: the ways (way, card) of each combination that lack `count` numbers."""
    announced = set(balls)
    return {
        name: {
            (way, at)
            for at, ways in enumerate(cards)
            for way, numbers in enumerate(ways)
            if len(numbers - announced) == count
        }
        for name, cards in WAYS[highest].items()
    }


def named(told: Words, sold: Winners) -> dict[str, set[tuple[int, int]]]:
    """What a ball told, by combination."""
    found: dict[str, set[tuple[int, int]]] = {name: set() for name, _way in sold.ways}
    for place, card in pairs(told):
        name, way = sold.ways[place]
        found[name].add((way, card))
    return found


@pytest.mark.slow
@pytest.mark.rule(5)
@pytest.mark.rule(49)
@pytest.mark.parametrize("highest", CARDS)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_each_ball_tells_what_the_plain_rules_say(highest: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(1, highest + 1)))
    sold = winners(highest)
    none, one = lacking(highest, [], 0), lacking(highest, [], 1)
    for count in range(1, data.draw(st.integers(1, highest)) + 1):
        found = sold.announce(order[count - 1])
        before, none = none, lacking(highest, order[:count], 0)
        assert named(found.done, sold) == {name: none[name] - before[name] for name in none}
        before, one = one, lacking(highest, order[:count], 1)
        assert named(found.near, sold) == {name: one[name] - before[name] for name in one}
    for name in none:
        assert sold.complete(name) == sorted({card for _way, card in none[name]})
        assert sold.near(name) == sorted({card for _way, card in one[name]})


@pytest.mark.parametrize("highest", CARDS)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_recalled_ball_leaves_no_trace(highest: int, data: st.DataObject) -> None:
    order: list[int] = data.draw(st.permutations(range(1, highest + 1)))
    played = order[: data.draw(st.integers(1, highest - 1))]
    sold, other = winners(highest), winners(highest)
    for ball in played:
        sold.announce(ball)
        other.announce(ball)
    wrong = order[len(played)]
    told = sold.announce(wrong)
    sold.recall(wrong)
    for combination in PLAYED[highest]:
        assert sold.complete(combination.name) == other.complete(combination.name)
        assert sold.near(combination.name) == other.near(combination.name)
    again = sold.announce(wrong)
    assert (pairs(again.done), pairs(again.near)) == (pairs(told.done), pairs(told.near))


def test_what_a_ball_tells_is_in_order_of_way_and_card() -> None:
    sold = winners(90)
    for ball in range(1, 91):
        found = sold.announce(ball)
        assert pairs(found.done) == sorted(pairs(found.done))
        assert pairs(found.near) == sorted(pairs(found.near))


def test_after_all_balls_every_card_is_complete_and_none_is_near() -> None:
    sold = winners(90)
    for ball in range(1, 91):
        sold.announce(ball)
    assert sold.complete("bingo") == sold.complete("line") == list(range(150))
    assert sold.near("bingo") == []


def test_one_card_and_no_card() -> None:
    one, none = winners(90, 1), winners(90, 0)
    top = [number for number in CARDS[90][0][0] if number]
    told = [
        (len(pairs(one.announce(ball).done)), len(pairs(none.announce(ball).done))) for ball in top
    ]
    assert told == [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0)]
    assert (one.complete("line"), none.complete("line")) == ([0], [])
    assert (one.near("bingo"), none.near("bingo")) == ([], [])


def test_ball_that_cannot_be_is_refused() -> None:
    sold = winners(30)
    sold.announce(7)
    for asked, refusal in (
        (lambda: sold.announce(7), Refusal("repeated_ball")),
        (lambda: sold.announce(31), Refusal("number_out_of_range", number=31, highest=30)),
        (lambda: sold.announce(0), Refusal("number_out_of_range", number=0, highest=30)),
        (lambda: sold.recall(8), Refusal("ball_not_announced", number=8)),
    ):
        with pytest.raises(Refusal) as refused:
            asked()
        assert refused.value == refusal
    assert sold.complete("bingo") == []


def test_ten_thousand_cards_take_less_than_sixty_four_bytes_each() -> None:
    cards = np.tile(table(CARDS[90]), (67, 1, 1))
    sold = Winners(cards, format=formats.NINETY, combinations=PLAYED[90])
    assert sold.nbytes < 64 * len(cards)
