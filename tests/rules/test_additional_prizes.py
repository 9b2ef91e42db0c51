"""Additional prizes and figures: games of 90, 75 and 30 played to their end, every unit paid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bingo.rules import formats, patterns, prize_distributions, session, session_state
from bingo.rules.patterns import LINES
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from tests.support.rules_additional_prizes import (
    CARDS,
    GRANTED,
    GROSS,
    SOLD,
    Data,
    X,
    check,
    numbers_of,
)
from tests.support.rules_playing import FACE, JACKPOT, Play, an_issue, numbers


def drawing(format: int, **told: Any) -> Play:
    """Sell ten cards of a format in a session that grants additional prizes, and begin the draw."""
    play = Play(distributions=GRANTED, jackpot=told.pop("jackpot", None)).till()
    play.do("game_opened", format=format, face=FACE, issue=an_issue(), matrix="ab" * 32, **told)
    play.do("sale_announced")
    play.sell(SOLD)
    return play.begin_draw()


def won(awards: Sequence[Data]) -> dict[tuple[str, int], int]:
    return {(one["combination"], one["card"]): one["amount"] for one in awards}


@pytest.mark.rule(7)
def test_bonus_is_paid_with_a_bingo_in_time() -> None:
    play = drawing(90)
    play.balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    assert won(play.window()) == {
        ("line", 1): GROSS * 15 // 100,
        ("bingo", 1): GROSS * 60 // 100,
        ("prima", 1): GROSS * 5 // 100,
    }


@pytest.mark.rule(7)
def test_bonus_that_nobody_wins_in_time_is_the_bingos() -> None:
    play = drawing(90)
    late = [ball for ball in range(1, 91) if ball not in numbers(1)][:6]
    play.balls(*late, *sorted(numbers(1))).call("bingo").check("bingo", 1)
    assert won(play.window()) == {
        ("line", 1): GROSS * 15 // 100,
        ("bingo", 1): GROSS * 65 // 100,
    }


@pytest.mark.rule(7)
def test_bonus_and_jackpot_have_limits_of_their_own() -> None:
    play = drawing(90, jackpot=JACKPOT)
    late = [ball for ball in range(1, 91) if ball not in numbers(1)][:6]
    play.balls(*late, *sorted(numbers(1))).call("bingo").check("bingo", 1)
    assert {name for name, _card in won(play.window())} == {"line", "bingo", "jackpot"}


@pytest.mark.rule(74)
def test_corners_and_line_are_called_each_for_itself() -> None:
    play = drawing(75)
    card, format = CARDS[75][0], formats.SEVENTY_FIVE
    play.balls(*numbers_of(card, patterns.shape_corners(format))).call("corners")
    assert check(play, "line", 1)["valid"] is False
    assert check(play, "corners", 1)["wins"] == ["corners"]
    assert won(play.window()) == {("corners", 1): GROSS * 5 // 100}
    play.do("draw_resumed")
    assert play.refused("claim_called", combination="corners").code == "prize_closed"
    play.balls(*numbers_of(card, patterns.columns(format)[0])).call("line")
    assert check(play, "line", 1)["valid"]
    assert won(play.window()) == {("line", 1): GROSS * 15 // 100}
    play.do("draw_resumed")
    play.balls(*numbers_of(card, patterns.whole(format))).call("bingo")
    assert check(play, "bingo", 1)["wins"] == ["bingo"]
    assert won(play.window()) == {("bingo", 1): GROSS * 60 // 100}


@pytest.mark.rule(75)
def test_rising_diagonal_is_a_line_where_the_game_says_so() -> None:
    play = drawing(75)
    card, format = CARDS[75][2], formats.SEVENTY_FIVE
    play.balls(*numbers_of(card, patterns.diagonals(format)[1])).call("line")
    checked = check(play, "line", 3)
    assert (checked["valid"], checked["line"]) == (True, 11)


@pytest.mark.rule(7)
@pytest.mark.rule(74)
def test_bingo_takes_what_nobody_called_before_it() -> None:
    play = drawing(75)
    play.balls(*numbers_of(CARDS[75][0], patterns.whole(formats.SEVENTY_FIVE))).call("bingo")
    assert check(play, "bingo", 1)["wins"] == ["line", "corners", "bingo"]
    assert sum(won(play.window()).values()) == GROSS * 80 // 100


@pytest.mark.rule(73)
def test_figure_is_the_bingo_and_has_the_whole_fund() -> None:
    play = drawing(75, pattern=X)
    play.balls(*numbers_of(CARDS[75][0], patterns.get("x").cells))
    assert play.refused("claim_called", combination="line").code == "unknown_combination"
    play.call("bingo")
    assert check(play, "bingo", 2)["valid"] is False
    assert check(play, "bingo", 1)["called"] == numbers_of(CARDS[75][0], patterns.get("x").cells)
    assert won(play.window()) == {("bingo", 1): GROSS * 80 // 100}


@pytest.mark.rule(84)
def test_thirty_with_a_column_and_no_line() -> None:
    play = drawing(30)
    card, format = CARDS[30][0], formats.THIRTY
    assert play.refused("claim_called", combination="line").code == "unknown_combination"
    play.balls(*numbers_of(card, patterns.columns(format)[1])).call("column")
    assert check(play, "column", 1)["wins"] == ["column"]
    assert won(play.window()) == {("column", 1): GROSS * 20 // 100}


@pytest.mark.rule(61)
def test_entry_tells_what_each_prize_paid() -> None:
    play = drawing(90).bingo(1)
    play.pay(1)
    done = play.do("entry_completed")
    assert done["paid"] == {"line": 300, "bingo": 1200, "jackpot": 0, "prima": 100}


def test_game_of_additional_prizes_is_the_same_from_its_journal_and_its_record() -> None:
    play = drawing(75)
    play.balls(*numbers_of(CARDS[75][0], patterns.whole(formats.SEVENTY_FIVE))).call("bingo")
    check(play, "bingo", 1)
    play.window()
    assert session.replay(play.journal) == play.state
    assert session_state.load(session_state.dump(play.state)) == play.state
    assert play.game.counts == LINES


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"format": 90, "pattern": X}, "figure_not_authorised"),
        ({"format": 75, "pattern": ["XXXXX"] * 5}, "pattern_whole_card"),
        ({"format": 75, "pattern": ["....."] * 5}, "pattern_empty"),
        ({"format": 75, "pattern": "X"}, "pattern_wrong_shape"),
        ({"format": 75, "pattern": []}, "pattern_wrong_shape"),
    ],
)
def test_figure_that_cannot_be_is_refused(told: Data, code: str) -> None:
    play = Play(distributions=GRANTED).till()
    refused = play.refused("game_opened", face=FACE, issue=an_issue(), matrix="ab" * 32, **told)
    assert refused.code == code


def test_kind_of_game_has_one_distribution() -> None:
    with pytest.raises(Refusal) as refused:
        Play(distributions=[*GRANTED, GRANTED[0]])
    assert refused.value == Refusal("distribution_repeated", format=90)


@pytest.mark.rule(7)
def test_distribution_under_the_floor_opens_no_session() -> None:
    low = prize_distributions.dump(Distribution(90, Shares(2600, 5400)))
    with pytest.raises(Refusal) as refused:
        Play(distributions=[low])
    assert refused.value.code == "bingo_below_floor"
