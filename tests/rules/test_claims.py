"""Claims: what is complete, what is missing, and that the moment does not count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import cards, patterns
from bingo.rules.cards import Card
from bingo.rules.formats import NINETY, SEVENTY_FIVE, THIRTY
from bingo.rules.patterns import Combination
from bingo.rules.steps.claiming import ClaimVerdict, judge_claim
from tests.support.shapes import BINGO as CARD_OF_75

_: None = None
CARD: Card = (
    (3, _, 21, _, 40, 52, _, 71, _),
    (_, 12, 25, 33, _, 58, 64, _, _),
    (9, _, _, 37, 46, _, _, 79, 90),
)
MIDDLE = frozenset({12, 25, 33, 58, 64})
LINE, BINGO = patterns.combination_line(NINETY), patterns.bingo(NINETY)
DRAWN = st.frozensets(st.integers(1, 90))


@pytest.mark.rule(5)
def test_line_is_valid_when_one_row_is_complete() -> None:
    assert judge_claim(CARD, LINE, drawn=[1, 2, *MIDDLE]) == ClaimVerdict(
        "line", valid=True, called=MIDDLE, missing=frozenset(), way=1
    )


@pytest.mark.rule(43)
def test_wrong_line_shows_the_nearest_row_and_what_it_lacks() -> None:
    assert judge_claim(CARD, LINE, drawn=[9, 3, 12, 37, 46, 79]) == ClaimVerdict(
        "line", valid=False, called=frozenset({9, 37, 46, 79}), missing=frozenset({90}), way=2
    )


def test_wrong_line_of_equally_near_rows_shows_the_upper() -> None:
    assert judge_claim(CARD, LINE, drawn=[12, 90]).way == 1
    assert judge_claim(CARD, LINE, drawn=[]).way == 0


@pytest.mark.rule(5)
def test_five_numbers_of_different_rows_are_no_line() -> None:
    assert not judge_claim(CARD, LINE, drawn=[3, 21, 40, 52, 90]).valid


@pytest.mark.rule(5)
def test_bingo_is_valid_when_all_fifteen_are_drawn() -> None:
    all_numbers = cards.numbers(CARD)

    assert judge_claim(CARD, BINGO, drawn=all_numbers) == ClaimVerdict(
        "bingo", valid=True, called=all_numbers, missing=frozenset(), way=None
    )


@pytest.mark.rule(43)
def test_wrong_bingo_shows_the_whole_card_s_missing_numbers() -> None:
    drawn = cards.numbers(CARD) - {52, 9} | {1, 2}

    assert judge_claim(CARD, BINGO, drawn=drawn) == ClaimVerdict(
        "bingo",
        valid=False,
        called=cards.numbers(CARD) - {52, 9},
        missing=frozenset({9, 52}),
        way=None,
    )


@pytest.mark.rule(49)
@given(DRAWN, st.integers(1, 90))
def test_line_once_complete_stays_so_whatever_is_drawn_after(drawn: set[int], ball: int) -> None:
    before = judge_claim(CARD, LINE, drawn=drawn | MIDDLE)
    after = judge_claim(CARD, LINE, drawn=drawn | MIDDLE | {ball})

    assert before.valid
    assert after.valid


@given(DRAWN, st.sampled_from([LINE, BINGO]))
def test_verdict_is_valid_only_with_nothing_missing(
    drawn: frozenset[int], asked: Combination
) -> None:
    verdict = judge_claim(CARD, asked, drawn=drawn)

    whole = verdict.called | verdict.missing
    assert verdict.valid == (not verdict.missing)
    assert verdict.called == whole & drawn
    assert whole == (cards.numbers(CARD) if verdict.way is None else cards.lines(CARD)[verdict.way])


@pytest.mark.rule(66)
@pytest.mark.rule(74)
def test_nearest_of_rows_columns_and_diagonals_is_shown() -> None:
    line = patterns.combination_line(SEVENTY_FIVE, patterns.LINES)
    rising = {61, 47, 19, 5}
    column = {31, 32, 33, 34}

    assert judge_claim(CARD_OF_75, line, drawn=[1, 2, *rising]).way == 11
    assert judge_claim(CARD_OF_75, line, drawn=[1, 2, *column]).called == column
    assert judge_claim(CARD_OF_75, line, drawn=rising - {5}).missing == {5}


@pytest.mark.rule(74)
def test_corners_are_valid_with_four_numbers() -> None:
    corners = patterns.combination_corners(SEVENTY_FIVE)

    assert judge_claim(CARD_OF_75, corners, drawn=[1, 5, 61, 65]).valid
    assert judge_claim(CARD_OF_75, corners, drawn=[1, 5, 61]).missing == {65}


CARD_OF_30: Card = ((1, 12, 21), (5, 17, 26), (9, 20, 30))


@pytest.mark.rule(83)
@given(drawn=st.frozensets(st.integers(1, 30)))
def test_bingo_of_30_is_all_the_numbers_of_a_card_and_nothing_less(drawn: frozenset[int]) -> None:
    whole = cards.numbers(CARD_OF_30)
    verdict = judge_claim(CARD_OF_30, patterns.bingo(THIRTY), drawn=drawn)
    assert verdict.valid == (whole <= drawn)
    assert verdict.missing == whole - drawn
    for left_out in whole:
        almost = judge_claim(CARD_OF_30, patterns.bingo(THIRTY), drawn=whole - {left_out})
        assert (almost.valid, almost.missing) == (False, frozenset({left_out}))
    assert judge_claim(CARD_OF_30, patterns.bingo(THIRTY), drawn=whole).valid
