"""Claims in a game: cards checked, "any more?" asked for each prize, and who wins how much."""

from dataclasses import replace
from typing import Any

import pytest

from bingo.rules import cards, session, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from bingo.rules.steps import awarding_and_finishing
from tests.support.rules_playing import (
    JACKPOT,
    MATRIX,
    Play,
    claim,
    numbers,
    rows,
    top_line,
    within,
)


def won(play: Play) -> list[tuple[str, int, int]]:
    """Every award as (prize, card, minor units)."""
    return [(award.combination, award.card, award.amount) for award in play.game.awards]


def line_of(*holders: int) -> Play:
    """A game of ten cards, stopped by a line that these cards hold and have shown."""
    play = Play().till().drawing(10)
    for card in holders:
        play.balls(*top_line(card))
    play.call("line")
    for card in holders:
        play.check("line", card)
    return play


@pytest.mark.rule(43)
def test_call_stops_the_draw() -> None:
    play = Play().till().drawing().balls(17)
    assert play.do("claim_called", combination="line") == {"combination": "line", "count": 1}

    assert play.game.phase is Phase.STOPPED
    early = play.refused("ball_announced", number=18, order=None, source="rng")
    assert early == Refusal("wrong_phase", phase="stopped", command="ball_announced")


@pytest.mark.rule(43)
def test_call_stands_until_a_card_is_checked_for_it_or_it_is_withdrawn() -> None:
    play = Play().till().drawing().balls(17).call("bingo")
    unanswered = Refusal("call_not_answered", combination="bingo")
    assert play.refused("draw_resumed") == unanswered
    play.check("line", 1)  # of another prize
    assert play.refused("draw_resumed") == unanswered
    assert play.refused("draw_resumed", withdrawn=" ") == Refusal("reason_missing")

    told = play.do("draw_resumed", withdrawn="A player stretched")
    assert told == {"withdrawn": "A player stretched", "combination": "bingo"}
    assert play.balls(18).game.balls == (17, 18)


@pytest.mark.rule(43)
def test_wrong_card_answers_a_call() -> None:
    play = Play().till().drawing().balls(17).call("bingo")
    play.check("bingo", 1)

    assert play.game.called == ""
    late = play.refused("draw_resumed", withdrawn="too late")
    assert late == Refusal("no_call_to_withdraw")
    assert play.do("draw_resumed") == {}


@pytest.mark.rule(43)
def test_bingo_called_over_an_awarded_line_is_looked_at_first() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.window()
    play.do("draw_resumed")
    play.balls(min(numbers(2) - set(play.game.balls))).call("bingo")

    assert play.refused("draw_resumed").code == "call_not_answered"


@pytest.mark.rule(43, 47)
def test_call_of_the_line_waits_no_longer_once_its_card_has_won_the_bingo() -> None:
    play = Play().till().drawing().balls(*sorted(numbers(1))).call("line")
    play.check("bingo", 1)
    assert play.game.unanswered == "line"
    play.window()

    assert (play.game.closed, play.game.unanswered) == (("line", "bingo"), "")
    play.do("game_finished")


@pytest.mark.rule(43, 47)
def test_call_waits_no_longer_once_the_bingo_is_won_though_its_prize_was_carried_on() -> None:
    play = refused_for_its_marks(duties=2)
    play.do("draw_resumed")
    left = numbers(2) - set(play.game.balls)
    play.balls(*sorted(left)).call("line").check("bingo", 2)
    play.window()

    assert (play.game.closed, play.game.unanswered) == (("bingo",), "")


@pytest.mark.rule(43)
def test_sessions_older_than_the_answer_go_on_without_one() -> None:
    play = Play(duties=1).till().drawing().balls(17).call("bingo")

    assert play.do("draw_resumed") == {}


@pytest.mark.rule(47)
def test_call_of_a_line_after_its_window_is_not_heard() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.window()
    play.do("draw_resumed")

    late = play.refused("claim_called", combination="line")
    assert late == Refusal("prize_closed", combination="line")
    play.balls(*numbers(2)).call("bingo")


def test_call_is_line_or_bingo() -> None:
    play = Play().till().drawing()

    for combination in ("jackpot", "corners"):
        refusal = play.refused("claim_called", combination=combination)
        assert refusal == Refusal("unknown_combination", combination=combination)


@pytest.mark.rule(5)
@pytest.mark.rule("BOE I")
@pytest.mark.parametrize("line", [0, 1, 2])
def test_line_is_any_of_the_three_and_shown_with_its_numbers(line: int) -> None:
    called = cards.lines(MATRIX[3])[line]
    play = Play().till().drawing().balls(*called).call("line")
    checked = play.check("line", 4)

    assert (checked["valid"], checked["reason"], checked["line"]) == (True, None, line)
    assert (checked["called"], checked["missing"]) == (sorted(called), [])
    assert (checked["rows"], checked["wins"]) == (rows(4), ["line"])


@pytest.mark.rule(5)
@pytest.mark.rule("BOE I")
def test_bingo_lacking_one_number_is_wrong_and_with_it_right() -> None:
    *most, last = sorted(numbers(4))
    play = Play().till().drawing().balls(*most).call("bingo")
    wrong = play.check("bingo", 4)
    assert (wrong["valid"], wrong["reason"]) == (False, "numbers_missing")
    assert (wrong["missing"], wrong["wins"]) == ([last], [])

    play.do("draw_resumed")
    play.balls(last).call("bingo")
    assert play.check("bingo", 4)["valid"] is True


@pytest.mark.rule(43)
@pytest.mark.rule("BOE IV")
def test_wrong_card_is_recorded_and_the_draw_goes_on() -> None:
    play = Play().till().drawing().balls(1, 2).call("line")
    assert play.check("line", 1)["valid"] is False
    assert play.refused("window_opened") == Refusal("no_valid_claim")

    play.do("draw_resumed")
    assert play.game.phase is Phase.DRAWING
    assert play.game.closed == ()


@pytest.mark.rule(50)
@pytest.mark.rule(30)
def test_card_unmarked_or_not_intact_stays_refused_for_that_prize() -> None:
    play = refused_for_its_marks()
    assert play.game.refused == (("line", 1, 2),)
    assert play.game.pending == ()
    for sound in (True, False, True):
        again = play.check("line", 2, sound=sound)
        assert (again["valid"], again["reason"], again["wins"]) == (False, "refused_before", [])
    assert session_state.load(session_state.dump(play.state)) == play.state
    assert session.replay(play.journal) == play.state


def refused_for_its_marks(**changes: Any) -> Play:
    """A game in which card 2 was refused for the line because it was not marked."""
    play = Play(**changes).till().drawing().balls(*top_line(2)).call("line")
    unsound = play.check("line", 2, sound=False)
    assert (unsound["valid"], unsound["reason"]) == (False, "not_sound")
    return play


REVERSAL = {"combination": "line", "issue": 1, "card": 2, "reason": "it was the light"}


@pytest.mark.rule(30)
def test_refusal_for_marks_is_reversed_by_two_persons_with_their_reason() -> None:
    play = refused_for_its_marks()
    alone = play.refused("refusal_reversed", **REVERSAL)
    assert alone == Refusal("second_person_needed", command="refusal_reversed")
    same = play.refused("refusal_reversed", **REVERSAL, witness="rui", by="rui")
    assert same.code == "witness_same_person"
    mute = play.refused("refusal_reversed", **REVERSAL | {"reason": " "}, witness="eva")
    assert mute.code == "reason_missing"

    told = play.do("refusal_reversed", **REVERSAL, witness="eva")
    assert told == {**REVERSAL, "witness": "eva"}
    assert play.refused("refusal_reversed", **REVERSAL, witness="eva").code == "not_refused"
    # It is still the check that says whether the card is right.
    assert play.game.pending == ()
    assert play.check("line", 2)["valid"] is True
    assert session.replay(play.journal) == play.state
    *_before, last = play.journal
    unnamed = [*play.journal[:-2], Fact("refusal_reversed", dict(REVERSAL)), last]
    with pytest.raises(Refusal, match="second_person_needed"):
        session.replay(unnamed)


@pytest.mark.rule(7)
@pytest.mark.rule(30)
def test_line_that_the_bingo_card_lost_by_its_marks_goes_to_players_of_a_later_game() -> None:
    play = refused_for_its_marks()
    play.do("draw_resumed")
    play.balls(*sorted(numbers(2) - set(play.game.balls))).call("bingo")
    assert play.check("bingo", 2)["wins"] == ["bingo"]
    play.do("window_opened")
    told = play.do("window_closed")
    prizes = play.game.prizes
    assert prizes is not None
    assert {one["combination"] for one in told["awards"]} >= {"bingo"}
    assert "line" not in {one["combination"] for one in told["awards"]}
    # Neither the card that lost it nor the hall has it: all of the fund goes to players.
    assert sum(told["carried"].values()) == prizes.line > 0
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(30)
def test_line_goes_to_another_card_of_the_bingo_that_did_not_lose_it() -> None:
    play = Play().till().drawing().balls(*top_line(2)).call("line")
    play.check("line", 2, sound=False)
    play.do("draw_resumed")
    both = numbers(2) | numbers(3)
    play.balls(*sorted(both - set(play.game.balls))).call("bingo")
    play.check("bingo", 2)
    play.check("bingo", 3)
    play.do("window_opened")
    told = play.do("window_closed")
    line = [one for one in told["awards"] if one["combination"] == "line"]
    assert [one["card"] for one in line] == [3]
    assert "carried" not in told


@pytest.mark.rule(30)
def test_reversal_out_of_the_journal_leaves_the_card_refused() -> None:
    play = refused_for_its_marks()
    play.do("refusal_reversed", **REVERSAL, witness="eva")
    play.check("line", 2)
    without = [fact for fact in play.journal if fact.kind != "refusal_reversed"]
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay(without)


@pytest.mark.rule(30)
def test_refusal_for_marks_is_of_that_prize_and_that_card_alone() -> None:
    play = refused_for_its_marks()
    for card in (1, 2):
        none = play.refused(
            "refusal_reversed", **REVERSAL | {"combination": "bingo", "card": card}, witness="eva"
        )
        assert none == Refusal("not_refused", combination="bingo", card=card)
    play.do("draw_resumed")
    play.balls(*sorted(numbers(2))).call("bingo")
    # The bingo of the card is heard, but does not bring the line that it was refused for.
    assert play.check("bingo", 2)["wins"] == ["bingo"]


@pytest.mark.rule(30)
def test_card_whose_numbers_were_missing_is_not_refused_for_its_marks() -> None:
    play = Play().till().drawing().balls(1).call("line")
    assert play.check("line", 2, sound=False)["reason"] == "numbers_missing"
    assert play.game.refused == ()


@pytest.mark.rule(30)
@pytest.mark.rule(47)
def test_refusal_is_not_reversed_once_the_prize_is_closed() -> None:
    play = refused_for_its_marks()
    play.do("draw_resumed")
    play.balls(*top_line(1)).call("line").check("line", 1)
    play.window()
    late = play.refused("refusal_reversed", **REVERSAL, witness="eva")
    assert late == Refusal("prize_closed", combination="line")
    play.do("draw_resumed")
    assert play.refused("refusal_reversed", **REVERSAL, witness="eva").code == "wrong_phase"


@pytest.mark.rule(30)
def test_card_checked_again_before_refusals_lasted_is_read_as_it_was() -> None:
    play = refused_for_its_marks(duties=None)
    assert play.check("line", 2)["valid"] is True
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(36)
def test_card_that_was_not_sold_in_this_game_wins_nothing() -> None:
    play = Play().till().selling(last_sold=3)
    play.sell(6)
    play.begin_draw().balls(*numbers(3), *numbers(10)).call("bingo")

    for card, issue in ((3, 1), (10, 1), (4, 2)):
        assert play.check("bingo", card, issue=issue)["reason"] == "not_sold"
    assert play.game.pending == ()


@pytest.mark.rule(49)
def test_line_completed_some_balls_ago_shares_when_called_in_the_window() -> None:
    play = Play().till().drawing(10).balls(*top_line(5))
    play.balls(*top_line(2)).call("line").check("line", 2)
    play.do("window_opened")
    play.check("line", 5)
    play.do("window_closed")

    assert won(play) == [("line", 2, 2_00), ("line", 5, 2_00)]


@pytest.mark.rule(6)
@pytest.mark.rule("BOE I")
def test_line_of_three_is_shared_to_the_unit_in_card_order() -> None:
    play = line_of(9, 2, 5)
    play.window()

    # 20 % of ten cards of 2.00, in three.
    assert won(play) == [("line", 2, 1_34), ("line", 5, 1_33), ("line", 9, 1_33)]


@pytest.mark.rule(46)
@pytest.mark.rule("BOE IV")
def test_right_card_holds_the_draw_until_more_has_been_asked() -> None:
    play = line_of(1)
    assert play.refused("draw_resumed") == Refusal("window_not_held")
    assert play.do("window_opened") == {"combinations": ["line"]}
    wait = play.refused("draw_resumed")
    assert wait == Refusal("wrong_phase", phase="window", command="draw_resumed")

    play.do("window_closed")
    play.do("draw_resumed")


@pytest.mark.rule(47)
def test_line_called_after_its_window_is_refused() -> None:
    play = line_of(1)
    play.window()
    late = play.refused("claim_checked", **claim("line", 2))
    assert late == Refusal("prize_closed", combination="line")

    play.do("draw_resumed")
    play.balls(*top_line(2)).call("bingo")
    assert play.refused("claim_checked", **claim("line", 2)) == late


@pytest.mark.rule(44)
def test_game_goes_on_after_the_line_and_ends_with_the_bingo() -> None:
    play = line_of(1)
    play.window()
    assert play.refused("game_finished") == Refusal("bingo_not_awarded")

    play.do("draw_resumed")
    play.bingo(2)
    assert play.game.phase is Phase.PAYING
    assert won(play) == [("line", 1, 4_00), ("bingo", 2, 12_00)]


@pytest.mark.rule(44)
def test_draw_does_not_go_on_after_the_bingo() -> None:
    play = Play().till().drawing().balls(*numbers(1)).call("bingo")
    play.check("bingo", 1)
    play.window()

    assert play.refused("draw_resumed") == Refusal("bingo_already_awarded")


@pytest.mark.rule(46)
def test_bingo_before_any_line_takes_the_line_and_asks_for_both() -> None:
    play = Play().till().drawing(10).balls(*numbers(7)).call("bingo")
    assert play.check("bingo", 7)["wins"] == ["line", "bingo"]
    assert play.do("window_opened") == {"combinations": ["line", "bingo"]}
    play.do("window_closed")

    assert won(play) == [("line", 7, 4_00), ("bingo", 7, 12_00)]


@pytest.mark.rule(6)
def test_two_bingos_at_once_without_a_line_share_both_prizes() -> None:
    play = Play().till().drawing(10).balls(*numbers(7), *numbers(3)).call("bingo")
    play.check("bingo", 7)
    play.do("window_opened")
    assert play.check("bingo", 3)["wins"] == ["line", "bingo"]
    play.do("window_closed")

    assert won(play) == [
        ("line", 3, 2_00),
        ("line", 7, 2_00),
        ("bingo", 3, 6_00),
        ("bingo", 7, 6_00),
    ]


@pytest.mark.rule(6)
@pytest.mark.rule(49)
@pytest.mark.parametrize("second", [("bingo", 3), ("line", 2)])
@pytest.mark.parametrize("first", [7, 3])
def test_prizes_do_not_depend_on_the_order_in_which_bingos_and_a_late_line_are_checked(
    first: int, second: tuple[str, int]
) -> None:
    play = Play().till().drawing(10).balls(*numbers(7), *numbers(3), *top_line(2)).call("bingo")
    calls = {("bingo", 7), ("bingo", 3), ("line", 2)} - {("bingo", first)}
    play.check("bingo", first)
    for combination, card in sorted(calls, key=lambda call: call != second):
        play.check(combination, card)
    play.window()

    assert won(play) == [
        ("line", 2, 1_34),
        ("line", 3, 1_33),
        ("line", 7, 1_33),
        ("bingo", 3, 6_00),
        ("bingo", 7, 6_00),
    ]


def test_bingo_after_a_line_was_called_takes_the_line_only_by_calling_it() -> None:
    play = line_of(1)
    play.do("window_opened")
    play.do("window_closed")
    play.do("draw_resumed")
    play.balls(*numbers(7)).call("bingo")

    assert play.check("bingo", 7)["wins"] == ["bingo"]


def test_bingo_whose_own_line_was_called_apart_does_not_take_it_twice() -> None:
    play = Play().till().drawing(10).balls(*numbers(7), *numbers(3)).call("bingo")
    play.check("bingo", 7)
    assert play.check("line", 3)["wins"] == ["line"]
    assert play.check("bingo", 3)["wins"] == ["bingo"]
    play.window()

    assert [card for prize, card, _amount in won(play) if prize == "line"] == [3, 7]


@pytest.mark.rule(46)
def test_bingo_found_while_lines_are_asked_for_gets_its_own_question() -> None:
    play = Play().till().drawing(10).balls(*numbers(7), *top_line(1)).call("line")
    play.check("line", 1)
    assert play.do("window_opened") == {"combinations": ["line"]}
    assert play.check("bingo", 7)["wins"] == ["bingo"]
    assert play.do("window_closed")["awards"] == [
        {"combination": "line", "issue": 1, "card": 1, "amount": 4_00, "tax": 0}
    ]
    assert play.refused("draw_resumed") == Refusal("window_not_held")
    assert play.refused("game_finished") == Refusal("bingo_not_awarded")

    assert play.do("window_opened") == {"combinations": ["bingo"]}
    assert play.check("bingo", 3)["valid"] is False
    play.do("window_closed")
    play.do("game_finished")
    assert won(play) == [("line", 1, 4_00), ("bingo", 7, 12_00)]


@pytest.mark.rule(9)
def test_jackpot_of_two_bingos_is_shared_and_missed_by_a_ball_too_many() -> None:
    play = Play(jackpot=JACKPOT | within(30)).till().drawing(10)
    play.balls(*numbers(7), *numbers(3)).call("bingo")
    for card in (7, 3):
        play.check("bingo", card)
    play.window()
    jackpots = [award for award in won(play) if award[0] == "jackpot"]

    assert len(play.game.balls) <= 30
    # 800.00 and this game's 3 % of 16.00
    assert jackpots == [("jackpot", 3, 400_24), ("jackpot", 7, 400_24)]


def test_line_does_not_win_the_jackpot() -> None:
    play = Play(jackpot=JACKPOT).till().drawing(10).balls(*top_line(1)).call("line")
    play.check("line", 1)

    assert [award["combination"] for award in play.window()] == ["line"]


@pytest.mark.rule(61)
def test_award_withholds_the_tax_of_each_prize() -> None:
    play = Play(tax={"rate": 2500, "threshold": 5_00}).till().drawing(10).bingo(2)

    taxes = [(award.combination, award.amount, award.tax) for award in play.game.awards]
    assert taxes == [("line", 4_00, 0), ("bingo", 12_00, 1_75)]


def test_card_found_right_is_not_checked_twice() -> None:
    play = line_of(1)

    refusal = play.refused("claim_checked", **claim("line", 1))
    assert refusal == Refusal("already_claimed", combination="line", card=1)


def test_check_is_of_line_or_bingo() -> None:
    play = line_of(1)

    refusal = play.refused("claim_checked", **claim("jackpot", 1))
    assert refusal == Refusal("unknown_combination", combination="jackpot")


@pytest.mark.rule(14)
@pytest.mark.parametrize(
    "forged",
    [[], [[None] * 9] * 3, rows(1)[:2], [[1, 2, 3, 4, 5, *[None] * 4], *rows(1)[1:]]],
    ids=["nothing", "blank", "two lines", "crowded"],
)
@pytest.mark.parametrize("combination", ["line", "bingo"])
def test_check_refuses_rows_that_are_no_card(forged: list[Any], combination: str) -> None:
    play = Play().till().drawing().balls(*range(1, 91)).call("bingo")

    refusal = play.refused("claim_checked", **(claim(combination, 1) | {"rows": forged}))
    assert refusal == Refusal("bad_card", card=1)


def test_window_of_a_game_without_prizes_is_refused() -> None:
    # No command leads here: the sale's close fixes them. A forged state must not get further.
    with pytest.raises(Refusal) as caught:
        awarding_and_finishing.close_window(replace(line_of(1).game, prizes=None))
    assert caught.value == Refusal("prizes_not_fixed")


def line_lost(**changes: Any) -> Play:
    """A game whose bingo card had lost the line by its marks, before the window is asked for."""
    play = refused_for_its_marks(**changes)
    play.do("draw_resumed")
    left = (numbers(2) | top_line(3)) - set(play.game.balls)
    play.balls(*sorted(left)).call("bingo").check("bingo", 2)
    return play


def given_away(play: Play) -> int:
    """What players of this game and of later ones have of its fund, in minor units."""
    game = play.game
    return sum(award.spent for award in game.awards) + game.to_fund + game.to_jackpot


@pytest.mark.rule(7, 30, 47)
def test_line_that_is_carried_on_is_paid_to_nobody_after() -> None:
    play = line_lost()
    play.window()
    fund = play.game.prizes and play.game.prizes.fund
    assert given_away(play) == fund
    closed = Refusal("prize_closed", combination="line")
    assert play.refused("refusal_reversed", **REVERSAL, witness="eva") == closed
    assert play.refused("claim_checked", **claim("line", 3)) == closed
    play.do("game_finished")
    assert given_away(play) == fund


@pytest.mark.rule(46)
def test_line_found_right_in_the_bingos_window_is_asked_for_before_the_end() -> None:
    play = line_lost()
    play.do("window_opened")
    play.check("line", 3)
    play.do("window_closed")
    assert play.refused("game_finished").code == "window_not_held"
    play.window()
    play.do("game_finished")
    assert given_away(play) == (play.game.prizes and play.game.prizes.fund)


def test_session_of_earlier_duties_closes_only_what_was_asked_for() -> None:
    play = line_lost(duties=2)
    play.window()
    assert "line" not in play.game.closed
    assert play.check("line", 3)["valid"]
    play.do("game_finished")
