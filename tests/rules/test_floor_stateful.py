"""Random sales with floor sellers against the simplest of models: where each single card is.

A card is free, in somebody's hands, sold or gone. What is sold next is the lowest free card; what
the drawers hold is the price of the sold ones. Everything else about runs, blocks and what came
back must follow from that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bingo.rules import sale_order, session, session_state
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run
from bingo.rules.session_state import GameState, Phase
from tests.support.rules_floor import cards_in, cards_of, in_hand
from tests.support.rules_playing import FACE, Data, Play, an_issue, numbers

SIZE = 24
ISSUES = range(1, 6)
SELLERS = ("rui", "bia", "eva")
FREE, SOLD, GONE = "free", "sold", "gone"
TILLS = ("T1", "T2")
FLOAT = 10_000_00
Card = tuple[int, int]  # issue, number

SELLER = st.sampled_from(SELLERS)
TILL = st.sampled_from(TILLS)
NUMBER = st.integers(1, SIZE)


def during(*phases: Phase) -> Callable[[Any], bool]:
    return lambda floor: floor.play.state.playing and floor.game.phase in phases


def seldom(floor: Floor) -> bool:
    """Let only one in three pass: a sale that ends at once shows nothing."""
    return floor.chance.random() < 0.3


def resting(floor: Floor) -> bool:
    return not floor.play.state.playing


class Floor(RuleBasedStateMachine):
    """A hall whose cards are watched one by one."""

    @initialize(seed=st.integers(0, 10**6), sold=st.integers(0, SIZE - 1), also=st.integers(0, 8))
    def open(self, seed: int, sold: int, also: int) -> None:
        self.chance = Random(seed)
        self.play = Play()
        for till in TILLS:
            self.play.till(till, float=FLOAT)
        self.shadow = json.dumps(session_state.dump(self.play.state))
        self.where: dict[Card, str] = {
            (issue, card): FREE for issue in ISSUES for card in range(1, SIZE + 1)
        }
        # Of the first two issues sessions before have sold some.
        self.last = dict.fromkeys(ISSUES, 0) | {1: sold, 2: also}
        for issue, last in self.last.items():
            self.where |= dict.fromkeys([(issue, card) for card in range(1, last + 1)], SOLD)
        self.drawers = dict.fromkeys(TILLS, FLOAT)
        # Of the open game: its issues with the cards that it may sell, and what it has sold.
        self.range: dict[int, range] = {}
        self.now: set[Card] = set()
        self.refunded: set[Card] = set()

    @property
    def game(self) -> GameState:
        return self.play.game

    def free(self, issue: int) -> list[int]:
        """The cards of an issue that this game may still sell, in order."""
        return [card for card in self.range[issue] if self.where[issue, card] == FREE]

    def queue(self) -> list[Card]:
        """The cards that this game may still sell, in the order of the law."""
        return [(issue, card) for issue in self.range for card in self.free(issue)]

    def held(self, seller: str) -> list[Card]:
        return sorted(card for card, place in self.where.items() if place == seller)

    def on_sale(self, issue: int) -> Data:
        """The issue as it stands between two games."""
        last = self.last[issue]
        gone = [
            (card, card) for card in range(last + 1, SIZE + 1) if self.where[issue, card] == GONE
        ]
        told = an_issue(issue, last_sold=last, retired=sale_order.merged(gone))
        return told | {"size": SIZE}

    def tell(self, kind: str, **inputs: Any) -> Data | str:
        """Return a command: its data, or the code of its refusal, and then nothing has changed."""
        try:
            data = self.play.do(kind, **inputs)
        except Refusal as refusal:
            assert json.dumps(session_state.dump(self.play.state)) == self.shadow
            return refusal.code
        # What the journal's reader makes of the fact is what the hall has come to.
        told = Fact(kind, json.loads(json.dumps(data)))
        judged = session.judge(session_state.load(json.loads(self.shadow)), told)
        assert judged == self.play.state
        self.shadow = json.dumps(session_state.dump(judged))
        return data

    def takes(self, done: Data | str, quantity: int, place: str) -> bool:
        """Compare what was taken off the stack with the next of the queue."""
        queue = self.queue()
        if quantity < 1:
            assert done == "quantity_not_positive"
        elif not queue:
            assert done == "sold_out"
        elif quantity > len(queue):
            assert done == "only_left"
        else:
            assert isinstance(done, dict), done
            assert cards_in(done["ranges"]) == queue[:quantity]
            self.where |= dict.fromkeys(queue[:quantity], place)
            return True
        return False

    def paid(self, till: str, cards: list[Card]) -> None:
        self.now |= set(cards)
        self.drawers[till] += FACE * len(cards)

    # The sale

    @precondition(resting)
    @rule(issue=st.sampled_from(ISSUES))
    def open_game(self, issue: int) -> None:
        done = self.tell("game_opened", format=90, face=FACE, issue=self.on_sale(issue), matrix="")
        cards = range(self.last[issue] + 1, SIZE + 1)
        if all(self.where[issue, card] == GONE for card in cards):
            assert done == "issue_exhausted"
            return
        assert isinstance(done, dict), done
        self.range, self.now, self.refunded = {issue: cards}, set(), set()
        assert self.tell("sale_announced") != "wrong_phase"

    @precondition(resting)
    @rule(
        issue=st.sampled_from(ISSUES), length=st.integers(0, 3), further=st.sampled_from([0, 0, 5])
    )
    def retire(self, issue: int, length: int, further: int) -> None:
        """Let the stock write off cards of an issue that is not on sale."""
        first = self.last[issue] + 1 + further
        cards = [(issue, card) for card in range(first, first + length + 1)]
        self.where |= dict.fromkeys([card for card in cards if card in self.where], GONE)

    @precondition(during(Phase.SELLING))
    @rule(quantity=st.integers(-1, 12), till=TILL, shown=st.sampled_from([None, 0, 1]))
    def sell(self, quantity: int, till: str, shown: int | None) -> None:
        queue = self.queue()
        first = None if shown is None or not queue else queue[0][1] + shown
        done = self.tell("cards_sold", quantity=quantity, first=first, till=till, seller=None)
        if first and shown and 1 <= quantity <= len(queue):
            assert done == "out_of_order"
        elif self.takes(done, quantity, SOLD):
            self.paid(till, queue[:quantity])

    @precondition(during(Phase.SELLING))
    @rule(quantity=st.integers(-1, 12), seller=SELLER, till=TILL)
    def hand_out(self, quantity: int, seller: str, till: str) -> None:
        done = self.tell("cards_handed_out", quantity=quantity, seller=seller, till=till)
        self.takes(done, quantity, seller)

    @precondition(during(Phase.SELLING))
    @rule(seller=SELLER, till=TILL, back=st.sampled_from([0, 0.3, 1]), issue=st.integers(0, 1))
    def settle_all(self, seller: str, till: str, back: float, issue: int) -> None:
        """Settle what a seller has of an issue, block by block."""
        for run in self.game.runs[issue : issue + 1]:
            for block in [one for one in run.out if one.seller == seller]:
                self._settle(seller, till, run.issue, block.first, block.last, back)

    @precondition(during(Phase.SELLING))
    @rule(
        seller=SELLER, till=TILL, first=NUMBER, length=st.integers(-1, 8), issue=st.integers(0, 1)
    )
    def settle_some(self, seller: str, till: str, first: int, length: int, issue: int) -> None:
        """Settle any cards, the seller's or not."""
        for run in self.game.runs[issue : issue + 1]:
            self._settle(seller, till, run.issue, first, first + length, 0.5)

    def _settle(
        self, seller: str, till: str, issue: int, first: int, last: int, back: float
    ) -> None:
        cards = [(issue, card) for card in range(first, last + 1)]
        asked = [card for card in cards if self.where.get(card) != GONE]
        returned = [card for card in asked if self.chance.random() < back]
        parts = sale_order.merged((card, card) for _issue, card in returned)
        done = self.tell(
            "block_settled", seller=seller, issue=issue, first=first, last=last, till=till,
            returned=[list(part) for part in parts],
        )  # fmt: skip
        if not asked or any(self.where.get(card) != seller for card in asked):
            assert done == "not_handed_out"
            return
        assert isinstance(done, dict), done
        bought = [card for card in asked if card not in returned]
        assert cards_in(done["ranges"]) == bought
        assert done["amount"] == FACE * len(bought)
        self.where |= dict.fromkeys(returned, FREE) | dict.fromkeys(bought, SOLD)
        self.paid(till, bought)

    @precondition(during(Phase.SELLING))
    @rule(seller=SELLER, to=SELLER, share=st.sampled_from([0.3, 1]), stray=st.booleans())
    def hand_over(self, seller: str, to: str, share: float, stray: bool) -> None:
        held = self.held(seller)
        issue, first = held[0] if held else (self.game.runs[0].issue, 1)
        last = first
        while (issue, last + 1) in held and self.chance.random() < share:
            last += 1
        last += stray
        done = self.tell(
            "block_handed_over", seller=seller, to=to, issue=issue, first=first, last=last
        )
        cards = [(issue, card) for card in range(first, last + 1)]
        asked = [card for card in cards if self.where.get(card) != GONE]
        if seller == to:
            assert done == "same_seller"
        elif not set(asked) <= set(held) or not asked:
            assert done == "not_handed_out"
        else:
            assert isinstance(done, dict), done
            self.where |= dict.fromkeys(asked, to)

    @precondition(during(Phase.SELLING))
    @rule(first=NUMBER, length=st.integers(0, 3), issue=st.integers(0, 1))
    def write_off(self, first: int, length: int, issue: int) -> None:
        for run in self.game.runs[issue : issue + 1]:
            last = first + length
            asked = [(run.issue, card) for card in range(first, last + 1)]
            done = self.tell(
                "cards_written_off", issue=run.issue, first=first, last=last, reason="wet"
            )
            places = [self.where.get(card) for card in asked]
            if first < run.first or last > SIZE:
                assert done == "not_on_sale"
            elif SOLD in places:
                assert done == "card_already_sold"
            elif GONE in places:
                assert done == "card_already_retired"
            else:
                assert isinstance(done, dict), done
                self.where |= dict.fromkeys(asked, GONE)

    @precondition(during(Phase.SELLING))
    @rule(issue=st.sampled_from(ISSUES) | st.just(3))
    def open_second(self, issue: int) -> None:
        done = self.tell("second_issue_opened", issue=self.on_sale(issue), face=FACE)
        [first, *others] = self.game.runs
        begun = min(
            (card for card in self.range[first.issue] if self.where[first.issue, card] != GONE),
            default=SIZE + 1,
        )
        cards = range(1, begun)
        room = any(self.where[issue, card] == FREE for card in cards)
        if isinstance(done, str):
            used = issue == first.issue or self.last[issue] > 0
            assert others or used or not room, done
            return
        assert len(others) == 1
        assert room
        self.range[issue] = cards

    @precondition(lambda self: during(Phase.SELLING)(self) and len(self.game.runs) == 2)
    @rule(seller=SELLER, back=st.sampled_from([0.3, 1]))
    def sell_of_the_second_while_the_first_is_out(self, seller: str, back: float) -> None:
        first = self.game.runs[0].issue
        if self.free(first):
            self.hand_out(quantity=len(self.free(first)), seller=seller, till="T1")
        self.sell(quantity=2, till="T2", shown=None)
        self.settle_all(seller=seller, till="T1", back=back, issue=0)
        self.close()

    # The end of it

    def whole(self) -> bool:
        """Whether what was sold is one unbroken run, or two of which the first went to its end."""
        first, *others = self.range
        return self.settled() and not (
            self.free(first) and any(issue in others for issue, _card in self.now)
        )

    def settled(self) -> bool:
        """Whether it is known what was sold, and no card between sold ones lies unsold."""
        for issue, cards in self.range.items():
            sold = [card for card in cards if self.where[issue, card] == SOLD]
            if any(self.where[issue, card] in SELLERS for card in cards):
                return False
            if any(
                self.where[issue, card] == FREE for card in range(cards[0], max(sold, default=0))
            ):
                return False
        return True

    @precondition(seldom)
    @precondition(during(Phase.SELLING))
    @rule()
    def close(self) -> None:
        done = self.tell("sale_closed")
        if isinstance(done, str):
            assert done in ("blocks_out", "cards_back", "first_not_exhausted", "nothing_sold")
            assert (done == "nothing_sold") == (self.whole() and not self.now)
            assert done == "nothing_sold" or not self.whole()
            return
        assert self.whole()
        told = {
            (one["issue"], card)
            for one in done["ranges"]
            for card in range(one["first"], one["last"] + 1)
            if card not in cards_of(one.get("retired", ()))
        }
        assert told == self.now
        assert (done["cards"], done["prizes"]["gross"]) == (len(self.now), FACE * len(self.now))

    @precondition(seldom)
    @precondition(during(Phase.SELLING, Phase.CLOSED))
    @rule(cause=st.sampled_from(["other", "nothing_sold"]))
    def void(self, cause: str) -> None:
        done = self.tell("game_voided", cause=cause, reason="x")
        if isinstance(done, str):
            wrong_cause = cause == "nothing_sold" and bool(self.now)
            assert wrong_cause or not self.settled()
            return
        # All is paid back: nobody asks whether the first issue went to its end before the second.
        assert self.settled()
        assert done["amount"] == FACE * len(self.now)

    @precondition(during(Phase.VOIDED))
    @rule(first=NUMBER, length=st.integers(-1, 12), issue=st.sampled_from(ISSUES), till=TILL)
    def refund(self, first: int, length: int, issue: int, till: str) -> None:
        last = first + length
        done = self.tell("cards_refunded", issue=issue, first=first, last=last, till=till)
        asked = {(issue, card) for card in range(first, last + 1)}
        if not asked or not asked <= self.now:
            assert done == "not_sold"
        elif asked & self.refunded:
            assert done == "already_refunded"
        elif FACE * len(asked) > self.drawers[till]:
            assert done == "cash_short"
        else:
            assert isinstance(done, dict), done
            assert done["amount"] == FACE * len(asked)
            self.refunded |= asked
            self.drawers[till] -= FACE * len(asked)

    @precondition(during(Phase.VOIDED))
    @rule()
    def refund_the_rest(self) -> None:
        for issue, card in sorted(self.now - self.refunded):
            self.refund(first=card, length=0, issue=issue, till="T1")
        self.complete()

    @precondition(during(Phase.VOIDED, Phase.PAYING))
    @rule()
    def complete(self) -> None:
        voided = self.game.void is not None
        done = self.tell("entry_completed")
        if voided and self.now != self.refunded:
            assert done == "refunds_due"
            return
        assert isinstance(done, dict), done
        assert (done["cards"], done["refunded"]) == (len(self.now), FACE * len(self.refunded))
        for issue in self.range:
            mine = [card for one, card in self.now if one == issue]
            self.last[issue] = max(mine, default=self.last[issue])

    @precondition(during(Phase.CLOSED))
    @rule()
    def play_to_the_end(self) -> None:
        issue, card = min(self.now)
        self.tell("draw_announced")
        for number in sorted(numbers(card)):
            self.tell("ball_announced", number=number, order=None, source="rng")
        self.play.call("bingo").check("bingo", card, issue=issue)
        self.play.window()
        self.play.do("game_finished")
        self.drawers["T1"] -= self.play.pay(card, issue=issue)["amount"]
        self.shadow = json.dumps(session_state.dump(self.play.state))
        self.complete()

    # After every command

    @invariant()
    def drawers_hold_the_price_of_the_sold_cards(self) -> None:
        if hasattr(self, "play"):
            assert {one.till: one.cash for one in self.play.state.shifts} == self.drawers

    @invariant()
    def every_card_is_where_the_model_has_it(self) -> None:
        if not hasattr(self, "play") or resting(self):
            return
        assert self.game.cards == len(self.now)
        for run in self.game.runs:
            self._compare(run)

    def _compare(self, run: Run) -> None:
        cards = self.range[run.issue]
        hands = in_hand(run)
        sold = set(cards_of(run.sold_parts))
        for card in cards:
            place = self.where[run.issue, card]
            assert hands.get(card) == (place if place in SELLERS else None)
            assert (card in sold) == (place == SOLD)
        assert run.left == len(self.free(run.issue))
        assert run.upcoming == min(self.free(run.issue), default=None)
        taken = [card for card in cards if card < run.next and self.where[run.issue, card] != GONE]
        assert run.last == max(taken, default=None)
        # Nothing lies behind the stack that might as well lie on it.
        assert not taken or self.where[run.issue, taken[-1]] != FREE

    def teardown(self) -> None:
        """Bring the game to its end, and read it all again from the journal."""
        if not hasattr(self, "play"):
            return
        if during(Phase.SELLING)(self):
            for seller in SELLERS:
                for issue in (0, 1):
                    self.settle_all(seller=seller, till="T1", back=0, issue=issue)
            while any(run.back for run in self.game.runs) or not self.whole():
                self.sell(quantity=1, till="T2", shown=None)
        if during(Phase.SELLING, Phase.CLOSED)(self):
            self.void(cause="other")
        if during(Phase.VOIDED)(self):
            self.refund_the_rest()
        assert not self.play.state.playing
        assert session.replay(self.play.journal) == self.play.state


def play(examples: int) -> None:
    # Shrinking is left out: it takes minutes, and the history says what it is about.
    run_state_machine_as_test(
        Floor,
        settings=settings(
            max_examples=examples,
            stateful_step_count=40,
            deadline=None,
            phases=[Stage.reuse, Stage.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(37)
@pytest.mark.rule(38)
def test_every_card_is_in_one_place_and_paid_for_once() -> None:
    play(25)


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(37)
@pytest.mark.rule(38)
def test_every_card_is_in_one_place_in_very_many_evenings() -> None:
    play(400)
