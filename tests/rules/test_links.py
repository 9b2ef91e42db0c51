"""One jackpot of several halls: whatever order things happen in, no cent is made or lost (R9-R12)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from bingo.rules import jackpots, linked_jackpots, policies, session
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import ACCRUED, AWARDED, LEFT_OVER, RESTORED, REVERSED
from bingo.rules.jackpots import Jackpot
from bingo.rules.linked_jackpots import (
    ENDED,
    FUNDED,
    MOVED,
    SETTLED,
    BalanceMovement,
    LinkShare,
    Pool,
)
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from tests.support.rules_playing import NO_TAX, Play, an_issue, numbers, within

CODE, BASE, LIMIT, COIN = "ilhas", 500_00, 45, 25
LEVEL: dict[str, Any] = {"rate": 200, "base": BASE, "balance": 0, "link": CODE} | within(LIMIT)
OWN: dict[str, Any] = {"rate": 100, "base": 100_00, "balance": 40_00} | within(20)
TERMS: dict[str, Any] = {
    "link": CODE, "name": "Ilhas", "currency": "CVE", "rulebook": "cape-verde-2017",
    "base": BASE, "reference": "7/2026",
} | within(LIMIT)  # fmt: skip
HALLS = st.integers(0, 2)


def play(**changed: Any) -> Play:
    """A session that plays for the link, with a level of its own beside it."""
    levels: dict[str, Any] = {"jackpot": LEVEL, "levels": [OWN]}
    return Play(**(levels | {"tax": NO_TAX} | changed)).till()


class Halls(RuleBasedStateMachine):
    """Three halls whose games run into each other, and one pool that books what each tells."""

    @initialize(base=st.integers(0, BASE))
    def begun(self, base: int) -> None:
        """Open a session in each, and put a base in."""
        # The last hall pays in coins: what they leave over of the pool is nobody's but the pool's.
        policy = policies.record(tills=("T1",), cash_step=COIN)
        self.plays = [play(), play(), play(policy=policy)]
        self.sold = [0, 0, 0]
        self.pool, self.booked = Pool(), [list[BalanceMovement]() for _hall in range(3)]
        self.before: list[Fact] = []
        if base:
            funded = Fact(FUNDED, linked_jackpots.fund(0, link=CODE, amount=base, reference="base"))
            self.before.append(funded)
            self._book(0, LinkShare().movements(funded))

    def _book(self, hall: int, movements: Any) -> None:
        for movement in movements:
            self.pool.book(hall, movement.kind, movement.amount)
            self.booked[hall].append(movement)

    def _do(self, hall: int, kind: str, **inputs: Any) -> None:
        """Give a command as the services do, and book what its fact moves."""
        known = self.plays[hall].state
        game = known.game
        added = game.added_to_link if game and game.void is None else 0
        data = self.plays[hall].do(kind, **inputs)
        self._book(hall, LinkShare(known.jackpots, added).movements(Fact(kind, data)))

    def _phase(self, hall: int) -> Phase | None:
        game = self.plays[hall].state.game
        return game.phase if game and game.phase != Phase.COMPLETE else None

    @rule(hall=HALLS, cards=st.integers(1, 6))
    def sell(self, hall: int, cards: int) -> None:
        """Play a game up to the close of its sale."""
        if self._phase(hall) is not None or self.sold[hall] + cards > 90:
            return
        here = self.plays[hall]
        here.selling(last_sold=self.sold[hall]).sell(cards)
        self.sold[hall] += cards
        self._do(hall, "sale_closed")

    @rule(hall=HALLS)
    def void(self, hall: int) -> None:
        """Void a game whose sale is closed, whoever has won the pool meanwhile."""
        if self._phase(hall) != Phase.CLOSED:
            return
        self._do(hall, "game_voided", cause="other", reason="the hall was evacuated")
        run = self.plays[hall].game.runs[0]
        self.plays[hall].refund(run.first, run.last or run.first)
        self.plays[hall].do("entry_completed")

    @rule(hall=HALLS, late=st.booleans())
    def win(self, hall: int, late: bool) -> None:
        """Let a card win the bingo, in time or not."""
        if self._phase(hall) != Phase.CLOSED:
            return
        here = self.plays[hall]
        card = here.game.runs[0].first
        here.do("draw_announced")
        if late:
            here.balls(*range(1, 91))
        here.balls(*sorted(numbers(card))).call("bingo").check("bingo", card)
        here.do("window_opened")
        worth = self.pool.open_to(hall)
        self._do(hall, "window_closed", linked=worth)
        won = sum(one.amount for one in here.game.awards if one.combination == "jackpot")
        coin = COIN if hall == 2 and worth >= COIN else 1
        assert won == (0 if late else worth // coin * coin)
        here.do("game_finished")
        here.pay(card)
        here.do("entry_completed")

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        """What came in is what went out and what is held."""
        sums: Counter[str] = Counter()
        for movement in (one for each in self.booked for one in each):
            sums[movement.kind] += movement.amount
        assert self.pool.balance == sum(sums.values()) >= 0
        assert -sums[AWARDED] - sums[LEFT_OVER] == sum(
            award["amount"]
            for here in self.plays
            for fact in here.journal
            if fact.kind == "window_closed"
            for award in fact.data["awards"]
            if award["combination"] == "jackpot"
        )

    @invariant()
    def whatever_waits_is_there_to_be_taken_back(self) -> None:
        """No award in one hall has taken what another hall's void would need."""
        assert sum(self.pool.waiting.values()) <= self.pool.balance
        for hall, here in enumerate(self.plays):
            playing = self._phase(hall) == Phase.CLOSED
            waits = here.game.added_to_link if playing else 0
            assert self.pool.waiting.get(hall, 0) == waits
            assert self.pool.open_to(hall) >= waits

    @invariant()
    def each_journal_tells_its_own_part(self) -> None:
        """Anybody who has a hall's journal comes to what was booked for it."""
        for hall, here in enumerate(self.plays):
            part = LinkShare()
            facts = [*(self.before if hall == 0 else []), *here.journal]
            assert [one for fact in facts for one in part.movements(fact)] == self.booked[hall]
            assert session.replay(here.journal) == here.state
            assert here.state.jackpots[0].balance == 0


@pytest.mark.slow
@pytest.mark.rule(10)
@pytest.mark.rule(11)
def test_no_order_of_games_in_several_halls_makes_or_loses_a_cent() -> None:
    run_state_machine_as_test(
        Halls, settings=settings(max_examples=30, stateful_step_count=15, deadline=None)
    )


@pytest.mark.rule(57)
def test_pool_that_gave_everything_away_would_lack_what_a_void_takes_back() -> None:
    """The negative control: were all of it won, the other hall's void would find nothing."""
    pool = Pool()
    pool.book(1, ACCRUED, 50)
    pool.book(2, ACCRUED, 20)
    with pytest.raises(Refusal, match="link_differs"):
        pool.book(2, AWARDED, -70)
    pool.book(2, AWARDED, -20)
    pool.book(1, REVERSED, -50)
    assert pool.balance == 0


@pytest.mark.parametrize(
    ("kind", "amount"),
    [
        (ACCRUED, -1), (REVERSED, -49), (AWARDED, -49), (AWARDED, -51), (RESTORED, 0),
        (SETTLED, 1), (FUNDED, 0), (FUNDED, jackpots.MOST), (ENDED, -50), (MOVED, -50),
        (LEFT_OVER, 0), ("gift", 1),
    ],
)  # fmt: skip
def test_movement_that_cannot_have_been_is_refused(kind: str, amount: int) -> None:
    pool = Pool(50, {1: 50})
    with pytest.raises(Refusal, match="link_differs"):
        pool.book(1, kind, amount)
    assert pool == Pool(50, {1: 50})


@pytest.mark.parametrize("kind", [ENDED, MOVED])
def test_nothing_moves_a_link_that_is_over(kind: str) -> None:
    pool = Pool(50)
    pool.book(1, kind, -50)
    for after, amount in ((ACCRUED, 1), (FUNDED, 1), (SETTLED, 0)):
        with pytest.raises(Refusal, match="link_differs"):
            pool.book(1, after, amount)
    assert pool == Pool(0, {}, over=True)


@pytest.mark.rule(9)
def test_window_closes_over_what_the_link_holds_or_not_at_all() -> None:
    here = play()
    here.selling().sell(6)
    here.begin_draw().balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    here.do("window_opened")
    added = here.game.added_to_link
    assert added == 6 * 200 * 80 // 100 * 200 // 10_000
    assert here.refused("window_closed").code == "link_unread"
    for amount in (added - 1, -1, jackpots.MOST + 1, True, 1.5, "7"):
        assert here.refused("window_closed", linked=amount).code == "bad_amount"
    assert here.do("window_closed", linked=added)["linked"] == added


@pytest.mark.rule(9)
def test_fact_that_tells_another_amount_than_was_shared_is_refused() -> None:
    here = play()
    here.selling().sell(6)
    here.begin_draw().balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    here.do("window_opened")
    here.do("window_closed", linked=900)
    *before, last = here.journal
    for forged in (901, None):
        data = {**last.data, "linked": forged}
        if forged is None:
            del data["linked"]
        with pytest.raises(Refusal):
            session.replay([*before, Fact(last.kind, data)])


@pytest.mark.rule(6)
@pytest.mark.rule(15)
def test_second_game_of_double_cards_adds_and_wins_for_itself() -> None:
    here, part = Play(jackpot=LEVEL | {"rate": 300}, tax=NO_TAX).till(), LinkShare()
    issue = an_issue() | {"double": True}
    here.do("game_opened", format=90, face=200, issue=issue, matrix="ab" * 32)
    here.do("sale_announced")
    here.sell(6)
    here.begin_draw().balls(*sorted(numbers(1))).call("bingo").check("bingo", 1)
    here.do("window_opened")
    added = here.game.added_to_link
    here.do("window_closed", linked=added)
    here.do("game_finished")
    here.do("entry_completed")
    here.do("second_half_opened")
    here.do("draw_announced")
    here.balls(*sorted(numbers(2))).call("bingo").check("bingo", 2)
    here.do("window_opened")
    here.do("window_closed", linked=BASE + added)
    told = [(one.kind, one.amount) for fact in here.journal for one in part.movements(fact)]
    assert told == [
        (ACCRUED, added), (AWARDED, -added), (RESTORED, BASE),
        (ACCRUED, added), (AWARDED, -BASE - added), (RESTORED, BASE),
    ]  # fmt: skip


def test_linked_level_is_told_without_a_balance_ceiling_or_schedule() -> None:
    rising = {"every": 1, "by": 1, "most": 60}
    for changed in ({"balance": 1}, {"ceiling": 10**9}, {"schedule": rising}, {"link": "A B"}):
        with pytest.raises(Refusal, match="bad_link"):
            Play(jackpot=LEVEL | changed, tax=NO_TAX)
    with pytest.raises(Refusal, match="one_link_only"):
        Play(jackpot=LEVEL | {"rate": 200}, levels=[LEVEL | {"rate": 100}], tax=NO_TAX)
    assert jackpots.linked([Jackpot(300, 45, 0, 0)]) is None


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("bad_link_code", {"link": "Ilhas"}),
        ("bad_link_code", {"link": "-x"}),
        ("bad_link_code", {"link": "x\n"}),
        ("bad_link_name", {"name": "a\nb"}),
        ("jackpot_limit_missing", {"limit": 45}),
        ("jackpot_limit_missing", {"limits": []}),
        ("jackpot_limit_out_of_range", within(90)),
        ("jackpot_limit_out_of_range", within(30, format=30)),
        ("format_not_authorised", within(30, format=31)),
        ("bad_link", within(45, most=50)),
        ("bad_jackpot", {"limits": [{"format": 90}]}),
        ("bad_jackpot", {"limits": [{"format": 90, "balls": "45"}]}),
        ("bad_amount", {"base": -1}),
        ("paper_missing", {"reference": ""}),
    ],
)
def test_terms_of_a_link_are_judged(code: str, changed: dict[str, Any]) -> None:
    assert linked_jackpots.link(**TERMS) == TERMS
    with pytest.raises(Refusal, match=code):
        linked_jackpots.link(**(TERMS | changed))


def test_link_ends_with_all_that_it_holds() -> None:
    asked: dict[str, Any] = {"link": CODE, "to": "Cruz Vermelha", "reference": "9/2026"}
    assert linked_jackpots.end(7, **asked)["amount"] == 7
    for held, code, changed in (
        (0, "nothing_held", {}),
        (7, "receiver_missing", {"to": ""}),
        (7, "paper_missing", {"reference": ""}),
    ):
        with pytest.raises(Refusal, match=code):
            linked_jackpots.end(held, **(asked | changed))
