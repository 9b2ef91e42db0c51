"""Books as simple as they can be, kept beside a session: each drawer, the jackpot, each issue."""

from __future__ import annotations

import json
from datetime import date
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant

from bingo.rules import (
    game_flow,
    sale_order,
    session,
    session_end_and_totals,
    session_opening,
    session_state,
    unclaimed,
)
from bingo.rules.game_flow import FOLLOWS, Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    SIZE,
    an_issue,
    terms,
    usual,
    within,
)

Data = dict[str, Any]

ISSUES = range(1, 6)
TODAY = date(2026, 11, 1)


class EveningBooks(RuleBasedStateMachine):
    """An evening whose commands are told; `follow` and `judge` keep two states side by side."""

    @initialize(
        seed=st.integers(0, 10**6),
        jackpot=st.sampled_from([None, JACKPOT, JACKPOT | within(89)]),
        tax=st.sampled_from([0, 1500, 10_000]),
        left=st.integers(1, 12) | st.just(SIZE),
        retired=st.sampled_from([0, 0, 5, 40]),
    )
    def open(self, seed: int, jackpot: Data | None, tax: int, left: int, retired: int) -> None:
        self.random = Random(seed)
        opened = terms(jackpot=jackpot, tax={"rate": tax, "threshold": 5_00})
        fact = Fact("session_opened", session_opening.open_session(**opened))
        self.state = session_opening.begin(fact)
        self.shadow = json.dumps(session_state.dump(session.judge(None, fact)))
        self.journal = [fact]
        self.base: int = jackpot["base"] if jackpot else 0
        self.jackpot: int = jackpot["balance"] if jackpot else 0
        self.accrued = 0
        self.refused: set[tuple[str, int, int]] = set()
        self.lost = self.waits = self.brought = 0
        self.drawers: dict[str, int] = {}
        self.last_sold = dict.fromkeys(ISSUES, 0) | {1: SIZE - left}
        self.sold_now: list[tuple[int, int]] = []
        self.sales: list[tuple[Data, dict[int, int]]] = []  # of this game, and what was sold before
        self.owed: list[unclaimed.UnclaimedState] = []
        # Never the last card, so that every issue begins with one to sell.
        self.retired = {issue: set(self.random.sample(range(1, SIZE), retired)) for issue in ISSUES}
        self.tell("shift_opened", till="T1", cashier="c", float=100_00)

    # Telling

    def tell(self, kind: str, **inputs: Any) -> Data | None:
        """Return a command: None when it was refused, and then nothing may have changed."""
        try:
            usually = usual(self.state, kind, inputs)
            fact = session.decide(self.state, kind, **(usually | inputs))
        except Refusal:
            assert json.dumps(session_state.dump(self.state)) == self.shadow
            return None
        self._must_be_in_phase(kind)
        self.state = session.apply_fact(self.state, fact)
        self.journal.append(fact)
        self._replay_one(fact)
        self._keep_books(kind, fact.data)
        if kind in unclaimed.SET_ASIDE:
            self._book_aside(kind, fact.data)
        return fact.data

    def _must_be_in_phase(self, kind: str) -> None:
        if kind not in game_flow.STEPS:
            return
        assert self.state.game is not None
        assert kind in FOLLOWS[self.state.game.phase]

    def _replay_one(self, fact: Fact) -> None:
        # From the state and the fact as files have them; `replay` does the same from the start.
        shadow = session_state.load(json.loads(self.shadow))
        read = Fact(fact.kind, json.loads(json.dumps(fact.data)))
        judged = session.judge(shadow, read)
        assert judged == self.state
        self.shadow = json.dumps(session_state.dump(judged))

    def _keep_books(self, kind: str, data: Data) -> None:
        if "till" in data:
            self._book_cash(kind, data)
        match kind:
            case "game_opened":
                self._book_opened()
            case "cards_sold" | "sale_taken_back":
                self._book_sale(kind, data)
            case "sale_closed":
                self._book_prizes(data)
            case "window_closed":
                self._book_awards(data)
            case "game_voided":
                self.jackpot -= self.accrued
                self.waits += self.brought
                assert data["amount"] == FACE * len(self.sold_now)
            case "entry_completed":
                self._balance(data)

    def _book_opened(self) -> None:
        self.sold_now, self.sales, self.accrued = [], [], 0
        self.refused, self.lost = set(), 0
        self.brought, self.waits = self.waits, 0

    def _book_cash(self, kind: str, data: Data) -> None:
        till = data["till"]
        match kind:
            case "shift_opened":
                self.drawers[till] = data["float"]
            case "cash_moved":
                self.drawers[till] += data["amount"]
            case "cards_sold" | "sale_taken_back":
                self.drawers[till] += FACE * data["quantity"] * (1 if kind == "cards_sold" else -1)
            case "prize_paid":
                self.drawers[till] -= data["amount"] - data["tax"]
            case "unclaimed_paid":
                self.drawers[till] -= data["amount"]
            case "cards_refunded":
                self.drawers[till] -= FACE * (data["last"] - data["first"] + 1)
            case "shift_closed":
                assert data["expected"] == self.drawers.pop(till)

    def _strike_sale(self, data: Data) -> None:
        sale, before = self.sales.pop()  # never any but the last
        assert (data["ranges"], data["amount"]) == (sale["ranges"], sale["amount"])
        self.last_sold = before
        del self.sold_now[-data["quantity"] :]

    def _book_sale(self, kind: str, data: Data) -> None:
        if kind == "sale_taken_back":
            self._strike_sale(data)
            return
        self.sales.append((data, dict(self.last_sold)))
        for part in data["ranges"]:
            assert part["first"] == self.next_of(part["issue"])
            assert not self.retired[part["issue"]] & {*range(part["first"], part["last"] + 1)}
            self.last_sold[part["issue"]] = part["last"]
            self.sold_now += [(part["issue"], n) for n in range(part["first"], part["last"] + 1)]
        equal = [number for _issue, number in self.sold_now]
        assert len(equal) == len(set(equal))

    def _book_prizes(self, data: Data) -> None:
        fixed = data["prizes"]
        gross = FACE * len(self.sold_now)
        # The price makes whole units of 80 %.
        assert fixed["gross"] == gross
        assert (fixed["fund"] - self.brought) * 10 == gross * 8
        assert fixed.get("brought", 0) == self.brought
        self.accrued = fixed["fund"] * 3 // 100 if self.state.jackpot else 0
        assert fixed["jackpot"] == self.accrued
        assert fixed["line"] + fixed["bingo"] + self.accrued == fixed["fund"]
        self.jackpot += self.accrued

    def _book_awards(self, data: Data) -> None:
        known = self.game
        assert known.prizes is not None
        due = {"line": known.prizes.line, "bingo": known.prizes.bingo, "jackpot": self.jackpot}
        for prize, whole in due.items():
            shares = [one["amount"] for one in data["awards"] if one["combination"] == prize]
            if shares:
                assert sum(shares) == whole
                assert max(shares) - min(shares) <= 1
        holders = {(one["combination"], one["issue"], one["card"]) for one in data["awards"]}
        assert len(holders) == len(data["awards"])
        if any(one["combination"] == "jackpot" for one in data["awards"]):
            assert known.jackpot is not None
            assert len(known.balls) <= known.jackpot.limits[0].balls
            self.jackpot = self.base
        # What the cards of the bingo have lost by their marks goes on to other players (R7, R30).
        if "bingo" in {one["combination"] for one in data["awards"]} and not any(
            one.combination == "line" for one in known.awards
        ):
            self.lost = known.prizes.line
            assert any(name == "line" for name, _issue, _card in self.refused)
        carried = data.get("carried", {})
        assert sum(carried.values()) == self.lost
        self.jackpot += carried.get("jackpot", 0)
        self.waits += carried.get("fund", 0)

    def _book_aside(self, kind: str, data: Data) -> None:
        new = unclaimed.items_of(
            kind,
            data,
            entry=len(self.journal),
            session=1,
            game=self.state.games,
            on=TODAY,
            terms={},
        )
        due = data["net"] if kind == "prize_set_aside" else data["amount"]
        assert sum(one.amount for one in new) == due
        self.owed += new

    def _balance(self, data: Data) -> None:
        known = self.game
        assert data["gross"] == FACE * len(self.sold_now)
        if known.void is not None:
            assert data["refunded"] + data.get("refunds_aside", 0) == data["gross"]
            assert set(data["paid"].values()) == {0}
            return
        assert known.prizes is not None
        settled = [*known.paid, *known.prizes_aside]
        assert sorted(settled) == sorted({(one.issue, one.card) for one in known.awards})
        assert data["paid"]["line"] + self.lost == known.prizes.line
        assert data["paid"]["bingo"] == known.prizes.bingo
        assert data["refunded"] == 0

    @property
    def game(self) -> GameState:
        assert self.state.game is not None
        return self.state.game

    def next_of(self, issue: int) -> int:
        """The next card of an issue that nobody has bought and nobody has retired."""
        last = self.last_sold[issue]
        due: set[int] = {*range(last + 1, SIZE + 2)} - self.retired[issue]
        return min(due)

    def on_sale(self, issue: int, *, off: int = 0) -> Data:
        """The issue as it stands, or with its last card sold put wrong."""
        last = self.last_sold[issue] + off
        gone = sale_order.merged((n, n) for n in self.retired[issue] if n > last)
        return an_issue(issue, last_sold=last, retired=gone)

    def a_card(self) -> tuple[int, int]:
        """A card sold in this game if there is one, often the same."""
        return self.random.choice(self.sold_now[:3] or [(1, self.random.randint(1, SIZE))])

    # After every command

    @invariant()
    def drawers_hold_what_came_in_less_what_went_out(self) -> None:
        if not hasattr(self, "state"):
            return
        open_now = {one.till: one.cash for one in self.state.shifts if one.counted is None}
        assert open_now == self.drawers
        assert min(open_now.values(), default=0) >= 0

    @invariant()
    def jackpot_is_what_was_set_aside(self) -> None:
        if hasattr(self, "state") and self.state.jackpot:
            assert self.state.jackpot.balance == self.jackpot

    @invariant()
    def cards_sold_are_the_sessions_last_numbers(self) -> None:
        if hasattr(self, "state"):
            known = dict(self.state.last_sold)
            assert known == {issue: self.last_sold[issue] for issue in known}

    @invariant()
    def money_that_came_in_is_there_paid_or_owed(self) -> None:
        if not hasattr(self, "state"):
            return
        moved = session_end_and_totals.totals_of_session(self.journal)
        owed = sum(one.amount for one in self.owed)
        assert owed == moved.set_aside - moved.paid_later
