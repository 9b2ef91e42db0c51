"""Double cards: one sale, two games, each with half of the money (R15, R45; BOE I, IV)."""

import json
from typing import Any

import pytest

from bingo.rules import journal_json_and_chain, session
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import paying_and_completing
from tests.support.double_cards import CARDS, between, paying, sold, won
from tests.support.rules_floor import a_purchase, hand_out, settle
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    Play,
    an_issue,
    claim,
    numbers,
    top_line,
    within,
)

# Six double cards at 2.00 a game: 12.00 a game, of which line 2.40 and bingo 7.20.
GROSS, LINE, BINGO = 12_00, 2_40, 7_20
SPAIN: dict[str, Any] = {"rulebook": "spain-1979"}


def second_half(play: Play) -> Play:
    """Open the second game and begin its draw."""
    play.do("second_half_opened")
    play.do("draw_announced")
    return play


@pytest.mark.rule(15)
def test_double_card_is_paid_for_both_its_games_when_it_is_bought() -> None:
    play = sold()
    assert play.state.shifts[0].cash - 10_000_00 == CARDS * FACE * 2
    assert (play.game.half, play.game.cards, play.game.gross) == (1, CARDS, GROSS)
    assert play.sell(1)["amount"] == 2 * FACE

    hand_out(play, 3)
    assert settle(play, 8, 10)["amount"] == 3 * 2 * FACE


@pytest.mark.rule(15)
@pytest.mark.rule("BOE IV")
def test_each_game_has_the_prizes_of_one_half() -> None:
    play = sold()
    fixed = {"gross": GROSS, "fund": 9_60, "line": LINE, "bingo": BINGO, "jackpot": 0}
    assert play.do("sale_closed")["prizes"] == fixed
    play.do("draw_announced")
    won(play, line=1, bingo=2)
    play.do("entry_completed")

    opened = play.do("second_half_opened")
    assert opened == {
        "number": 2, "cards": CARDS, "prizes": fixed,
        "ranges": [{
            "issue": 1, "letter": "A", "identification": "001", "first": 1, "last": CARDS,
        }],
    }  # fmt: skip
    assert (play.game.half, play.game.phase, play.game.balls) == (2, Phase.CLOSED, ())


@pytest.mark.rule(15)
def test_second_game_sells_nothing() -> None:
    play = between()
    play.do("second_half_opened")
    for kind, inputs in (
        ("cards_sold", a_purchase(1)),
        ("sale_announced", {}),
        ("cards_written_off", {"issue": 1, "first": 9, "last": 9, "reason": "wet"}),
    ):
        late = play.refused(kind, **inputs)
        assert late == Refusal("wrong_phase", phase="closed", command=kind)


@pytest.mark.rule(45)
def test_prizes_of_the_first_game_are_not_paid_before_the_second_is_over() -> None:
    play = paying()
    early = play.refused("prize_paid", issue=1, card=1, till="T1")
    assert early == Refusal("paid_after_second_game", card=1)
    play.do("entry_completed")
    late = play.refused("prize_paid", issue=1, card=1, till="T1")
    assert late == Refusal("wrong_phase", phase="complete", command="prize_paid")

    second_half(play)
    early = play.refused("prize_paid", issue=1, card=1, till="T1")
    assert early == Refusal("wrong_phase", phase="drawing", command="prize_paid")


@pytest.mark.rule(45)
@pytest.mark.rule("BOE IV")
@pytest.mark.parametrize(("terms", "due"), [({}, []), (SPAIN, [LINE, BINGO])])
def test_prizes_of_the_first_game_are_due_where_they_are_paid_at_once(
    terms: dict[str, Any], due: list[int]
) -> None:
    play = paying(**terms)
    assert paying_and_completing.payments_due(play.game) == due
    play.do("entry_completed")
    won(second_half(play), line=3, bingo=3)
    after = paying_and_completing.payments_due(play.game)
    assert sorted(after) == sorted([LINE, BINGO, LINE + BINGO])


@pytest.mark.rule(45)
def test_card_is_paid_once_what_it_won_in_both_games() -> None:
    play = won(second_half(between()), line=1, bingo=1)

    assert play.game.unpaid == ((1, 1), (1, 2))
    assert play.refused("entry_completed") == Refusal("prizes_unpaid", left=2)
    both = play.pay(1)
    assert (both["prizes"], both["first_game"]) == (["line", "bingo"], ["line"])
    assert both["amount"] == LINE + BINGO + LINE
    only_first = play.pay(2)
    assert (only_first["prizes"], only_first["first_game"]) == ([], ["bingo"])
    assert only_first["amount"] == BINGO
    again = play.refused("prize_paid", issue=1, card=2, till="T1")
    assert again == Refusal("already_paid", card=2)
    assert play.do("entry_completed")["paid"] == {"line": LINE, "bingo": BINGO, "jackpot": 0}


@pytest.mark.rule(45)
def test_card_that_won_the_second_game_only_is_paid_as_ever() -> None:
    play = won(second_half(between()), line=3, bingo=3)
    assert "first_game" not in play.pay(3)
    assert play.game.unpaid == ((1, 1), (1, 2))
    assert play.refused("prize_paid", issue=1, card=4, till="T1") == Refusal("no_prize", card=4)


@pytest.mark.rule(61)
def test_tax_is_withheld_on_each_games_prize_by_itself() -> None:
    play = won(second_half(between(tax={"rate": 1000, "threshold": 1_00})), line=3, bingo=2)
    paid = play.pay(2)
    # 10 % of what each 7.20 has above 1.00, not of what 14.40 has.
    assert (paid["amount"], paid["tax"]) == (2 * BINGO, 2 * 62)


@pytest.mark.rule("BOE IV")
def test_spain_may_pay_after_the_first_game() -> None:
    play = paying(**SPAIN)
    assert play.pay(1)["amount"] == LINE
    again = play.refused("prize_paid", issue=1, card=1, till="T1")
    assert again == Refusal("already_paid", card=1)
    play.do("entry_completed")

    won(second_half(play), line=3, bingo=1)
    assert play.game.unpaid == ((1, 1), (1, 2), (1, 3))
    assert "first_game" not in play.pay(1)
    assert play.pay(2)["first_game"] == ["bingo"]


@pytest.mark.rule("BOE IV")
def test_spain_may_pay_both_games_together() -> None:
    play = won(second_half(between(**SPAIN)), line=1, bingo=1)
    assert play.pay(1)["amount"] == LINE + BINGO + LINE


@pytest.mark.rule(15)
@pytest.mark.rule(57)
def test_void_of_the_first_game_refunds_both_halves_and_there_is_no_second() -> None:
    play = sold().begin_draw().balls(1, 2)
    told = play.do("game_voided", cause="announcement_error", reason="read wrong")
    assert (told["cards"], told["amount"]) == (CARDS, 2 * GROSS)
    assert play.game.collected == 2 * GROSS
    assert (play.game.played_for, play.game.played_balances) == ({}, ())
    assert play.refund(1, 2)["amount"] == 2 * 2 * FACE
    play.refund(3, CARDS)
    assert play.do("entry_completed")["refunded"] == 2 * GROSS
    assert play.state.shifts[0].cash == 10_000_00

    assert play.refused("second_half_opened") == Refusal("no_second_half")
    play.opened(last_sold=CARDS)


@pytest.mark.rule(15)
@pytest.mark.rule(57)
def test_void_of_the_second_game_refunds_one_half() -> None:
    play = second_half(between()).balls(1, 2)
    told = play.do("game_voided", cause="announcement_error", reason="read wrong")
    assert (told["cards"], told["amount"], play.game.collected) == (CARDS, GROSS, GROSS)
    assert play.refund(1, CARDS)["amount"] == GROSS
    again = play.refused("cards_refunded", issue=1, first=1, last=1, till="T1")
    assert again == Refusal("already_refunded", card=1)


@pytest.mark.rule(45)
@pytest.mark.rule(48)
def test_winner_of_the_first_game_is_signalled_until_paid_after_the_second() -> None:
    play = sold().begin_draw().balls(*sorted(top_line(1))).call("line")
    play.do("claim_checked", **claim("line", 1), place="Mesa 4")
    play.window()
    play.do("draw_resumed")
    play.bingo(2).do("entry_completed")
    second_half(play)
    assert play.game.signalled == ((1, 1, "Mesa 4"), (1, 2, ""))
    play.bingo(3)
    assert [card for _issue, card, _place in play.game.signalled] == [1, 2, 3]
    play.pay(1)
    assert [card for _issue, card, _place in play.game.signalled] == [2, 3]
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(45)
@pytest.mark.rule(57)
def test_void_of_the_second_game_leaves_what_was_won_in_the_first_to_be_paid() -> None:
    play = won(second_half(between()), line=3, bingo=4)
    over = play.refused("game_voided", cause="other", reason="x", witness="eva")
    assert over.code == "wrong_phase"

    play = second_half(between())
    play.balls(*sorted(top_line(3))).call("line").check("line", 3)
    play.window()
    play.void()
    assert play.game.unpaid == ((1, 1), (1, 2))
    play.refund(1, CARDS)
    assert play.refused("entry_completed") == Refusal("prizes_unpaid", left=2)
    # What card 3 won in the voided game is won no more.
    lost = play.refused("prize_paid", issue=1, card=3, till="T1")
    assert lost == Refusal("no_prize", card=3)
    assert play.pay(1)["amount"] + play.pay(2)["amount"] == LINE + BINGO
    done = play.do("entry_completed")
    assert (done["refunded"], done["paid"]["line"], done["paid"]["bingo"]) == (GROSS, 0, 0)


@pytest.mark.rule(15)
@pytest.mark.rule(60)
def test_nothing_comes_between_the_two_games() -> None:
    play = between()
    play.do("shift_closed", till="T1", counted=play.state.shifts[0].cash, comment="")
    other = play.refused("game_opened", format=90, face=FACE, issue=an_issue(2), matrix="ab")
    assert other == Refusal("second_half_due")
    assert play.refused("session_closed") == Refusal("second_half_due")

    play.till("T1")
    won(second_half(play), line=3, bingo=3)
    for card in (1, 2, 3):
        play.pay(card)
    play.do("entry_completed")
    assert play.refused("second_half_opened") == Refusal("no_second_half")
    play.opened(last_sold=CARDS)


@pytest.mark.rule(15)
def test_second_game_is_not_opened_before_the_first_is_complete_nor_of_single_cards() -> None:
    assert Play().refused("second_half_opened") == Refusal("no_second_half")
    play = paying()
    assert play.refused("second_half_opened") == Refusal("no_second_half")

    single = Play().till().drawing().bingo(1)
    single.pay(1)
    single.do("entry_completed")
    assert single.refused("second_half_opened") == Refusal("no_second_half")


@pytest.mark.rule(44)
@pytest.mark.rule(45)
def test_till_closed_between_the_games_hands_on_what_is_still_to_be_paid() -> None:
    play = between(tax={"rate": 1000, "threshold": 1_00})
    due = play.state.shifts[0].cash
    told = play.do("shift_closed", till="T1", counted=due, comment="")
    assert told["unpaid"] == [
        {"game": 1, "issue": 1, "card": 1, "amount": LINE - 14},
        {"game": 1, "issue": 1, "card": 2, "amount": BINGO - 62},
    ]


@pytest.mark.rule(10)
@pytest.mark.rule(15)
def test_jackpot_accrues_in_each_game_and_a_void_of_the_second_takes_its_own_back() -> None:
    play = paying(jackpot=JACKPOT | within(15))
    balance = 800_00
    accrual = 28  # 3 % of 9.60, rounded down
    assert play.state.jackpot is not None
    assert play.state.jackpot.balance == balance + accrual
    play.do("entry_completed")
    play.do("second_half_opened")
    assert play.state.jackpot.balance == balance + 2 * accrual
    play.void()
    assert play.state.jackpot.balance == balance + accrual


@pytest.mark.rule(15)
@pytest.mark.rule("BOE I")
def test_halves_are_games_of_their_own_with_their_own_balls() -> None:
    play = second_half(between())
    assert (play.game.balls, play.game.closed, play.game.awards) == ((), (), ())
    play.call("bingo")
    # The numbers of the first game do not count in the second.
    assert play.check("bingo", 2)["reason"] == "numbers_missing"


def test_games_of_double_cards_come_back_from_json_and_from_their_journal() -> None:
    play = won(second_half(between()), line=1, bingo=1)
    assert play.game.carried
    assert (
        journal_json_and_chain.load(
            GameState, json.loads(json.dumps(journal_json_and_chain.dump(play.game)))
        )
        == play.game
    )
    assert session.replay(play.journal) == play.state
    assert numbers(2) != set(play.game.balls)


def test_game_of_single_cards_is_written_as_before_there_were_double_ones() -> None:
    written = journal_json_and_chain.dump(Play().till().drawing().game)
    assert {"half", "carried", "players", "player_limit"}.isdisjoint(written)
