"""Whole evenings of random commands, lawful or not: nothing lost, nothing forged, never stuck.

The machine keeps books of its own, as simple as they can be: what each drawer should hold, the
jackpot, the next card of each issue. After every command they are compared with the session.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bingo.rules import (
    cards,
    game,
    jackpot_account,
    patterns,
    sales,
    session,
    session_end,
    session_opening,
    session_state,
    unclaimed,
)
from bingo.rules.game import FOLLOWS, Fact
from bingo.rules.game_state import GameState, Phase
from bingo.rules.refusal import Refusal
from bingo.rules.steps import drawing, floor, setting_aside
from tests.support.rules_playing import (
    FACE,
    JACKPOT,
    MATRIX,
    SIZE,
    an_issue,
    claim,
    numbers,
    terms,
    usual,
    within,
)

Data = dict[str, Any]

TILLS = ("T1", "T2")
ISSUES = range(1, 6)
TILL = st.sampled_from(TILLS)
COMBINATION = st.sampled_from(["line", "line", "bingo", "bingo", "jackpot"])
CAUSE = st.sampled_from(
    ["announcement_error", "announcement_error", "fault", "nothing_sold", "other", "boredom"]
)
REASON = st.sampled_from(["written down", "written down", " "])
AT_THE_MACHINE = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)
# Blocks on the floor are told in tests/rules/test_floor_stateful.py; what is owed is judged by the
# hall's account, which `unclaimed` keeps and not the session.
KINDS = sorted(session.DECIDERS.keys() - floor.STEPS.keys() - {unclaimed.PAID})
# What a fact tells only where there is something to tell.
OPTIONAL = (
    "commitment", "opening", "confidence", "picture", "reading", "automatic", "ball_set", "held",
    "linked", "roll_call", "unapproved",
)  # fmt: skip
SOURCE = st.sampled_from([*drawing.SOURCES, drawing.FIRST])
MISSING = st.sampled_from(["left", "lost", "damaged", "altered", "other", "boredom"])
TODAY = date(2026, 11, 1)
TABLE = st.sampled_from(["window_opened", "window_closed", "draw_resumed", "game_finished"])


def during(*phases: Phase) -> Callable[[Any], bool]:
    """Whether the open game is in one of these phases: what the hall mostly tries is in time."""
    return lambda evening: evening.state.playing and evening.game.phase in phases


def seldom(evening: Evening) -> bool:
    """Let only one in four pass."""
    return evening.random.random() < 0.25


def upheld_for(item: unclaimed.UnclaimedState, card: int) -> unclaimed.Ruling:
    """A complaint about a card of an item, upheld after it was set aside."""
    return unclaimed.Ruling(1, 1, "upheld", TODAY, (item.issue, card), item.entry + 1)


class Evening(RuleBasedStateMachine):
    """Commands of all desks in any order; `follow` and `judge` keep two states side by side."""

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
        if kind not in game.STEPS:
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
            case "cards_sold":
                self._book_sale(data)
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
        self.sold_now, self.accrued = [], 0
        self.refused, self.lost = set(), 0
        self.brought, self.waits = self.waits, 0

    def _book_cash(self, kind: str, data: Data) -> None:
        till = data["till"]
        match kind:
            case "shift_opened":
                self.drawers[till] = data["float"]
            case "cash_moved":
                self.drawers[till] += data["amount"]
            case "cards_sold":
                self.drawers[till] += FACE * data["quantity"]
            case "prize_paid":
                self.drawers[till] -= data["amount"] - data["tax"]
            case "unclaimed_paid":
                self.drawers[till] -= data["amount"]
            case "cards_refunded":
                self.drawers[till] -= FACE * (data["last"] - data["first"] + 1)
            case "shift_closed":
                assert data["expected"] == self.drawers.pop(till)

    def _book_sale(self, data: Data) -> None:
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
        gone = sales.merged((n, n) for n in self.retired[issue] if n > last)
        return an_issue(issue, last_sold=last, retired=gone)

    def a_card(self) -> tuple[int, int]:
        """A card sold in this game if there is one, often the same."""
        return self.random.choice(self.sold_now[:3] or [(1, self.random.randint(1, SIZE))])

    # Anything at any time, from pages that are behind

    @rule(kind=st.sampled_from(KINDS))
    def out_of_the_blue(self, kind: str) -> None:
        if kind == "session_closed" and not self.drawers and not self.state.playing:
            return  # lawful, and the end of the evening: `teardown` does it
        issue, card = self.a_card()
        guesses: Data = {
            "till": self.random.choice(TILLS),
            "issue": issue,
            "card": card,
            "first": card,
            "last": card,
            "number": card,
            "quantity": 1,
            "amount": 1,
            "float": 1,
            "counted": 0,
            "order": None,
            "format": 90,
            "face": FACE,
            "rows": claim("line", card)["rows"],
            "combination": "bingo",
            "sound": True,
            "source": "rng",
            "seller": None,
            "cause": "fault",
            "category": "other",
            "ranges": [{"issue": issue, "first": card, "last": card}],
            "note": "",
            **dict.fromkeys(OPTIONAL),
        }
        if kind in ("game_opened", "second_issue_opened"):
            guesses["issue"] = self.on_sale(issue)
        self.tell(kind, **{name: guesses.get(name, "said") for name in session.inputs(kind)})

    # The drawers

    @precondition(seldom)
    @rule(till=TILL, cashier=st.sampled_from("ab"), float=st.sampled_from([-1, 0, 100_00]))
    def open_till(self, till: str, cashier: str, float: int) -> None:
        self.tell("shift_opened", till=till, cashier=cashier, float=float)

    @precondition(seldom)
    @rule(till=TILL, amount=st.sampled_from([-50_00, -1, 0, 1, 900_00]), reason=REASON)
    def move_cash(self, till: str, amount: int, reason: str) -> None:
        self.tell("cash_moved", till=till, amount=amount, reason=reason)

    @precondition(seldom)
    @rule(till=TILL, short=st.sampled_from([0, 0, 1]), comment=REASON)
    def count_till(self, till: str, short: int, comment: str) -> None:
        counted = self.drawers.get(till, 0) - short
        done = self.tell("shift_closed", till=till, counted=counted, comment=comment)
        assert done is None or bool(comment.strip()) or short == 0

    # The sale

    @precondition(lambda self: not self.state.playing)
    @rule(issue=st.sampled_from(ISSUES), off=st.sampled_from([0, 0, 0, -1, 1]))
    def open_game(self, issue: int, off: int) -> None:
        playing, last = self.state.playing, self.last_sold[issue]
        known = issue in dict(self.state.last_sold)
        on_sale = self.on_sale(issue, off=off)
        done = self.tell("game_opened", format=90, face=FACE, issue=on_sale, matrix="ab")
        if done is not None:
            assert not playing
            assert off == 0 or not known
            self.last_sold[issue] = last + off

    @precondition(during(Phase.SELLING))
    @rule(issue=st.sampled_from(ISSUES), face=st.sampled_from([FACE, FACE, FACE + 1]))
    def open_second(self, issue: int, face: int) -> None:
        done = self.tell("second_issue_opened", issue=self.on_sale(issue), face=face)
        assert done is None or (face == FACE and self.last_sold[issue] == 0)

    @precondition(during(Phase.PREPARED, Phase.SELLING, Phase.CLOSED))
    @rule(kind=st.sampled_from(["sale_announced", "sale_closed", "draw_announced"]))
    def announce(self, kind: str) -> None:
        self.tell(kind)

    @precondition(during(Phase.CLOSED))
    @rule(source=SOURCE)
    def announce_draw_from(self, source: str) -> None:
        held = self.game.suspended
        assert (self.tell("draw_announced", source=source) is None) == (held is not None)

    @precondition(during(Phase.CLOSED, Phase.DRAWING))
    @rule(resume=st.booleans(), why=REASON)
    def hold(self, resume: bool, why: str) -> None:
        out = bool(self.game.balls)
        if resume:
            self.tell("game_resumed", decision=why)
        elif self.tell("game_suspended", reason=why) is not None:
            assert not out

    @precondition(during(Phase.DRAWING))
    @rule(source=SOURCE, why=REASON)
    def change_source(self, source: str, why: str) -> None:
        before = self.game.source
        if self.tell("source_changed", source=source, reason=why) is not None:
            assert before not in ("", drawing.FIRST, source)
            assert source in (drawing.BY_HAND, drawing.origin(self.game))

    @precondition(during(Phase.DRAWING))
    @rule(number=st.integers(1, 90), source=SOURCE, witness=st.sampled_from([None, "chief"]))
    def ball_from(self, number: int, source: str, witness: str | None) -> None:
        before = self.game
        inputs: Data = {"number": number, "order": None, "source": source}
        if self.tell("ball_announced", witness=witness, **inputs) is not None:
            assert before.suspended is None
            assert before.source in ("", drawing.FIRST, source)
            alone = source == drawing.BY_HAND and drawing.origin(before) in (
                drawing.RNG, drawing.CAMERA,
            )  # fmt: skip
            assert witness is not None or not alone

    @precondition(during(Phase.DRAWING, Phase.STOPPED, Phase.WINDOW, Phase.PAYING))
    @rule(number=st.sampled_from([None, 17]), why=REASON)
    def dismiss(self, number: int | None, why: str) -> None:
        before = self.game
        self.tell("reading_dismissed", reading=1, number=number, reason=why)
        assert self.game == before

    @precondition(during(Phase.SELLING))
    @rule(till=TILL, quantity=st.integers(-1, 30), shown=st.sampled_from([None, 0, 0, 1]))
    def sell(self, till: str, quantity: int, shown: int | None) -> None:
        first = None
        if shown is not None and self.state.game:
            run = next((run for run in self.state.game.runs if run.left), self.state.game.runs[0])
            first = run.next + shown
        done = self.tell("cards_sold", quantity=quantity, first=first, till=till, seller=None)
        assert done is None or not shown

    @precondition(during(Phase.SELLING))
    @rule()
    def sell_out(self) -> None:
        left = sum(run.left for run in self.game.runs)
        self.tell("cards_sold", quantity=left, first=None, till="T1", seller="rui")
        fresh = [issue for issue in ISSUES if self.last_sold[issue] == 0]
        if fresh:
            self.tell("second_issue_opened", issue=self.on_sale(fresh[0]), face=FACE)

    @rule(issue=st.sampled_from(ISSUES), first=st.integers(1, SIZE), length=st.integers(0, 3))
    def retire(self, issue: int, first: int, length: int) -> None:
        """Let the stock write cards off, which it does not do with an issue in a game."""
        in_game = self.state.playing and any(run.issue == issue for run in self.game.runs)
        if not in_game and first > self.last_sold[issue]:
            self.retired[issue] |= {*range(first, min(SIZE, first + length) + 1)}

    # The draw

    @precondition(during(Phase.DRAWING))
    @rule(number=st.integers(0, 91), behind=st.sampled_from([None, 0, 0, 1]))
    def ball(self, number: int, behind: int | None) -> None:
        out = self.state.game.balls if self.state.game else ()
        order = None if behind is None else len(out) + 1 - behind
        done = self.tell("ball_announced", number=number, order=order, source="by_hand")
        if done is not None:
            assert number not in out
            assert 1 <= number <= 90
            assert not behind

    @precondition(during(Phase.DRAWING))
    @rule(back=st.sampled_from([1, 1, 2]))
    def recall(self, back: int) -> None:
        out = self.state.game.balls if self.state.game else ()
        number = out[-back] if len(out) >= back else 1
        done = self.tell("ball_recalled", number=number)
        if done is not None:
            beside = ("reading_dismissed", "source_changed")
            of_the_game = [
                fact for fact in self.journal if fact.kind in game.STEPS and fact.kind not in beside
            ]
            assert of_the_game[-2] == Fact("ball_announced", of_the_game[-2].data)
            assert of_the_game[-2].data["number"] == number == out[-1]

    @precondition(during(Phase.DRAWING))
    @rule(wanted=st.sampled_from(["line", "line", "bingo"]), holders=st.integers(1, 3))
    def draw_for_cards(self, wanted: str, holders: int) -> None:
        """Draw until some cards hold what they want: chance alone would take all evening."""
        for _issue, card in self.sold_now[:holders]:
            held = numbers(card) if wanted == "bingo" else cards.lines(MATRIX[card - 1])[card % 3]
            for number in sorted(held):
                self.tell("ball_announced", number=number, order=None, source="rng")

    # The claims

    @precondition(during(Phase.DRAWING))
    @rule(combination=COMBINATION)
    def call(self, combination: str) -> None:
        closed = self.state.game.closed if self.state.game else ()
        done = self.tell("claim_called", combination=combination)
        assert done is None or combination not in closed

    @precondition(during(Phase.DRAWING))
    @rule(
        wanted=st.sampled_from(["line", "line", "bingo"]),
        called=st.sampled_from(["line", "line", "bingo"]),
        holders=st.integers(1, 3),
    )
    def call_in_time(self, wanted: str, called: str, holders: int) -> None:
        self.draw_for_cards(wanted, holders)
        self.tell("claim_called", combination=called)
        for issue, card in self.sold_now[:holders]:
            self._check(called, issue, card, sound=True)

    @precondition(during(Phase.STOPPED, Phase.WINDOW))
    @rule(combination=COMBINATION, sound=st.sampled_from([True, True, True, False]))
    def check(self, combination: str, sound: bool) -> None:
        self._check(combination, *self.a_card(), sound=sound)

    @precondition(during(Phase.STOPPED, Phase.WINDOW))
    @rule(combination=COMBINATION, card=st.integers(1, SIZE))
    def check_any_card(self, combination: str, card: int) -> None:
        self._check(combination, 1, card, sound=True)

    def _check(self, combination: str, issue: int, card: int, *, sound: bool) -> None:
        inputs = claim(combination, card, issue=issue, sound=sound)
        done = self.tell("claim_checked", **inputs)
        if done is None:
            return
        lines = cards.lines(MATRIX[card - 1])
        wanted = [numbers(card)] if combination == "bingo" else lines
        complete = any(each <= set(self.game.balls) for each in wanted)
        # A card refused for its marks stays refused for that prize (R30).
        before = (combination, issue, card) in self.refused
        right = complete and (issue, card) in self.sold_now
        assert done["valid"] is (right and sound and not before)
        if right and not sound:
            self.refused.add((combination, issue, card))
        assert bool(done["wins"]) is done["valid"]

    @precondition(during(Phase.STOPPED, Phase.WINDOW))
    @rule(kind=TABLE)
    def decide_at_the_table(self, kind: str) -> None:
        self.tell(kind)

    # The money back

    @precondition(during(Phase.PAYING))
    @rule(till=TILL, unpaid=st.booleans())
    def pay(self, till: str, unpaid: bool) -> None:
        due = self.state.game.unpaid if self.state.game else ()
        issue, card = due[0] if due and unpaid else self.a_card()
        done = self.tell("prize_paid", issue=issue, card=card, till=till)
        assert done is None or (issue, card) in due

    @precondition(during(Phase.SELLING, Phase.CLOSED, *AT_THE_MACHINE))
    @rule(cause=CAUSE, reason=REASON)
    def void(self, cause: str, reason: str) -> None:
        done = self.tell("game_voided", cause=cause, reason=reason)
        if done is not None:
            assert patterns.BINGO not in self.game.closed
            assert not (cause == "fault" and self.game.balls)

    @precondition(during(Phase.VOIDED))
    @rule(till=TILL, at=st.integers(0, 5), length=st.integers(0, 40))
    def refund(self, till: str, at: int, length: int) -> None:
        issue, first = self.sold_now[min(at, len(self.sold_now) - 1)] if self.sold_now else (1, 1)
        last = first + length
        refunded = self.state.game.refunded if self.state.game else ()
        done = self.tell("cards_refunded", issue=issue, first=first, last=last, till=till)
        if done is not None:
            assert {(issue, n) for n in range(first, last + 1)} <= set(self.sold_now)
            assert all(
                one.issue != issue or one.last < first or last < one.first for one in refunded
            )

    @precondition(during(Phase.PAYING))
    @rule(reason=MISSING, note=REASON, witness=st.sampled_from([None, "chief", "chief"]))
    def winner_is_gone(self, reason: str, note: str, witness: str | None) -> None:
        due = self.game.unpaid
        issue, card = due[0] if due else self.a_card()
        named = {"issue": issue, "card": card, "reason": reason, "note": note}
        if self.tell("prize_set_aside", witness=witness, **named) is not None:
            assert (issue, card) in due
            assert witness is not None

    @precondition(during(Phase.VOIDED))
    @rule(reason=MISSING, at=st.integers(0, 5), length=st.integers(0, 40))
    def cards_do_not_come_back(self, reason: str, at: int, length: int) -> None:
        issue, first = self.sold_now[min(at, len(self.sold_now) - 1)] if self.sold_now else (1, 1)
        ranges = [{"issue": issue, "first": first, "last": first + length}]
        before = {one for one in self.sold_now if not self._refunded(*one)}
        named = {"ranges": ranges, "reason": reason, "note": ""}
        if self.tell("refund_set_aside", witness="chief", **named) is not None:
            assert {(issue, card) for card in range(first, first + length + 1)} <= before

    @precondition(lambda self: self.owed)
    @rule(till=TILL, at=st.integers(0, 9), upheld=st.booleans())
    def somebody_comes_for_it(self, till: str, at: int, upheld: bool) -> None:
        """Pay one card of what was set aside, in this game or a later one."""
        at %= len(self.owed)
        item = self.owed[at]
        card = item.open_parts[0][0] if item.cards else item.first
        ruling = upheld_for(item, card) if upheld else None
        try:
            told = unclaimed.pay(item, first=card, last=card, till=till, on=TODAY, ruling=ruling)
        except Refusal:
            assert not item.cards or item.reason in unclaimed.REFUSED
            return
        if self.tell("unclaimed_paid", witness="chief", **told) is not None:
            self.owed[at] = unclaimed.settle(item, card, card)

    @precondition(during(Phase.PAYING, Phase.VOIDED))
    @rule()
    def complete_entry(self) -> None:
        done = self.tell("entry_completed")
        assert done is None or not self.game.unpaid

    # What everybody does next if nothing disturbs them

    @rule(steps=st.integers(1, 12))
    def go_on(self, steps: int) -> None:
        """The next lawful commands, up to the draw."""
        for _ in range(steps):
            if not self.state.playing or self.game.phase not in AT_THE_MACHINE:
                self.take_the_next_step()

    @precondition(during(Phase.PREPARED, Phase.SELLING, Phase.CLOSED))
    @rule()
    def begin_the_draw(self) -> None:
        while self.game.phase is not Phase.DRAWING:
            self.take_the_next_step()

    @precondition(seldom)
    @precondition(during(*AT_THE_MACHINE))
    @rule()
    def bring_the_draw_to_its_end(self) -> None:
        while self.game.phase in AT_THE_MACHINE:
            self.take_the_next_step()

    def take_the_next_step(self) -> None:
        """Do what is lawful next; were there nothing, the hall would be stuck, and this fails."""
        kind, inputs = self._next()
        assert self.tell(kind, **inputs) is not None, kind
        if kind == "refusal_reversed":
            self.refused.remove((inputs["combination"], inputs["issue"], inputs["card"]))

    def _next(self) -> tuple[str, Data]:
        if "T1" not in self.drawers:
            taken = {one.cashier for one in self.state.shifts if one.counted is None}
            cashier = next(name for name in "abc" if name not in taken)
            return "shift_opened", {"till": "T1", "cashier": cashier, "float": 0}
        if not self.state.playing:
            return self._next_game()
        match self.game.phase:
            case Phase.PREPARED:
                return "sale_announced", {}
            case Phase.SELLING:
                return self._mended() or self._next_of_sale()
            case Phase.CLOSED:
                return self._mended() or ("draw_announced", {})
            case Phase.DRAWING | Phase.STOPPED | Phase.WINDOW:
                return self._mended() or self._next_of_draw()
            case _:
                return self._next_of_money()

    def _next_game(self) -> tuple[str, Data]:
        stock = [issue for issue in ISSUES if self.next_of(issue) <= SIZE]
        if not stock:
            return "note_recorded", {"category": "other", "text": "no cards left", "decision": ""}
        on_sale = self.on_sale(stock[0])
        return "game_opened", {"format": 90, "face": FACE, "issue": on_sale, "matrix": "ab"}

    def _mended(self) -> tuple[str, Data] | None:
        return None if self.game.suspended is None else ("game_resumed", {"decision": "mended"})

    def _next_of_sale(self) -> tuple[str, Data]:
        if self.game.cards:
            return "sale_closed", {}
        quantity = min(8, self.game.runs[0].left)
        return "cards_sold", {"quantity": quantity, "first": None, "till": "T1", "seller": None}

    def _next_of_draw(self) -> tuple[str, Data]:
        refused = {(issue, card) for name, issue, card in self.refused if name == "bingo"}
        issue, card = next((one for one in self.sold_now if one not in refused), self.sold_now[0])
        missing = sorted(numbers(card) - set(self.game.balls))
        if self.game.phase is Phase.WINDOW:
            return "window_closed", {}
        if self.game.phase is Phase.DRAWING:
            if missing:
                source = self.game.source.replace(drawing.FIRST, "") or drawing.RNG
                told = {"number": missing[0], "order": None, "source": source}
                return "ball_announced", told | {"witness": "chief"}
            return "claim_called", {"combination": "bingo"}
        if self.game.pending:
            return "window_opened", {}
        if patterns.BINGO in self.game.closed:
            return "game_finished", {}
        if (issue, card) in refused:
            # Where nobody else can win, two persons look at its marks again (R30).
            named = {"combination": "bingo", "issue": issue, "card": card}
            return "refusal_reversed", named | {"reason": "marked after all", "witness": "chief"}
        return (
            ("draw_resumed", {})
            if missing
            else ("claim_checked", claim("bingo", card, issue=issue))
        )

    def _next_of_money(self) -> tuple[str, Data]:
        due, kind, inputs = 0, "entry_completed", dict[str, Any]()
        if self.game.unpaid and self.random.random() < 0.3:
            issue, card = self.game.unpaid[0]
            named = {"issue": issue, "card": card, "reason": "left", "note": ""}
            return "prize_set_aside", named | {"witness": "chief"}
        if self.game.unpaid:
            issue, card = self.game.unpaid[0]
            won = [one for one in self.game.awards if (one.issue, one.card) == (issue, card)]
            due = sum(one.amount - one.tax for one in won)
            kind, inputs = "prize_paid", {"issue": issue, "card": card, "till": "T1"}
        elif left := [] if self.game.void is None else setting_aside.refunds_left(self.game):
            if self.random.random() < 0.3:
                ranges = [sales.range_to_data(part) for part in left]
                named = {"ranges": ranges, "reason": "left", "note": ""}
                return "refund_set_aside", named | {"witness": "chief"}
            issue, card = next(one for one in self.sold_now if not self._refunded(*one))
            due = FACE
            kind = "cards_refunded"
            inputs = {"issue": issue, "first": card, "last": card, "till": "T1"}
        if due > self.drawers["T1"]:
            brought = {"till": "T1", "amount": due, "reason": "cash for the players"}
            return "cash_moved", brought
        return kind, inputs

    def _refunded(self, issue: int, card: int) -> bool:
        return any(
            part.issue == issue and part.first <= card <= part.last
            for part in self.game.refunds_settled
        )

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
        moved = session_end.totals_of_session(self.journal)
        owed = sum(one.amount for one in self.owed)
        assert owed == moved.set_aside - moved.paid_later

    def teardown(self) -> None:
        """Bring the evening to its end, and read it all again from its journal."""
        if not hasattr(self, "state"):
            return
        for _ in range(400):
            if not self.state.playing:
                break
            self.take_the_next_step()
        assert not self.state.playing
        for till, due in list(self.drawers.items()):
            self.tell("shift_closed", till=till, counted=due, comment="")
        assert self.tell("session_closed") is not None
        assert session.replay(self.journal) == self.state
        account = jackpot_account.JackpotAccount()
        assert all(one.balance >= 0 for fact in self.journal for one in account.movements(fact))
        # Whoever comes the next day finds what is owed, and the hall has it.
        later = session_opening.begin(
            Fact("session_opened", session_opening.open_session(**terms(number=2)))
        )
        due = sum(one.amount for one in self.owed)
        opened: Data = {"till": "T1", "cashier": "a", "float": due}
        later = session.apply_fact(later, session.decide(later, "shift_opened", **opened))
        for item in self.owed:
            for first, last in item.open_parts:
                for card in range(first, last + 1):
                    told = unclaimed.pay(
                        item, first=card, last=card, till="T1", on=TODAY,
                        ruling=upheld_for(item, card),
                    )  # fmt: skip
                    fact = session.decide(later, "unclaimed_paid", witness="chief", **told)
                    later = session.apply_fact(later, fact)
        assert later.shifts[0].cash == 0
        assert account.balances == [one.balance for one in self.state.jackpots]


# Shrinking a whole evening takes minutes and seldom makes it shorter.
Evening.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=50,
    deadline=None,
    print_blob=True,
    phases=[Stage.reuse, Stage.generate],
)
TestEvening = Evening.TestCase
