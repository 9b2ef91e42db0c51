"""Prizes at the till: a second person above the hall's limit, a short drawer, what others left."""

from typing import Any

import pytest

from bingo.rules.session_state import load
from draws.models import Payment
from draws.receipts.queries import settlement
from draws.record.audit import audit
from halls import tills
from halls.models import Hall, JournalEntry, Role, Shift
from tests.support.evening import FLOAT, Evening, browser_of
from tests.support.till_hall import done, other_cashier, policy, refused, second_person, shown
from tests.support.till_prizes import plain

pytestmark = pytest.mark.django_db


def net(evening: Evening) -> int:
    """What the player of the evening's winning card receives."""
    game = load(evening.session.state).game
    assert game is not None
    return sum(award.amount - award.tax for award in game.awards)


def take_out(evening: Evening, amount: int) -> None:
    """Take cash to the safe."""
    who = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=-amount, reason="cofre", **who)


@pytest.mark.rule(44)
@pytest.mark.slow
def test_second_person_is_asked_for_only_above_the_halls_limit() -> None:
    evening = Evening()
    policy(evening, payment_limit=1_00)
    client, issue = evening.reach("paying").at("till"), evening.issue().pk
    page = shown(client)
    assert 'id="pay-witness-password"' in page
    assert 'id="second-above"' in page
    told = refused(client, "pay", "second_person_needed", issue=issue, card=1)
    assert f"{net(evening) // 100}" in plain(told).replace(".", "").replace(" ", "")
    assert not Payment.objects.exists()

    witness = second_person(evening)
    done(client, "pay", issue=issue, card=1, **witness)
    assert (
        JournalEntry.objects.get(kind="prize_paid").data["witness"] == (witness["witness_username"])
    )
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_second_person_is_not_asked_for_within_the_limit() -> None:
    evening = Evening()
    policy(evening, payment_limit=10**9)
    client = evening.reach("paying").at("till")
    assert 'id="pay-witness-password"' not in shown(client)
    done(client, "pay", issue=evening.issue().pk, card=1)
    assert "witness" not in JournalEntry.objects.get(kind="prize_paid").data


@pytest.mark.rule(44)
@pytest.mark.slow
def test_short_till_says_where_the_prize_can_be_paid() -> None:
    evening = Evening().reach("paying")
    take_out(evening, FLOAT)
    client = evening.at("till")
    prize = {"issue": evening.issue().pk, "card": 1}
    page = refused(client, "pay", "cash_short", **prize)
    assert "Caixa 2" not in page.split('data-code="cash_short"')[1].split("</div>")[0]

    other, second = other_cashier(evening), evening.hall.tills.order_by("pk")[1]
    who = {"by": other, "at": evening.who(Role.CASHIER)["at"]}
    tills.open_shift(session=evening.session, till=second, float=2 * FLOAT, **who)
    page = refused(client, "pay", "cash_short", **prize)
    assert "Caixa 2" in page.split('data-code="cash_short"')[1].split("</div>")[0]
    assert not Payment.objects.exists()
    done(browser_of(other), "pay", **prize)
    assert Payment.objects.get().shift.till == second


@pytest.mark.slow
@pytest.mark.rule(44)
def test_prize_handed_on_is_first_on_the_next_shifts_page_and_in_both_settlements() -> None:
    evening = Evening().reach("paying")
    first, due = evening.shift, net(evening)
    cash = next(one.cash for one in load(evening.session.state).shifts)
    closing: dict[str, Any] = {"shift": first, "counted": cash, "comment": ""}
    tills.close_shift(**closing, **evening.who(Role.CASHIER))
    left = JournalEntry.objects.get(kind="shift_closed")
    issue = evening.issue()
    assert left.data["unpaid"] == [{"game": 1, "issue": issue.pk, "card": 1, "amount": due}]

    other = other_cashier(evening)
    who = {"by": other, "at": evening.who(Role.CASHIER)["at"]}
    opened: dict[str, Any] = {
        "session": evening.session,
        "till": first.till,
        "float": FLOAT + 1200_00,
    }
    second = tills.open_shift(**opened, **who)
    page = shown(browser_of(other))
    assert 'id="handed-on"' in page
    row = plain(page.split('id="handed-on"')[1].split("</div>")[0])
    assert first.cashier.name in row
    assert first.till.name in row
    done(browser_of(other), "pay", issue=issue.pk, card=1)

    counted = FLOAT + 1200_00 - due
    tills.close_shift(shift=second, counted=counted, comment="", **who)
    told = [settlement(shift) for shift in Shift.objects.order_by("number")]
    assert [(one.card, one.amount) for one in told[0].unpaid] == [(1, due)]
    assert told[0].taken == ()
    assert [(one.card, one.shift, one.by, one.paid) for one in told[1].taken] == [
        (1, first.number, first.cashier.name, True)
    ]
    assert told[1].unpaid == ()
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(44)
def test_prize_that_nobody_paid_is_handed_on_again() -> None:
    evening = Evening().reach("paying")
    who = evening.who(Role.CASHIER)
    for _time in range(2):
        shift = evening.shift
        cash = load(evening.session.state).shifts[-1].cash
        tills.close_shift(shift=shift, counted=cash, comment="", **who)
        tills.open_shift(session=evening.session, till=shift.till, float=0, **who)
    closed = Shift.objects.order_by("number")[1]
    told = settlement(closed)
    assert [(one.card, one.paid) for one in told.taken] == [(1, False)]
    assert [one.card for one in told.unpaid] == [1]


@pytest.mark.slow
def test_shift_open_beside_the_one_that_left_a_prize_took_nothing_over() -> None:
    evening = Evening().reach("paying")
    other, second = other_cashier(evening), evening.hall.tills.order_by("pk")[1]
    beside = {"by": other, "at": evening.who(Role.CASHIER)["at"]}
    shift = tills.open_shift(session=evening.session, till=second, float=0, **beside)
    cash = load(evening.session.state).shifts[0].cash
    first: dict[str, Any] = {"shift": evening.shift, "counted": cash, "comment": ""}
    tills.close_shift(**first, **evening.who(Role.CASHIER))
    tills.close_shift(shift=shift, counted=0, comment="", **beside)
    assert settlement(Shift.objects.get(pk=shift.pk)).taken == ()
