"""A fault before the first ball suspends the game; after it nothing does (R55)."""

import pytest

from bingo.rules import session, session_state
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from tests.support.rules_floor import hand_out, settle
from tests.support.rules_playing import FACE, Play, an_issue

pytestmark = pytest.mark.rule(55)


def closed() -> Play:
    """A game whose sale is closed."""
    play = Play().till().selling()
    play.sell(6)
    play.do("sale_closed")
    return play


def test_game_is_held_before_the_draw_is_announced() -> None:
    play = closed()
    assert play.do("game_suspended", reason="no light") == {"reason": "no light"}
    assert (play.game.phase, play.game.suspended) == (Phase.CLOSED, "no light")
    assert play.refused("draw_announced") == Refusal("suspended", reason="no light")
    play.do("game_resumed", decision="a generator")
    assert play.game.suspended is None
    play.do("draw_announced")


def test_draw_is_held_before_its_first_ball() -> None:
    play = Play().drawing_from("rng")
    play.do("game_suspended", reason="no answer")
    held = play.refused("ball_announced", number=1, order=None, source="rng")
    assert held == Refusal("suspended", reason="no answer")
    assert play.refused("claim_called", combination="line").code == "suspended"
    play.do("game_resumed", decision="it answers")
    play.ball(1)


SELL = {"quantity": 1, "first": None, "till": "T1", "seller": None}
HAND_OUT = {"quantity": 1, "seller": "rui", "till": "T1"}


def test_sale_is_held_from_its_announcement_on() -> None:
    play = Play().till().opened()
    assert play.refused("game_suspended", reason="no light").code == "wrong_phase"
    play.do("sale_announced")
    play.sell(2)
    hand_out(play, 4)
    play.do("game_suspended", reason="no light")
    told = Refusal("suspended", reason="no light")
    assert play.refused("cards_sold", **SELL) == told
    assert play.refused("cards_handed_out", **HAND_OUT) == told
    assert play.refused("sale_closed") == told
    # What a seller has sold was sold before: it is settled, so that all can be refunded.
    assert settle(play, 3, 6, returned=[(5, 6)])["quantity"] == 2
    play.do("cards_written_off", issue=1, first=9, last=9, reason="wet")
    play.do("game_resumed", decision="a generator")
    play.sell(1)
    assert session.replay(play.journal) == play.state


def test_second_issue_waits_while_the_sale_is_held() -> None:
    play = Play().till().selling(last_sold=80)
    play.do("game_suspended", reason="no light")
    assert play.refused("second_issue_opened", issue=an_issue(2), face=FACE).code == "suspended"


def test_held_sale_that_nothing_mends_is_voided_with_its_refunds() -> None:
    play = Play().till().selling()
    play.sell(3)
    early = play.refused("game_voided", cause="fault", reason="no light", held=2000)
    assert early == Refusal("fault_not_suspended")
    play.do("game_suspended", reason="no light")
    early = play.refused("game_voided", cause="fault", reason="no light", held=899)
    assert early == Refusal("fault_may_be_mended", left=1)
    told = play.do("game_voided", cause="fault", reason="no light", held=900)
    assert (told["cards"], told["amount"]) == (3, 3 * FACE)
    assert play.game.suspended is None
    play.refund(1, 3)
    play.do("entry_completed")
    assert session.replay(play.journal) == play.state


def test_game_is_held_once_and_resumed_once() -> None:
    play = closed()
    assert play.refused("game_resumed", decision="x") == Refusal("not_suspended")
    play.do("game_suspended", reason="no light")
    assert play.refused("game_suspended", reason="x") == Refusal("suspended", reason="no light")


def test_nothing_is_held_after_the_first_ball() -> None:
    play = Play().drawing_from("by_hand")
    play.ball(1, "by_hand")
    refusal = play.refused("game_suspended", reason="no light")
    assert refusal == Refusal("fault_after_first_ball", balls=1)
    # A ball that was recalled was a ball all the same.
    play.do("ball_recalled", number=1)
    assert play.refused("game_suspended", reason="no light").code == "fault_after_first_ball"


def test_suspension_and_its_end_say_why() -> None:
    play = closed()
    assert play.refused("game_suspended", reason=" ") == Refusal("reason_missing")
    play.do("game_suspended", reason="no light")
    assert play.refused("game_resumed", decision="") == Refusal("text_missing")


def test_unmended_game_is_voided_and_held_no_more() -> None:
    play = closed()
    play.do("game_suspended", reason="no light")
    play.void("fault")
    assert play.game.suspended is None
    assert session.replay(play.journal) == play.state


def test_suspended_game_is_read_back_as_it_was_written() -> None:
    play = closed()
    play.do("game_suspended", reason="no light")
    assert session_state.load(session_state.dump(play.state)) == play.state
    assert session.replay(play.journal) == play.state
