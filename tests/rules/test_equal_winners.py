"""Equal winners get equal money (R6), and a prize is taxed whole (R61 g), whatever the coin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bingo.rules import (
    jackpot_account,
    journal_json_and_chain,
    policies,
    prizes,
    session,
    session_opening,
    session_state,
)
from bingo.rules.game_flow import Fact
from bingo.rules.prizes import Tax
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Award, GameState
from tests.support.rules_floor import a_purchase
from tests.support.rules_playing import JACKPOT, NO_TAX, WHOLE_GAMES, Play, an_issue

Data = dict[str, Any]

COIN = 50_00
FIFTH = {"rate": 2000, "threshold": 0}  # 20 %
FLOAT = 10**9
DEAR_MATRIX = "cd" * 32


def coined(coin: int = COIN, *, tax: Data = FIFTH, limit: int = 0, **changes: Any) -> Play:
    """A session whose prizes are paid in coins and taxed."""
    policy = policies.record(tills=("T1",), cash_step=coin, payment_limit=limit)
    return Play(policy=policy, tax=tax, **changes).till(float=FLOAT)


def drawn(play: Play, *, face: int, cards: int, last_sold: int = 0, balls: int = 90) -> Play:
    """Sell cards and announce the first balls; with all, each card holds line and bingo."""
    play.selling(face=face, last_sold=last_sold).sell(cards)
    return play.begin_draw().balls(*range(1, balls + 1))


def win(play: Play, prize: str, winners: Sequence[int], *, issue: int = 1) -> Data:
    """Let cards win a prize; return the whole data of the window's close."""
    play.call(prize)
    for card in winners:
        play.check(prize, card, issue=issue)
    play.do("window_opened")
    return play.do("window_closed")


def amounts(closed: Data, prize: str) -> list[tuple[int, int, int]]:
    """Amount, tax, and what is handed over, of each winner in card order."""
    return [
        (one["amount"], one["tax"], one["amount"] - one["tax"] - one.get("left_over", 0))
        for one in closed["awards"]
        if one["combination"] == prize
    ]


@pytest.mark.rule(6)
def test_three_lines_of_250_in_coins_of_50_are_50_each_and_100_is_carried() -> None:
    play = drawn(coined(tax=NO_TAX), face=250_00, cards=5)
    assert play.game.prizes is not None
    assert play.game.prizes.line == 250_00
    closed = win(play, "line", [1, 2, 3])
    assert amounts(closed, "line") == [(50_00, 0, 50_00)] * 3
    assert closed["carried"] == {"fund": 100_00}
    assert play.state.carried == 100_00


@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("cards", "prize", "won"),
    [
        # Line 900.00, tax 180.00: 700.00 handed over and 20.00 carried.
        (18, "line", (900_00, 180_00, 700_00)),
        (6, "line", (300_00, 60_00, 200_00)),
        (2, "line", (100_00, 20_00, 50_00)),
        # Coins cannot pay the 40.00 that tax leaves: who has won is paid.
        (1, "line", (50_00, 10_00, 40_00)),
        (5, "bingo", (750_00, 150_00, 600_00)),
    ],
)
def test_tax_is_on_the_whole_prize_and_the_coin_touches_only_what_is_handed_over(
    cards: int, prize: str, won: tuple[int, int, int]
) -> None:
    play = drawn(coined(), face=250_00, cards=cards)
    if prize == "bingo":
        win(play, "line", [cards])
        play.do("draw_resumed")
    closed = win(play, prize, [1])
    assert amounts(closed, prize) == [won]
    over = won[0] - won[1] - won[2]
    assert closed.get("carried", {}) == ({"fund": over} if over else {})


@pytest.mark.rule(61)
def test_tax_is_the_same_with_and_without_a_coin() -> None:
    taxes = []
    for coin in (1, 5, 25_00, COIN):
        closed = win(drawn(coined(coin), face=250_00, cards=18), "line", [1])
        taxes.append(closed["awards"][0]["tax"])
    assert taxes == [180_00] * 4


@pytest.mark.rule(44)
@pytest.mark.rule(61)
def test_payment_tells_all_three_and_takes_only_what_is_handed_over_out_of_the_drawer() -> None:
    play = drawn(coined(), face=250_00, cards=18)
    win(play, "line", [1])
    play.do("draw_resumed")
    win(play, "bingo", [1])  # 2700.00, tax 540.00: 2150.00 and 10.00 over
    play.do("game_finished")
    before = play.state.shifts[0].cash
    paid = play.pay(1)
    assert (paid["amount"], paid["tax"], paid["left_over"]) == (3600_00, 720_00, 30_00)
    assert play.state.shifts[0].cash == before - 2850_00
    done = play.do("entry_completed")
    # What went out of the fund; the 30.00 are still in it.
    assert (done["paid"]["line"], done["paid"]["bingo"]) == (880_00, 2690_00)
    assert done["tax"] == 720_00
    assert play.state.carried == 30_00


@pytest.mark.rule(44)
def test_till_hands_on_what_is_to_be_handed_over() -> None:
    play = drawn(coined(), face=250_00, cards=18)
    win(play, "line", [1])
    due = play.state.shifts[0].cash
    told = play.do("shift_closed", till="T1", counted=due, comment="")
    assert [one["amount"] for one in told["unpaid"]] == [700_00]


def test_limit_of_one_person_is_on_what_is_handed_over() -> None:
    for limit, refused in ((700_00, False), (699_99, True)):
        play = drawn(coined(limit=limit), face=250_00, cards=18)
        win(play, "line", [2])
        play.do("draw_resumed")
        win(play, "bingo", [1])
        play.do("game_finished")
        if refused:
            no = Refusal("second_person_needed", command="prize_paid", amount=700_00, limit=limit)
            assert play.refused("prize_paid", issue=1, card=2, till="T1") == no
        else:
            play.pay(2)


@pytest.mark.rule(6)
def test_cards_of_one_price_get_equal_money_beside_dearer_ones() -> None:
    play = coined(tax=NO_TAX, several_prices=True).opened(face=100_00)
    dear = an_issue(2) | {"letter": "B"}
    play.do("issue_added", issue=dear, face=250_00, matrix=DEAR_MATRIX)
    play.do("sale_announced")
    play.do("cards_sold", **a_purchase(4, face=100_00))
    play.do("cards_sold", **a_purchase(3, face=250_00))
    play.begin_draw().balls(*range(1, 91)).call("line")  # line 230.00
    for card in (1, 2):
        play.check("line", card)
        play.check("line", card, issue=2)
    play.do("window_opened")
    closed = play.do("window_closed")
    won = {(one["issue"], one["card"]): one["amount"] for one in closed["awards"]}
    # 32.85 is no coin: paid as it is. 82.14 is a coin of 50.00.
    assert won == {(1, 1): 32_85, (1, 2): 32_85, (2, 1): 50_00, (2, 2): 50_00}
    assert closed["carried"] == {"fund": 230_00 - 2 * 32_85 - 2 * 50_00}


@pytest.mark.rule(10)
@pytest.mark.rule(11)
@pytest.mark.rule(61)
def test_what_coins_leave_over_of_the_jackpot_stays_in_it() -> None:
    held = JACKPOT | {"limits": [{"format": 90, "balls": 89}], "balance": 1_000_00 - 132_00}
    play = drawn(coined(jackpot=held), face=250_00, cards=22, balls=89)  # accrual 132.00
    win(play, "line", [3])
    into = play.game.to_jackpot
    play.do("draw_resumed")
    closed = win(play, "bingo", [1, 2])
    each = (1_000_00 + into) // 2
    amount = each - each % COIN
    tax = amount // 5
    assert amounts(closed, "jackpot") == [(amount, tax, (amount - tax) // COIN * COIN)] * 2
    spent = 2 * (tax + (amount - tax) // COIN * COIN)
    base = JACKPOT["base"]
    left = closed["carried"]["jackpot"]
    assert play.game.jackpot_balance == 1_000_00 + into - spent + left + base
    account = jackpot_account.JackpotAccount()
    for fact in play.journal:
        list(account.movements(fact))
    assert account.balances == [play.game.jackpot_balance]


def test_award_tells_what_is_left_over_only_where_coins_leave_any() -> None:
    plain = win(drawn(coined(1), face=250_00, cards=18), "line", [1])["awards"][0]
    assert plain == {
        "combination": "line", "issue": 1, "card": 1, "amount": 900_00, "tax": 180_00,
    }  # fmt: skip
    with_coins = win(drawn(coined(), face=250_00, cards=18), "line", [1])["awards"][0]
    assert with_coins == plain | {"left_over": 20_00}
    assert (Award(**with_coins).net, Award(**with_coins).spent) == (700_00, 880_00)


def test_session_tells_how_it_rounds_only_where_prizes_are_paid_in_coins() -> None:
    assert coined().state.terms["cash_rounding"] == prizes.EACH_WINNER
    assert "cash_rounding" not in coined(1).state.terms
    assert "cash_rounding" not in Play().state.terms


@pytest.mark.parametrize("said", ["coin_by_coin", "", None, 1])
def test_session_that_tells_another_rounding_is_refused(said: Any) -> None:
    opened = coined().journal[0]
    with pytest.raises(Refusal, match="fact_disagrees"):
        session_opening.begin(Fact(opened.kind, opened.data | {"cash_rounding": said}))


def test_session_without_coins_that_tells_a_rounding_is_refused() -> None:
    opened = Play().journal[0]
    with pytest.raises(Refusal, match="fact_disagrees"):
        session_opening.begin(
            Fact(opened.kind, opened.data | {"cash_rounding": prizes.EACH_WINNER})
        )


@pytest.mark.rule(6)
@pytest.mark.parametrize(
    "changed",
    [{"amount": 100_00}, {"tax": 150_00}, {"left_over": 0}, {"left_over": 70_00}],
)
def test_award_with_other_numbers_is_refused(changed: Data) -> None:
    play = drawn(coined(), face=250_00, cards=18)
    win(play, "line", [1])
    *before, last = play.journal
    award = last.data["awards"][0]
    forged = Fact(last.kind, last.data | {"awards": [award | changed]})
    with pytest.raises(Refusal, match="fact_disagrees"):
        session.replay([*before, forged])


def test_state_in_the_midst_comes_back_from_its_file() -> None:
    play = drawn(coined(jackpot=JACKPOT), face=250_00, cards=18)
    win(play, "line", [1, 2, 3])
    stored = json.loads(json.dumps(session_state.dump(play.state)))
    assert session_state.load(stored) == play.state
    assert (
        journal_json_and_chain.load(
            GameState, json.loads(json.dumps(journal_json_and_chain.dump(play.game)))
        )
        == play.game
    )


@pytest.mark.slow
@pytest.mark.rule(6)
@pytest.mark.rule(61)
@given(
    winners=st.integers(1, 40),
    more=st.integers(0, 20),
    face=st.integers(1, 500_00),
    coin=st.sampled_from([1, 2, 5, 10, 25, 1_00, 5_00, 50_00, 1_000_00]),
    tax=st.builds(Tax, st.integers(0, 10_000), st.sampled_from([0, 10_00, 1_000_00])),
    jackpot=st.sampled_from([None, JACKPOT, JACKPOT | {"limits": [{"format": 90, "balls": 89}]}]),
)
@settings(WHOLE_GAMES)
def test_any_number_of_winners_is_equal_to_the_unit_and_nothing_is_lost(
    winners: int, more: int, face: int, coin: int, tax: Tax, jackpot: Data | None
) -> None:
    taxed = {"rate": tax.rate, "threshold": tax.threshold}
    play = coined(coin, tax=taxed, jackpot=jackpot)
    drawn(play, face=face, cards=winners + more)
    fixed = play.game.prizes
    assert fixed is not None
    held = 0 if play.game.jackpot is None else play.game.jackpot.balance
    # Over before the next game: fund and jackpot.
    cards = range(1, winners + 1)
    lines = win(play, "line", cards)
    play.do("draw_resumed")
    both = [*lines["awards"], *win(play, "bingo", cards)["awards"]]
    play.do("game_finished")
    for award in (Award(**told) for told in both):
        _is_right(award, coin, tax)
    for prize in ("line", "bingo", "jackpot"):
        parts = [(one["amount"], one["tax"]) for one in both if one["combination"] == prize]
        if coin > 1:
            assert len(set(parts)) <= 1
        elif parts:
            assert max(parts)[0] - min(parts)[0] <= 1
    drawer = play.state.shifts[0].cash
    for card in cards:
        play.pay(card)
    handed_over = drawer - play.state.shifts[0].cash
    done = play.do("entry_completed")
    assert handed_over + done["tax"] == sum(done["paid"].values())
    restored = JACKPOT["base"] if play.game.has_won("jackpot") else 0
    left = play.state.carried + play.game.jackpot_balance
    assert fixed.fund + held + restored == handed_over + done["tax"] + left
    # The next game has it.
    play.selling(face=face, last_sold=winners + more).sell(1)
    then = play.do("sale_closed")["prizes"]
    assert then["fund"] == prizes.fund_of(face, play.game.shares) + play.game.brought
    assert session.replay(play.journal) == play.state


def _is_right(award: Award, coin: int, tax: Tax) -> None:
    """One winner: the whole prize is taxed, and what is handed over is the most that coins pay."""
    assert award.tax == prizes.withheld(award.amount, tax)
    due = award.amount - award.tax
    assert award.net == (due - due % coin if due >= coin else due)
    assert award.amount % coin == 0 or award.amount < coin


class CoinedEvening(RuleBasedStateMachine):
    """Games one after another, paid in coins and taxed: all money that came in is somewhere."""

    @initialize(
        coin=st.sampled_from([1, 5, 25, 5_00, 50_00]),
        rate=st.sampled_from([0, 1000, 2000, 3333]),
        jackpot=st.sampled_from(
            [
                None,
                JACKPOT | {"limits": [{"format": 90, "balls": 89}]},
                JACKPOT | {"ceiling": 900_00},
            ]
        ),
    )
    def begun(self, coin: int, rate: int, jackpot: Data | None) -> None:
        """Open the session."""
        self.play = coined(coin, tax={"rate": rate, "threshold": 5_00}, jackpot=jackpot)
        self.sold = self.came_in = self.tax = self.handed_over = self.restored = 0
        self.opened_with = self._held()

    def _held(self) -> int:
        return self.play.state.carried + sum(one.balance for one in self.play.state.jackpots)

    @rule(
        cards=st.integers(1, 9),
        face=st.sampled_from([1_00, 2_50, 250_00]),
        lines=st.integers(0, 9),
        bingos=st.integers(1, 9),
        void=st.sampled_from(["", "", "", "sold", "line"]),
    )
    def game(self, cards: int, face: int, lines: int, bingos: int, void: str) -> None:
        """Play a game to its end; a void one leaves nothing behind."""
        if self.sold + cards > 90:
            return
        play, first = self.play, self.sold + 1
        drawn(play, face=face, cards=cards, last_sold=self.sold)
        self.sold += cards
        if lines and void != "sold":
            win(play, "line", range(first, first + min(lines, cards)))
            play.do("draw_resumed")
        if void:
            play.void("announcement_error" if play.game.balls else "other").refund(
                first, first + cards - 1
            )
            play.do("entry_completed")
            return
        win(play, "bingo", range(first, first + min(bingos, cards)))
        play.do("game_finished")
        known = play.game
        assert known.prizes is not None
        self.came_in += known.prizes.fund - known.prizes.brought
        self.restored += JACKPOT["base"] if known.has_won("jackpot") else 0
        for _issue, card in known.unpaid:
            paid = play.pay(card)
            self.tax += paid["tax"]
            self.handed_over += paid["amount"] - paid["tax"] - paid.get("left_over", 0)
        play.do("entry_completed")

    @invariant()
    def nothing_is_made_or_lost(self) -> None:
        """What games gave to prizes is paid, withheld, or held for those to come."""
        assert (
            self.opened_with + self.came_in + self.restored
            == self.handed_over + self.tax + self._held()
        )

    def teardown(self) -> None:
        """The journal tells the same, of the jackpot too."""
        if not hasattr(self, "play"):
            return
        assert session.replay(self.play.journal) == self.play.state
        account = jackpot_account.JackpotAccount()
        for fact in self.play.journal:
            list(account.movements(fact))
        assert account.balances == [one.balance for one in self.play.state.jackpots]


TestCoinedEvening = CoinedEvening.TestCase
TestCoinedEvening.settings = settings(max_examples=25, stateful_step_count=8, deadline=None)
