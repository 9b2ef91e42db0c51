"""Tills: what each drawer should hold, and who may open, move and count it."""

import pytest

from bingo.rules import till_cash_and_shifts
from bingo.rules.refusal import Refusal
from bingo.rules.till_cash_and_shifts import ShiftState
from tests.support.rules_playing import FACE, Play


def cash(play: Play, till: str = "T1") -> int:
    return till_cash_and_shifts.find(play.state.shifts, till).cash


def test_shift_opens_with_its_float_and_counts_upwards() -> None:
    play = Play()
    first = play.do("shift_opened", till="T1", cashier="ana", float=100_00)
    second = play.do("shift_opened", till="T2", cashier="rui", float=0)

    assert (first["shift"], second["shift"]) == (1, 2)
    assert play.state.shifts == (
        ShiftState(1, "T1", "ana", 100_00),
        ShiftState(2, "T2", "rui", 0),
    )


def test_shift_opens_once_a_till_and_once_a_cashier() -> None:
    play = Play()
    play.do("shift_opened", till="T1", cashier="ana", float=0)

    assert play.refused("shift_opened", till="T1", cashier="rui", float=0) == Refusal(
        "shift_already_open", till="T1"
    )
    assert play.refused("shift_opened", till="T2", cashier="ana", float=0) == Refusal(
        "cashier_has_a_shift", cashier="ana"
    )
    assert play.refused("shift_opened", till="T2", cashier="rui", float=-1) == Refusal(
        "bad_amount", amount=-1
    )


def test_shift_counted_leaves_its_till_and_its_cashier_free() -> None:
    play = Play().till("T1", float=5)
    play.do("shift_closed", till="T1", counted=5, comment="")

    assert till_cash_and_shifts.still_open(play.state.shifts) == ()
    again = play.do("shift_opened", till="T1", cashier="cashier of T1", float=7)
    assert (again["shift"], cash(play)) == (2, 7)


@pytest.mark.rule(39)
def test_sale_brings_its_price_into_the_till_that_sold() -> None:
    play = Play().till("T1", float=0).till("T2", float=0).selling()
    play.sell(6, till="T1")
    play.sell(2, till="T2")

    assert (cash(play, "T1"), cash(play, "T2")) == (6 * FACE, 2 * FACE)


@pytest.mark.rule(39)
def test_sale_needs_an_open_till() -> None:
    play = Play().till("T1").selling()
    sale = {"quantity": 1, "first": None, "seller": None}

    assert play.refused("cards_sold", till="T2", **sale) == Refusal("shift_not_open", till="T2")
    play.do("shift_closed", till="T1", counted=10_000_00, comment="")
    assert play.refused("cards_sold", till="T1", **sale) == Refusal("shift_not_open", till="T1")


@pytest.mark.rule(61)
def test_payment_takes_the_prize_less_its_tax() -> None:
    play = Play(tax={"rate": 1000, "threshold": 0}).till("T1", float=0).drawing(100 // 10)
    play.bingo(3)
    paid = play.pay(3)

    # 10 cards of 2.00: line 4.00 and bingo 12.00, a tenth of each withheld.
    assert (paid["amount"], paid["tax"]) == (16_00, 1_60)
    assert cash(play) == 20_00 - 16_00 + 1_60


def test_payment_from_a_short_till_waits_until_cash_is_brought() -> None:
    play = Play().till("T1", float=0).drawing().bingo(2)
    play.do("cash_moved", till="T1", amount=-6 * FACE, reason="to the safe")

    assert play.refused("prize_paid", issue=1, card=2, till="T1") == Refusal(
        "cash_short", left=0, due=9_60
    )
    play.do("cash_moved", till="T1", amount=9_60, reason="for the prize")
    play.pay(2)
    assert cash(play) == 0


@pytest.mark.rule(44)
def test_payment_refused_for_lack_of_cash_names_the_open_tills_that_have_it() -> None:
    play = Play().till("T1", float=0).till("T3", float=9_60).till("T2", float=9_60)
    play.till("T4", float=9_59).drawing().bingo(2)
    play.do("cash_moved", till="T1", amount=-6 * FACE, reason="to the safe")
    payment = {"issue": 1, "card": 2, "till": "T1"}
    told = Refusal("cash_short", left=0, due=9_60, tills=["T2", "T3"])
    assert play.refused("prize_paid", **payment) == told

    play.do("shift_closed", till="T2", counted=9_60, comment="")
    assert play.refused("prize_paid", **payment).values["tills"] == ["T3"]


def test_payment_may_come_from_another_till_than_the_sale() -> None:
    play = Play().till("T1", float=0).till("T2", float=50_00).drawing().bingo(2)
    play.pay(2, till="T2")

    assert (cash(play, "T1"), cash(play, "T2")) == (12_00, 50_00 - 9_60)


def test_cash_moved_is_never_nothing_without_reason_or_beyond_the_drawer() -> None:
    play = Play().till("T1", float=10)

    def moved(amount: int, reason: str = "change", till: str = "T1") -> Refusal:
        return play.refused("cash_moved", till=till, amount=amount, reason=reason)

    assert moved(0) == Refusal("bad_amount", amount=0)
    assert moved(5, reason=" ") == Refusal("reason_missing")
    assert moved(-11) == Refusal("cash_short", left=10, taken=11)
    assert moved(5, till="T9") == Refusal("shift_not_open", till="T9")
    play.do("cash_moved", till="T1", amount=-10, reason="to the safe")
    assert cash(play) == 0


def test_count_that_differs_needs_a_comment_and_is_kept() -> None:
    play = Play().till("T1", float=100)
    count = {"till": "T1", "counted": 99}

    assert play.refused("shift_closed", **count, comment="\t") == Refusal(
        "difference_needs_comment", counted=99
    )
    assert play.refused("shift_closed", till="T1", counted=-1, comment="?") == Refusal(
        "bad_amount", amount=-1
    )
    closed = play.do("shift_closed", **count, comment="a coin short")
    assert (closed["expected"], closed["difference"]) == (100, -1)
    assert play.state.shifts[0].counted == 99
    assert play.refused("shift_closed", **count, comment="again").code == "shift_not_open"


def test_drawer_that_many_moves_have_filled_can_be_counted() -> None:
    most = till_cash_and_shifts.MOST
    play = Play().till("T1", float=most)
    assert play.refused("shift_closed", till="T1", counted=2 * most + 1, comment="?") == Refusal(
        "bad_amount", amount=2 * most + 1
    )
    play.do("cash_moved", till="T1", amount=most, reason="from the safe")
    assert play.do("shift_closed", till="T1", counted=2 * most, comment="")["difference"] == 0


def test_count_of_one_till_leaves_the_others_open() -> None:
    play = Play().till("T1", float=1).till("T2", float=2)
    play.do("shift_closed", till="T1", counted=1, comment="")

    assert [shift.till for shift in till_cash_and_shifts.still_open(play.state.shifts)] == ["T2"]
