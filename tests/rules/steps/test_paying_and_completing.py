"""Paying: each winning card paid once; then the game's entry."""

import pytest

from bingo.rules import session
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    Play,
    an_issue,
    numbers,
    top_line,
)


@pytest.mark.rule(44)
@pytest.mark.rule(50)
def test_prize_is_paid_after_the_game_and_not_before() -> None:
    play = Play().till().drawing().balls(*numbers(2)).call("bingo")
    play.check("bingo", 2)
    play.window()
    early = play.refused("prize_paid", issue=1, card=2, till="T1")
    assert early == Refusal("wrong_phase", phase="stopped", command="prize_paid")

    play.do("game_finished")
    paid = play.pay(2)
    assert (paid["prizes"], paid["amount"], paid["tax"]) == (["line", "bingo"], 9_60, 0)


@pytest.mark.rule(50)
def test_prize_is_paid_once() -> None:
    play = Play().till("T1").till("T2").drawing().bingo(2)
    play.pay(2, till="T1")

    again = play.refused("prize_paid", issue=1, card=2, till="T2")
    assert again == Refusal("already_paid", card=2)


@pytest.mark.rule(50)
@pytest.mark.parametrize(("issue", "card"), [(1, 3), (2, 2)])
def test_prize_is_paid_to_the_card_that_won_it(issue: int, card: int) -> None:
    play = Play().till().drawing().bingo(2)

    refusal = play.refused("prize_paid", issue=issue, card=card, till="T1")
    assert refusal == Refusal("no_prize", card=card)


@pytest.mark.rule(60)
def test_entry_waits_for_every_prize_and_the_next_game_for_the_entry() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.window()
    play.do("draw_resumed")
    play.bingo(2).pay(2)
    assert play.refused("entry_completed") == Refusal("prizes_unpaid", left=1)
    following = {"format": 90, "face": FACE, "issue": an_issue(1, last_sold=6), "matrix": ""}
    assert play.refused("game_opened", **following) == Refusal("game_not_complete")

    play.pay(1)
    play.do("entry_completed")
    assert play.do("game_opened", **following)["number"] == 2


@pytest.mark.rule(57)
@pytest.mark.rule(61)
def test_tax_on_sales_is_owed_of_a_game_played_and_of_no_void_one() -> None:
    levied = {"rate": 500, "threshold": 0, "on_sales": True}
    played = Play(tax=levied).till().drawing(10).bingo(2)
    played.pay(2)
    assert played.do("entry_completed")["sales_tax"] == 1_00  # of 20.00

    void = Play(tax=levied).till().drawing(10).void()
    void.refund(1, 10)
    assert "sales_tax" not in void.do("entry_completed")


@pytest.mark.rule(61)
def test_entry_holds_what_the_acta_asks() -> None:
    play = Play(tax={"rate": 1000, "threshold": 0}, jackpot=JACKPOT).till().drawing(100 // 10)
    play.bingo(2).pay(2)
    entry = play.do("entry_completed")

    # 20.00 sold: the fund is 16.00, of it 0.48 to the jackpot, 11.64 to the bingo, 3.88 the line.
    assert entry == {
        "cards": 10,
        "gross": 20_00,
        "balls": 15,
        "paid": {"line": 3_88, "bingo": 11_64, "jackpot": 800_48},
        "tax": 38 + 1_16 + 80_04,
        "refunded": 0,
        "void": None,
    }


@pytest.mark.rule(61)
def test_entry_of_a_void_game_says_why_and_what_was_given_back() -> None:
    play = Play().till().drawing(10).balls(4).void("announcement_error")
    play.refund(1, 10)

    assert play.do("entry_completed") == {
        "cards": 10,
        "gross": 20_00,
        "balls": 1,
        "paid": {"line": 0, "bingo": 0, "jackpot": 0},
        "tax": 0,
        "refunded": 20_00,
        "void": "the hall was evacuated",
    }


def test_entry_shows_what_the_rng_was_bound_to() -> None:
    play = Play().till().drawing().bingo(1)
    play.pay(1)
    for wrong in ({"seed": "ab"}, {"seed": "ab", "nonce": "xy"}, {"seed": "", "nonce": "ab"}, {}):
        assert play.refused("entry_completed", opening=wrong) == Refusal("bad_opening")
    opening = {"seed": "ab" * 32, "nonce": "cd" * 16}
    assert play.do("entry_completed", opening=opening)["opening"] == opening


def test_entry_completed_without_a_proof_says_why() -> None:
    play = Play().till().drawing(10).balls(4).void("announcement_error")
    play.refund(1, 10)
    opening = {"seed": "ab", "nonce": "cd"}
    assert play.refused("entry_completed", unproven="") == Refusal("bad_opening")
    both = play.refused("entry_completed", opening=opening, unproven="rng_failed")
    assert both == Refusal("bad_opening")
    assert play.do("entry_completed", unproven="rng_failed")["unproven"] == "rng_failed"
    assert session.replay(play.journal) == play.state
