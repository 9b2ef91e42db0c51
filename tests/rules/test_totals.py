"""Perpetual totals: never reset, and always what the days come to."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from bingo.rules import patterns, session, session_end_and_totals
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_end_and_totals import Totals
from tests.support.rules_playing import FACE, JACKPOT, Play, an_issue, numbers, top_line, within

SESSIONS = 1_000
TAXES = [
    {"rate": 0, "threshold": 5_00},
    {"rate": 1000, "threshold": 5_00},
    {"rate": 500, "threshold": 5_00, "on_sales": True},
]


class Day:
    """A session of random games, and its own books: kept from what the rules hold, not from facts."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.play = Play(
            jackpot=chance.choice([None, JACKPOT, JACKPOT | within(89)]),
            tax=chance.choice(TAXES),
            currency=chance.choice(["CVE", "CVE", "EUR"]),
        ).till(float=20_000_00)
        self.books = Totals()
        for number in range(1, chance.randint(0, 2) + 1):
            double = chance.random() < 0.3
            self._game(number, double=double)
            if self.play.state.half_due:
                self.play.do("second_half_opened")
                self._play_on(sold=0)
        due = self.play.state.shifts[0].cash
        self.play.do("shift_closed", till="T1", counted=due, comment="")

    @property
    def currency(self) -> str:
        """What it was played in."""
        return str(self.play.state.terms["currency"])

    @property
    def facts(self) -> list[Fact]:
        """Its journal."""
        return self.play.journal

    def _game(self, issue: int, *, double: bool) -> None:
        play = self.play
        on_sale = an_issue(issue) | ({"double": True} if double else {})
        play.do("game_opened", format=90, face=FACE, issue=on_sale, matrix="ab" * 32)
        play.do("sale_announced")
        sold = self.sold = self.chance.randint(2, 9)
        play.sell(sold)
        if self.chance.random() < 0.2:
            self._void()
        else:
            play.do("sale_closed")
            self._play_on(sold=sold)
            return
        self._book(cards=sold, halves=2 if double else 1)

    def _play_on(self, *, sold: int) -> None:
        play = self.play
        halves = play.game.paid_for if sold else 0
        play.do("draw_announced")
        if self.chance.random() < 0.15:
            play.balls(9, 8)
            self._void()
        else:
            self._won(self.chance.randint(1, 2))
        self._book(cards=sold, halves=halves)

    def _won(self, card: int) -> None:
        play = self.play
        issue = play.game.runs[0].issue
        if self.chance.random() < 0.5:
            play.balls(*sorted(top_line(card))).call("line").check("line", card, issue=issue)
            play.window()
            play.do("draw_resumed")
        play.balls(*sorted(numbers(card))).call("bingo").check("bingo", card, issue=issue)
        play.window()
        play.do("game_finished")

    def _void(self) -> None:
        play = self.play.void("other")
        run = play.game.runs[0]
        assert run.last is not None
        if self.chance.random() < 0.3:
            play.refunds_aside((run.last, run.last), issue=run.issue)
            if run.first == run.last:
                return
            play.refund(run.first, run.last - 1, issue=run.issue)
        else:
            play.refund(run.first, run.last, issue=run.issue)

    def _book(self, *, cards: int, halves: int) -> None:
        """Write the game down as its state tells it, and complete its entry."""
        game = self.play.game
        won = game.awards
        aside, later = self._settle()
        self.books += Totals(
            cards=cards,
            collected=cards * FACE * halves,
            prizes=sum(one.amount for one in won),
            tax=sum(one.tax for one in won),
            accrued=game.prizes.jackpot if game.prizes and game.void is None else 0,
            awarded=sum(one.amount for one in won if one.combination == patterns.JACKPOT),
            refunded=game.gross * game.paid_for if game.void is not None else 0,
            set_aside=aside,
            paid_later=later,
            sales_tax=0 if game.void else self._sales_tax(),
        )
        self.play.do("entry_completed")

    def _sales_tax(self) -> int:
        tax = self.play.state.terms["tax"]
        return max(0, self.sold * FACE - 5_00) // 20 if tax.get("on_sales") else 0

    def _settle(self) -> tuple[int, int]:
        """Pay what the game has won, or set it aside; give that, and what of it is paid later."""
        aside = self.play.game.refunds_set_aside
        for issue, card in self.play.game.unpaid if self.play.game.half != 1 else ():
            if self.chance.random() < 0.7:
                self.play.pay(card, issue=issue)
            else:
                aside += self.play.set_aside(card, issue=issue)["net"]
        later = aside if self.chance.random() < 0.5 else 0
        if later:
            named = {"item": 1, "of_session": 1, "of_game": 1, "issue": 1, "first": 1, "last": 1}
            self.play.do("unclaimed_paid", owed="prize", amount=later, till="T1", **named)
        return aside, later


def days(seed: int, count: int) -> list[Day]:
    """Some days of a hall."""
    chance = Random(seed)
    return [Day(chance) for _ in range(count)]


def closed(before: dict[str, Any], day: Day) -> dict[str, Any]:
    """Close a day as the hall does, and return the totals its closing carries."""
    told = session_end_and_totals.carried(
        before, day.currency, session_end_and_totals.totals_of_session(day.facts)
    )
    data = day.play.do("session_closed", totals=told)
    assert data["totals"] == told
    carried: dict[str, Any] = data["totals"]
    return carried


def summed(held: list[Day]) -> dict[str, Any]:
    """What the days come to by currency, from their own books."""
    sums: dict[str, Totals] = {}
    for day in held:
        sums[day.currency] = sums.get(day.currency, Totals()) + day.books
    return {currency: session_end_and_totals.totals_dump(one) for currency, one in sums.items()}


@pytest.mark.slow
@pytest.mark.rule(61)
def test_totals_of_a_thousand_random_sessions_are_the_sum_of_the_days() -> None:
    carried: dict[str, Any] = {}
    held = days(seed=1979, count=SESSIONS)
    for at, day in enumerate(held, start=1):
        before = carried
        carried = closed(carried, day)
        # Never reset, and never less than they were.
        for currency, sums in before.items():
            assert all(carried[currency][name] >= amount for name, amount in sums.items())
        if at % 100 == 0:
            assert carried == summed(held[:at])
    assert all(amount for sums in carried.values() for amount in sums.values())


@pytest.mark.slow
def test_totals_leave_in_the_drawers_what_the_drawers_hold() -> None:
    for day in days(7, 30):
        told = session_end_and_totals.totals_of_session(day.facts)
        [shift] = day.play.state.shifts
        assert shift.counted is not None
        paid = told.prizes - told.tax + told.refunded - told.set_aside + told.paid_later
        assert shift.counted - 20_000_00 == told.collected - paid


def test_currencies_are_carried_apart() -> None:
    one = session_end_and_totals.carried({}, "CVE", Totals(cards=6, collected=12_00))
    both = session_end_and_totals.carried(one, "EUR", Totals(cards=1, collected=2_00))
    assert both["CVE"] == one["CVE"]
    assert both["EUR"]["collected"] == 2_00


@pytest.mark.parametrize(
    "told",
    [
        {"CVE": {}},
        {"CVE": asdict(Totals()) | {"cards": -1}},
        {"CVE": asdict(Totals()) | {"cards": True}},
        {"CVE": asdict(Totals()) | {"cards": "6"}},
        {"CVE": asdict(Totals()) | {"more": 0}},
        ["CVE"],
    ],
)
def test_closing_that_carries_something_else_is_refused(told: Any) -> None:
    play = Play()
    with pytest.raises(Refusal, match="fact_malformed"):
        session.judge(play.state, Fact("session_closed", {"games": 0, "totals": told}))


def test_closing_of_an_older_journal_tells_none() -> None:
    play = Play()
    assert session.judge(play.state, Fact("session_closed", {"games": 0})).open is False
