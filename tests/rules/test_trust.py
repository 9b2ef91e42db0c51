"""The account of a jackpot is the sum of what the journal tells (R10, R11, related rules 20-24)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import jackpot_account
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import ACCRUED, AWARDED, CARRIED, RESTORED, REVERSED, LevelMovement
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import JACKPOT, NO_TAX, WHOLE_GAMES, Play, within

LEVELS: dict[str, Any] = {
    "jackpot": JACKPOT | {"rate": 200},
    "levels": [{"rate": 100, "base": 100_00, "balance": 40_00} | within(20)],
}


@pytest.mark.rule(10)
@pytest.mark.rule(11)
def test_account_tells_each_movement_of_each_level() -> None:
    play = Play(**LEVELS, tax=NO_TAX).till().drawing(10).void()
    play.refund(1, 10)
    play.do("entry_completed")
    play.selling(last_sold=10).sell(10)
    play.begin_draw().bingo(11)
    assert list(jackpot_account.movements(play.journal)) == [
        LevelMovement(0, CARRIED, 800_00, 800_00),
        LevelMovement(1, CARRIED, 40_00, 40_00),
        LevelMovement(0, ACCRUED, 32, 800_32),
        LevelMovement(1, ACCRUED, 16, 40_16),
        LevelMovement(0, REVERSED, -32, 800_00),
        LevelMovement(1, REVERSED, -16, 40_00),
        LevelMovement(0, ACCRUED, 32, 800_32),
        LevelMovement(1, ACCRUED, 16, 40_16),
        LevelMovement(0, AWARDED, -800_32, 0),
        LevelMovement(0, RESTORED, 500_00, 500_00),
        LevelMovement(1, AWARDED, -40_16, 0),
        LevelMovement(1, RESTORED, 100_00, 100_00),
    ]


@pytest.mark.slow
@given(ends=st.lists(st.sampled_from(["won", "late", "void", "never sold"]), max_size=5))
@WHOLE_GAMES
def test_account_always_holds_what_the_rules_hold(ends: list[str]) -> None:
    play, sold = Play(**LEVELS, tax=NO_TAX).till(), 0
    for end in ends:
        play.selling(last_sold=sold)
        if end == "never sold":
            play.void()
        else:
            play.sell(3)
            play.begin_draw()
            _ended(play, end, sold)
            sold += 3
        play.do("entry_completed")
        account = jackpot_account.JackpotAccount()
        told = [one for fact in play.journal for one in account.movements(fact)]
        assert account.balances == [one.balance for one in play.state.jackpots]
        for level in (0, 1):
            assert sum(one.amount for one in told if one.level == level) == account.balances[level]


def _ended(play: Play, end: str, sold: int) -> None:
    if end == "void":
        play.void()
        play.refund(sold + 1, sold + 3)
        return
    if end == "late":
        play.balls(*range(1, 91))
    play.bingo(sold + 1)
    play.pay(sold + 1)


def test_account_follows_what_happens_between_sessions() -> None:
    facts = [
        Fact("jackpot_funded", jackpot_account.fund([], level=0, amount=500_00, reference="base")),
        Fact("jackpot_funded", jackpot_account.fund([500_00], level=1, amount=9_00, reference="base")),
        Fact("jackpot_moved", jackpot_account.move([500_00, 9_00], level=1, to="x", to_level=0, reference="d")),
        Fact("jackpot_received", jackpot_account.receive(
            [500_00, 0], level=0, amount=9_00, origin="x", reference="d")),
        Fact("jackpot_ended", jackpot_account.end([509_00, 0], level=0, to="Cruz Vermelha", reference="d")),
    ]  # fmt: skip
    assert [(one.level, one.balance) for one in jackpot_account.movements(facts)] == [
        (0, 500_00), (1, 9_00), (1, 0), (0, 509_00), (0, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("bad_amount", {"amount": 0}),
        ("bad_amount", {"amount": 2**53}),
        ("unknown_level", {"level": 3}),
        ("unknown_level", {"level": -1}),
        ("paper_missing", {"reference": " "}),
        ("reference_too_long", {"reference": "x" * 201}),
    ],
)
def test_operator_adds_to_a_level_by_name_and_reason(code: str, asked: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"level": 0, "amount": 1, "reference": "base"}
    assert jackpot_account.fund([5], **usual)["balance"] == 6
    with pytest.raises(Refusal, match=code):
        jackpot_account.fund([5], **(usual | asked))


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("nothing_held", {"level": 1}),
        ("unknown_level", {"level": 3}),
        ("receiver_missing", {"to": " "}),
        ("paper_missing", {"reference": ""}),
        ("reference_too_long", {"to": "x" * 201}),
    ],
)
def test_jackpot_ends_only_as_the_regulator_says(code: str, asked: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"level": 0, "to": "Cruz Vermelha", "reference": "12/2026"}
    assert jackpot_account.end([5, 0], **usual)["amount"] == 5
    with pytest.raises(Refusal, match=code):
        jackpot_account.end([5, 0], **(usual | asked))
    with pytest.raises(Refusal, match="unknown_level"):
        jackpot_account.move([5, 0], **usual, to_level=3)
