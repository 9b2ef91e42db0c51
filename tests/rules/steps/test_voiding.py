"""Voiding a game: of which cause, and every card refunded once."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import session
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range
from bingo.rules.session_state import Phase
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    WHOLE_GAMES,
    Play,
    an_issue,
    numbers,
    top_line,
)


@pytest.mark.rule(55)
def test_void_by_a_fault_before_the_first_ball_gives_everything_back() -> None:
    play = Play().till().selling()
    play.sell(10)
    voided = play.begin_draw().do("game_voided", cause="fault", reason="the blower stopped")
    assert (voided["cards"], voided["amount"]) == (10, 20_00)

    assert play.refund(1, 10)["amount"] == 20_00
    play.do("entry_completed")


@pytest.mark.rule(55)
def test_void_by_a_fault_after_the_first_ball_is_refused_and_the_draw_goes_on_by_hand() -> None:
    play = Play().till().drawing().balls(4)
    refusal = play.refused("game_voided", cause="fault", reason="the blower stopped")
    assert refusal == Refusal("fault_after_first_ball", balls=1)

    play.do("ball_announced", number=5, order=2, source="by_hand")
    play.void("other")


@pytest.mark.rule(57)
@pytest.mark.rule("BOE V")
def test_void_by_a_wrong_announcement_takes_awards_back_until_the_bingo_s_window_closes() -> None:
    play = Play(jackpot=JACKPOT).till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.window()
    assert len(play.game.awards) == 1
    play.do("draw_resumed")
    play.balls(*numbers(2)).call("bingo").check("bingo", 2)
    play.do("window_opened")
    play.void("announcement_error")

    voided = play.game
    assert not voided.awards
    assert not voided.claims
    assert not voided.unpaid
    assert play.state.jackpot is not None
    assert play.state.jackpot.balance == 800_00


@pytest.mark.rule(47)
def test_void_comes_too_late_once_the_bingo_s_window_has_closed() -> None:
    play = Play().till().drawing().balls(*numbers(2)).call("bingo")
    play.check("bingo", 2)
    play.window()
    late = {"cause": "announcement_error", "reason": "ball 4 was read as 40"}
    assert play.refused("game_voided", **late) == Refusal("bingo_already_awarded")

    play.do("game_finished")
    assert play.refused("game_voided", **late).code == "wrong_phase"


def test_void_needs_a_known_cause_and_a_reason() -> None:
    play = Play().till().drawing()

    assert play.refused("game_voided", cause="boredom", reason="x") == Refusal(
        "unknown_cause", cause="boredom"
    )
    assert play.refused("game_voided", cause="other", reason=" \n") == Refusal("reason_missing")


@pytest.mark.rule(61)
def test_void_does_not_say_that_nothing_was_sold_when_cards_were() -> None:
    play = Play().till().selling()
    play.sell(3)

    refusal = play.refused("game_voided", cause="nothing_sold", reason="a quiet afternoon")
    assert refusal == Refusal("cards_were_sold", cards=3)


@pytest.mark.rule(57)
def test_refund_in_parts_gives_each_card_s_price_back_once() -> None:
    play = Play().till().drawing(10).void()
    assert play.refund(4, 6)["amount"] == 3 * FACE
    assert play.refund(7, 7)["amount"] == FACE
    assert play.game.refunded == (Range(1, 4, 7),)

    for first, last, twice in ((4, 6, 4), (7, 9, 7), (1, 10, 4), (6, 6, 6)):
        again = play.refused("cards_refunded", issue=1, first=first, last=last, till="T1")
        assert again == Refusal("already_refunded", card=twice)
    assert play.refused("entry_completed") == Refusal("refunds_due", left=6)
    play.refund(1, 3)
    play.refund(9, 10)
    play.refund(8, 8)
    assert play.game.refunded == (Range(1, 1, 10),)
    play.do("entry_completed")


@pytest.mark.rule(57)
@pytest.mark.parametrize(
    ("issue", "first", "last", "card"),
    [(1, 0, 3, 0), (1, 5, 4, 5), (1, 10, 11, 11), (1, 3, 4, 3), (2, 5, 6, 5)],
)
def test_refund_is_of_cards_sold_in_this_game(issue: int, first: int, last: int, card: int) -> None:
    play = Play().till().selling(last_sold=3)
    play.sell(7)
    play.void()

    refusal = play.refused("cards_refunded", issue=issue, first=first, last=last, till="T1")
    assert refusal == Refusal("not_sold", card=card)


@pytest.mark.rule(38)
@pytest.mark.rule(57)
def test_refund_reaches_both_issues_and_keeps_them_apart() -> None:
    play = Play().till().selling(last_sold=88)
    play.sell(2)
    play.do("second_issue_opened", issue=an_issue(2), face=FACE)
    play.sell(3)
    play.void()
    play.refund(89, 90)
    play.refund(1, 3, issue=2)

    assert play.game.refunded == (Range(1, 89, 90), Range(2, 1, 3))
    assert play.do("entry_completed")["refunded"] == 5 * FACE


@pytest.mark.rule(55)
@WHOLE_GAMES
@given(cards=st.integers(1, 30), cuts=st.sets(st.integers(2, 30)), face=st.integers(1, 10**6))
def test_refunds_in_any_parts_give_back_exactly_what_was_taken(
    cards: int, cuts: set[int], face: int
) -> None:
    play = Play().till("T1", float=0).selling(face=face)
    play.sell(cards)
    play.void()
    edges = [1, *sorted(cut for cut in cuts if cut <= cards), cards + 1]
    for first, after in reversed(list(pairwise(edges))):
        play.refund(first, after - 1)

    assert play.state.shifts[0].cash == 0
    assert play.do("entry_completed")["refunded"] == play.game.gross
    assert play.game.phase is Phase.COMPLETE


@pytest.mark.rule(57)
def test_retired_card_between_sold_ones_is_not_refunded() -> None:
    play = Play().till().selling(retired=[(3, 4)])
    play.sell(4)
    play.void()
    across = play.refused("cards_refunded", issue=1, first=1, last=6, till="T1")
    assert across == Refusal("not_sold", card=3)
    alone = play.refused("cards_refunded", issue=1, first=3, last=3, till="T1")
    assert alone == Refusal("not_sold", card=3)
    play.refund(1, 2)
    play.refund(5, 6)
    assert play.do("entry_completed")["refunded"] == 4 * FACE


@pytest.mark.rule(55)
def test_fault_voids_when_the_game_was_held_for_its_fifteen_minutes() -> None:
    play = Play().till().selling()
    play.sell(10)
    play.do("sale_closed")
    fault = {"cause": "fault", "reason": "the blower stopped"}
    assert play.refused("game_voided", held=0, **fault) == Refusal("fault_not_suspended")
    assert play.refused("game_voided", held=5000, **fault) == Refusal("fault_not_suspended")
    play.do("game_suspended", reason="the blower stopped")
    early = play.refused("game_voided", held=899, **fault)
    assert early == Refusal("fault_may_be_mended", left=1)
    assert play.refused("game_voided", held=0, **fault).values == {"left": 900}

    assert play.do("game_voided", held=900, **fault)["held"] == 900
    assert session.replay(play.journal) == play.state
    *before, last = play.journal
    with pytest.raises(Refusal, match="fault_may_be_mended"):
        session.replay([*before, Fact(last.kind, last.data | {"held": 60})])


@pytest.mark.rule(55)
def test_fault_voids_nothing_after_a_ball_that_was_recalled() -> None:
    play = Play().till().drawing().balls(4)
    play.do("ball_recalled", number=4)
    refusal = play.refused("game_voided", cause="fault", reason="the blower stopped", held=1000)
    assert refusal == Refusal("fault_after_first_ball", balls=0)


def test_void_of_another_cause_was_not_held() -> None:
    play = Play().till().selling()
    told = play.do("game_voided", cause="other", reason="x", held=1000)
    assert "held" not in told


EVACUATED = {"cause": "other", "reason": "the hall was evacuated"}


@pytest.mark.rule(55)
@pytest.mark.rule(61)
@pytest.mark.parametrize("recalled", [False, True])
def test_another_cause_voids_after_a_ball_only_by_two_persons(recalled: bool) -> None:
    play = Play().drawing_from("by_hand")
    play.ball(1, "by_hand")
    if recalled:
        play.do("ball_recalled", number=1)
    alone = play.refused("game_voided", **EVACUATED)
    assert alone == Refusal("second_person_needed", command="game_voided")
    same = play.refused("game_voided", **EVACUATED, witness="rui", by="rui")
    assert same.code == "witness_same_person"
    told = play.do("game_voided", **EVACUATED, witness="eva", by="rui")
    assert (told["balls"], told["witness"]) == (0 if recalled else 1, "eva")
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(55)
def test_another_cause_before_a_ball_and_an_error_after_it_need_one_person() -> None:
    play = Play().till().drawing()
    assert "balls" not in play.do("game_voided", **EVACUATED)
    play = Play().till().drawing().balls(1)
    told = play.do("game_voided", cause="announcement_error", reason="7 was said for 17")
    assert told.keys().isdisjoint({"balls", "witness"})


MISREAD = {"cause": "announcement_error", "reason": "7 was said for 17"}


@pytest.mark.rule(57)
def test_wrong_announcement_voids_nothing_before_a_number_was_announced() -> None:
    for play in (Play().till().selling(), Play().till().drawing()):
        assert play.refused("game_voided", **MISREAD) == Refusal("no_number_announced")
    play = Play().drawing_from("by_hand")
    play.ball(1, "by_hand")
    play.do("ball_recalled", number=1)
    play.do("game_voided", **MISREAD)
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(57)
def test_void_by_a_wrong_announcement_of_before_that_duty_is_read_as_it_was() -> None:
    for duties in (None, 2):
        play = Play(duties=duties).till().drawing()
        play.do("game_voided", **MISREAD)
        assert session.replay(play.journal) == play.state


@pytest.mark.rule(55)
def test_void_of_another_cause_of_before_that_duty_is_read_as_it_was() -> None:
    play = Play(duties=None).till().drawing().balls(1)
    assert play.do("game_voided", **EVACUATED).keys().isdisjoint({"balls", "witness"})
    assert session.replay(play.journal) == play.state
