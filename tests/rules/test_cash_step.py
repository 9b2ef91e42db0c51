"""Prizes paid in coins: what the step leaves over is carried, never made and never lost (R6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import jackpot_account, policies, prizes, session, session_opening, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    NO_TAX,
    WHOLE_GAMES,
    Play,
    an_issue,
    numbers,
    terms,
    top_line,
    within,
)

Data = dict[str, Any]

STEPS = (5, 10, 25, 100)


def stepped(step: int = 25, **changes: Any) -> Play:
    """A session whose prizes are paid in multiples of a step."""
    policy = policies.record(tills=("T1",), cash_step=step)
    return Play(**({"policy": policy, "tax": NO_TAX} | changes)).till()


def close(play: Play) -> Data:
    """Ask, close the window, and return the fact's whole data."""
    play.do("window_opened")
    return play.do("window_closed")


def line(play: Play, *winners: int) -> Data:
    """Let cards win the line."""
    for card in winners:
        play.balls(*sorted(top_line(card)))
    play.call("line")
    for card in winners:
        play.check("line", card)
    return close(play)


@pytest.mark.rule(6)
def test_what_the_step_leaves_over_goes_into_the_jackpot() -> None:
    play = stepped(jackpot=JACKPOT).drawing(11)  # 2 200: fund 1 760, jackpot 52
    assert play.game.prizes is not None
    assert (play.game.prizes.line, play.game.jackpot_balance) == (427, 800_52)
    closed = line(play, 1)
    assert [one["amount"] for one in closed["awards"]] == [425]
    assert closed["carried"] == {"jackpot": 2}
    assert play.game.jackpot_balance == 800_54
    assert play.state.jackpot is not None
    assert play.state.jackpot.balance == 800_54


@pytest.mark.rule(6)
def test_without_a_jackpot_it_goes_into_the_next_games_fund() -> None:
    play = stepped().drawing(11)  # 2 200: line 440, bingo 1 320
    assert line(play, 1)["carried"] == {"fund": 15}
    play.do("draw_resumed")
    play.balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    assert close(play)["carried"] == {"fund": 20}
    play.do("game_finished")
    play.pay(1)
    play.do("entry_completed")
    assert play.state.carried == 35
    play.selling(last_sold=11).sell(10)
    assert play.game.growing.fund == 1_600 + 35
    closed = play.do("sale_closed")["prizes"]
    assert (closed["fund"], closed["brought"]) == (1_635, 35)
    assert closed["line"] + closed["bingo"] == 1_635
    assert play.state.carried == 0


@pytest.mark.rule(57)
def test_void_takes_back_what_was_carried_and_hands_on_what_was_brought() -> None:
    play = stepped(carried=35).drawing(11)
    assert play.game.prizes is not None
    assert play.game.prizes.fund == 1_760 + 35
    assert line(play, 1)["carried"]["fund"] > 0
    assert play.state.carried > 0
    play.void("announcement_error")
    assert play.state.carried == 35
    play.refund(1, 11)
    play.do("entry_completed")
    assert play.selling(last_sold=11).game.growing.fund == 35


@pytest.mark.rule(57)
def test_void_takes_it_back_from_the_jackpot() -> None:
    play = stepped(jackpot=JACKPOT).drawing(11)
    line(play, 1)
    assert play.void("announcement_error").game.jackpot_balance == 800_00


@pytest.mark.rule(11)
def test_what_came_in_before_the_jackpot_was_won_is_won_and_what_is_left_of_it_stays() -> None:
    play = stepped(jackpot=JACKPOT | within(89)).drawing(11)
    line(play, 1)  # leaves 2
    play.do("draw_resumed")
    play.balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    closed = close(play)
    won = {one["combination"]: one["amount"] for one in closed["awards"]}
    assert won == {"bingo": 1_275, "jackpot": 800_50}  # of 1 281 and 800.54
    assert closed["carried"] == {"jackpot": 6}
    assert play.game.jackpot_balance == JACKPOT["base"] + 6 + 4


@pytest.mark.rule(10)
def test_full_jackpot_leaves_it_to_the_next_game() -> None:
    play = stepped(jackpot=JACKPOT | {"ceiling": 800_52}).drawing(11)
    assert line(play, 1)["carried"] == {"fund": 2}
    assert play.game.jackpot_balance == 800_52


@pytest.mark.rule(11)
def test_full_jackpot_that_is_won_has_room_for_what_the_same_bingo_leaves_over() -> None:
    play = stepped(jackpot=JACKPOT | within(89) | {"ceiling": 800_52}).drawing(11)
    line(play, 1)
    play.do("draw_resumed")
    play.balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    assert close(play)["carried"] == {"jackpot": 6}  # of 1 281
    assert play.game.jackpot_balance == JACKPOT["base"] + 2 + 6


@pytest.mark.rule(6)
def test_who_has_won_is_paid_even_where_the_step_is_too_large() -> None:
    play = stepped(prizes.MOST).drawing(11)
    closed = line(play, 1)
    assert [one["amount"] for one in closed["awards"]] == [440]
    assert "carried" not in closed


@pytest.mark.rule(15)
def test_second_game_of_double_cards_has_what_the_first_left() -> None:
    play = stepped()
    issue = an_issue() | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=issue, matrix="ab" * 32)
    play.do("sale_announced")
    play.sell(11)
    play.begin_draw()
    line(play, 1)
    play.do("draw_resumed")
    play.bingo(1)
    play.do("entry_completed")
    left = play.state.carried
    assert left == 35
    assert play.do("second_half_opened")["prizes"]["brought"] == left
    assert play.state.carried == 0
    play.void("other")
    assert play.state.carried == left


@pytest.mark.parametrize("step", [0, -5, prizes.MOST + 1])
def test_step_that_is_no_coin_is_refused(step: int) -> None:
    with pytest.raises(Refusal) as refused:
        policies.record(tills=(), cash_step=step)
    expected = Refusal("bad_policy_amount", field="cash_step", least=1, most=prizes.MOST)
    assert refused.value == expected


def test_step_is_told_only_where_there_is_one() -> None:
    assert "cash_step" not in policies.record(tills=(), cash_step=1)
    assert policies.record(tills=(), cash_step=5)["cash_step"] == 5


@pytest.mark.rule(6)
def test_step_that_makes_a_prize_nothing_is_refused_when_a_session_opens() -> None:
    policy = policies.record(tills=(), cash_step=50)
    with pytest.raises(Refusal) as refused:
        session_opening.open_session(**terms(policy=policy, faces=[5_00, 2_00]))
    expected = Refusal("cash_step_over_prize", step=50, prize="line", amount=40, face=2_00)
    assert refused.value == expected
    policy = policies.record(tills=(), cash_step=40)
    assert (
        session_opening.open_session(**terms(policy=policy, faces=[5_00, 2_00]))["policy"] == policy
    )


@pytest.mark.rule(7)
def test_smallest_prize_is_that_of_any_way_to_divide_them() -> None:
    usual, figure = Shares(2000, 6000), Shares(0, 7500, (Extra("prima", 500, 40),))
    inputs: Data = {"faces": [2_00], "jackpot_rate": 300}
    prizes.require_fits(38, played=[usual], **inputs)  # 38.8 after the jackpot's part
    with pytest.raises(Refusal, match="cash_step_over_prize"):
        prizes.require_fits(39, played=[usual], **inputs)
    with pytest.raises(Refusal, match="prima"):
        prizes.require_fits(10, played=[usual, figure], **inputs)
    with pytest.raises(Refusal, match="line"):
        prizes.require_fits(36, played=[usual], source="line", **inputs)


def test_carried_of_nothing_is_refused() -> None:
    for amount in (0, -1):
        with pytest.raises(Refusal, match="negative_amount"):
            session_opening.open_session(**terms(carried=amount))


def test_state_with_what_is_carried_comes_back_from_its_file() -> None:
    play = stepped().drawing(11)
    line(play, 1)
    stored = json.loads(json.dumps(session_state.dump(play.state)))
    assert session_state.load(stored) == play.state
    assert session.replay(play.journal) == play.state


def test_session_without_a_step_tells_nothing_of_it() -> None:
    play = Play(jackpot=JACKPOT).till().drawing(11)
    assert set(line(play, 1)) == {"awards"}
    told = session_state.dump(play.state)
    assert "carried" not in told
    assert not {"cash_step", "brought", "to_jackpot", "to_fund"} & set(told["game"])


@pytest.mark.slow
@given(
    step=st.sampled_from(STEPS),
    jackpot=st.sampled_from([None, JACKPOT, JACKPOT | within(89), JACKPOT | {"ceiling": 801_00}]),
    double=st.booleans(),
    games=st.lists(
        st.tuples(
            st.integers(1, 12),
            st.sampled_from(["bingo", "bingo", "line", "void", "void after a line"]),
            st.integers(1, 3),
        ),
        min_size=1,
        max_size=5,
    ),
)
@WHOLE_GAMES
def test_nothing_is_made_or_lost_whatever_the_step(
    step: int, jackpot: Data | None, double: bool, games: list[tuple[int, str, int]]
) -> None:
    """Fund + held before = paid + base put back + held after, where held is jackpot and carried."""
    play = stepped(step, jackpot=jackpot)
    sold = 0
    for cards, end, winners in games:
        held = _held(play)
        issue = an_issue(last_sold=sold) | ({"double": True} if double else {})
        # One card pays for a line of a step at least.
        play.do("game_opened", format=90, face=5 * FACE, issue=issue, matrix="ab" * 32)
        play.do("sale_announced")
        play.sell(cards)
        play.begin_draw()
        _ended(play, end, [sold + n + 1 for n in range(min(winners, cards))])
        held = _balanced(play, held, step)
        if end.startswith("void"):
            play.refund(sold + 1, sold + cards)
        _complete(play)
        if play.state.half_due:
            play.do("second_half_opened")
            play.do("draw_announced")
            _ended(play, "bingo", [sold + 1])
            _balanced(play, held, step)
            _complete(play)
        sold += cards
    assert session.replay(play.journal) == play.state
    account = jackpot_account.JackpotAccount()
    for fact in play.journal:
        for _movement in account.movements(Fact(fact.kind, json.loads(json.dumps(fact.data)))):
            pass
    assert account.balances == [one.balance for one in play.state.jackpots]


def _held(play: Play) -> int:
    return play.state.carried + sum(one.balance for one in play.state.jackpots)


def _ended(play: Play, end: str, winners: list[int]) -> None:
    if end in ("line", "void after a line"):
        line(play, *winners)
        play.do("draw_resumed")
    if end.startswith("void"):
        play.void()
        return
    for card in winners:
        play.balls(*sorted(numbers(card)))
    play.call("bingo")
    for card in winners:
        play.check("bingo", card)
    play.window()
    play.do("game_finished")


def _balanced(play: Play, held: int, step: int) -> int:
    """Compare what the game paid and what is held now with what came in; return what is held."""
    known, now = play.game, _held(play)
    if known.void is not None:
        assert now == held
        return now
    assert known.prizes is not None
    assert all(award.amount % step == 0 and award.amount > 0 for award in known.awards)
    restored = known.jackpot.base if known.jackpot and known.has_won("jackpot") else 0
    fresh = known.prizes.fund - known.prizes.brought
    assert fresh + held + restored == sum(award.amount for award in known.awards) + now
    return now


def _complete(play: Play) -> None:
    if play.game.half != 1:
        for issue, card in play.game.unpaid:
            play.pay(card, issue=issue)
    play.do("entry_completed")
