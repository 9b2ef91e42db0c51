"""What cards lack, ball by ball: the same as the plain rules, with balls taken back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.engine.winners import Lacks, lacking, table
from bingo.rules import formats
from tests.support.winners import CARDS, PLAYED


def at(found: Lacks, card: int, balls: int) -> int:
    """What a card lacks after so many balls have come or gone, as the page reads it."""
    changes = [change for change in found.changes[card] if abs(change) <= balls]
    return found.starts[card] - sum(1 if change > 0 else -1 for change in changes)


def plainly(card: tuple[tuple[int | None, ...], ...], ways: object, out: set[int]) -> int:
    """What a card lacks of the nearest way, by looking at each cell."""
    return min(
        sum(1 for row, column in way if card[row][column] and card[row][column] not in out)
        for way in ways  # type: ignore[attr-defined]
    )


@pytest.mark.rule(43)
@pytest.mark.parametrize("highest", sorted(CARDS))
@given(seed=st.integers(0, 2**32), back=st.integers(0, 20))
def test_every_card_lacks_what_the_plain_rules_say(highest: int, seed: int, back: int) -> None:
    drawn = random.Random(seed).sample(list(formats.get_format(highest).numbers), 20)
    balls = [*drawn[:back], *([-drawn[back - 1]] if back else []), *drawn[back:]]
    cards = CARDS[highest][:12]
    found = lacking(table(cards), combinations=PLAYED[highest], balls=balls)
    out: set[int] = set()
    for n in range(len(balls) + 1):
        if n:
            out = out | {balls[n - 1]} if balls[n - 1] > 0 else out - {-balls[n - 1]}
        for one, combination in zip(found, PLAYED[highest], strict=True):
            assert one.combination == combination.name
            for place, card in enumerate(cards):
                assert at(one, place, n) == plainly(card, combination.ways, out)


def test_before_the_first_ball_every_card_lacks_all() -> None:
    [line, bingo] = lacking(table(CARDS[90][:3]), combinations=PLAYED[90], balls=[])
    assert (line.starts, bingo.starts) == ((5, 5, 5), (15, 15, 15))
    assert line.changes == ((), (), ())
