"""Whole evenings of random commands, lawful or not: nothing lost, nothing forged, never stuck.

The machine keeps books of its own, as simple as they can be: what each drawer should hold, the
jackpot, the next card of each issue. After every command they are compared with the session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bingo.rules import (
    cards,
    game_flow,
    jackpot_account,
    patterns,
    session,
    session_opening,
    unclaimed,
)
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from bingo.rules.steps import drawing, floor
from tests.support.evening_books import ISSUES, TODAY, Data
from tests.support.evening_steps import EveningSteps
from tests.support.rules_playing import (
    FACE,
    MATRIX,
    SIZE,
    claim,
    numbers,
    terms,
)

TILLS = ("T1", "T2")
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


class Evening(EveningSteps):
    """Commands of all desks in any order."""

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
            "sale": 1,
            "seconds": 5,
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

    @precondition(lambda self: during(Phase.SELLING)(self) and self.sales)
    @rule(back=st.sampled_from([1, 1, 2]), seconds=st.sampled_from([0, 60, 61, -1]))
    def take_back(self, back: int, seconds: int) -> None:
        sale, _before = self.sales[-min(back, len(self.sales))]
        told: Data = {"sale": 1, "till": sale["till"], "ranges": sale["ranges"]}
        done = self.tell("sale_taken_back", seconds=seconds, **told)
        assert done is None or 0 <= seconds <= 60

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
                fact
                for fact in self.journal
                if fact.kind in game_flow.STEPS and fact.kind not in beside
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
        unanswered = self.game.unanswered
        assert self.tell(kind) is None or kind != "draw_resumed" or not unanswered

    @precondition(during(Phase.STOPPED))
    @rule(why=REASON)
    def withdraw_the_call(self, why: str) -> None:
        unanswered = self.game.unanswered
        assert self.tell("draw_resumed", withdrawn=why) is None or unanswered

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
