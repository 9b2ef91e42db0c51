"""The state of a game: what is read off it, and its way through JSON and back."""

import json
from dataclasses import replace

import pytest

from bingo.rules import journal_json_and_chain, session_state
from bingo.rules.sale_order import Range
from bingo.rules.session_state import GameState, Phase
from tests.support.rules_playing import JACKPOT, NO_TAX, Play, numbers, top_line


def through_json(known: session_state.GameState) -> session_state.GameState:
    return journal_json_and_chain.load(
        GameState, json.loads(json.dumps(journal_json_and_chain.dump(known)))
    )


def test_state_comes_back_from_json_as_it_was() -> None:
    play = Play(jackpot=JACKPOT).till().selling()
    assert through_json(play.game) == play.game
    play.sell(6)
    play.begin_draw().balls(*top_line(1)).call("line").check("line", 1)
    play.do("window_opened")
    assert through_json(play.game) == play.game
    play.do("window_closed")
    play.do("draw_resumed")
    play.bingo(2).pay(2)

    assert play.game.phase is Phase.PAYING
    assert play.game.paid == ((1, 2),)
    assert through_json(play.game) == play.game


def test_state_of_a_voided_game_comes_back_from_json_as_it_was() -> None:
    play = Play().till().drawing().balls(7)
    play.do("ball_recalled", number=7)
    play.void().refund(2, 3)

    assert play.game.refunded == (Range(1, 2, 3),)
    assert through_json(play.game) == play.game


def test_state_that_differs_in_one_field_does_not_come_back_equal() -> None:
    known = Play().till().drawing().game

    for change in (
        {"asked": ("line",)},
        {"recalled": True},
        {"found": ("line",)},
        {"found": ("corners",)},
        {"found": ("line", "corners")},
        {"counts": ()},
        {"claim_at": 0},
    ):
        assert through_json(replace(known, **change)) != known


def test_state_of_an_ordinary_game_is_written_as_it_always_was() -> None:
    play = Play(duties=None).till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    written = journal_json_and_chain.dump(play.game)

    assert set(written) == {
        "phase", "number", "format", "rulebook", "face", "shares", "jackpot", "tax", "runs",
        "prizes", "balls", "claims", "line_called", "claim_at", "recalled", "asked", "closed",
        "awards", "paid", "refunded", "void",
    }  # fmt: skip
    assert written["line_called"] is True
    assert set(written["shares"]) == {"line", "bingo"}
    assert set(written["prizes"]) == {"gross", "fund", "line", "bingo", "jackpot"}


@pytest.mark.rule(61)
def test_gross_is_cards_times_their_price() -> None:
    play = Play().till().selling(face=250)
    play.sell(7)
    play.sell(5)

    assert (play.game.cards, play.game.gross) == (12, 12 * 250)


def test_pending_claims_are_those_whose_window_is_still_to_close() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    assert [claim.card for claim in play.game.pending] == [1]

    play.window()
    assert play.game.pending == ()
    assert play.game.claims != ()


@pytest.mark.rule(50)
def test_unpaid_are_the_winning_cards_in_card_order_until_each_is_paid() -> None:
    play = Play().till().drawing().balls(*top_line(5)).call("line")
    play.check("line", 5)
    play.window()
    play.do("draw_resumed")
    play.bingo(2)

    assert list(play.game.unpaid) == [(1, 2), (1, 5)]
    play.pay(5)
    assert list(play.game.unpaid) == [(1, 2)]


@pytest.mark.rule(10)
@pytest.mark.rule(29)
def test_jackpot_grows_when_the_sale_closes_and_not_before() -> None:
    play = Play(jackpot=JACKPOT).till().selling()
    play.sell(10)
    assert play.game.jackpot_balance == 800_00

    play.do("sale_closed")
    # 3 % of 80 % of 20.00
    assert play.game.jackpot_balance == 800_00 + 48


@pytest.mark.rule(10)
@pytest.mark.rule(57)
def test_jackpot_gives_the_accrual_of_a_voided_game_back() -> None:
    play = Play(jackpot=JACKPOT).till().drawing().balls(1, 2, 3)
    assert play.game.jackpot_balance > 800_00

    assert play.void("announcement_error").game.jackpot_balance == 800_00


@pytest.mark.rule(11)
def test_jackpot_starts_again_from_its_base_once_won() -> None:
    play = Play(jackpot=JACKPOT).till().drawing().bingo()

    assert len(play.game.balls) <= 45
    assert play.game.jackpot_balance == 500_00


@pytest.mark.rule(9)
@pytest.mark.parametrize(("before", "won"), [(30, True), (31, False)])
def test_jackpot_is_won_with_the_announced_number_of_balls_and_not_one_more(
    before: int, won: bool
) -> None:
    play = Play(jackpot=JACKPOT).till().drawing()
    others = [number for number in range(1, 91) if number not in numbers(1)]
    play.balls(*others[:before]).bingo()

    assert len(play.game.balls) == before + 15
    assert ("jackpot" in [award.combination for award in play.game.awards]) is won
    assert (play.game.jackpot_balance == 500_00) is won


def test_jackpot_balance_is_nothing_without_a_jackpot() -> None:
    assert Play(tax=NO_TAX).till().drawing().game.jackpot_balance == 0
