"""Money that nobody fetched, and two desks that settle it at the same moment: paid once (R44, R50)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bingo.rules import unclaimed as rules
from bingo.rules.refusal import Refusal
from draws.models import Payment, Refund, UnclaimedItem, UnclaimedSettlement
from draws.models.custody import PAID
from draws.prizes import services as prizes_services
from draws.prizes import unclaimed
from draws.record.audit import audit
from halls.models import CashMovement, Hall, JournalEntry, Role, Shift
from tests.support.consoles import outcomes
from tests.support.custody_hall import after
from tests.support.departing_players import LINE_AND_BINGO, not_fetched, quiet, voided
from tests.support.evening import FACE, Evening
from tests.support.floor_hall import second_till
from tests.support.threads import at_once, behind_a_lock

pytestmark = [pytest.mark.usefixtures("fresh_database"), pytest.mark.rule(44)]

TILLS = 2


def pay(item: UnclaimedItem, shift: Shift, *, at: datetime | None = None) -> Callable[[], Any]:
    """A till that pays an item whole."""
    return lambda: unclaimed.pay(
        item=item, first=item.first, last=item.last, shift=shift, by=shift.cashier,
        at=at or timezone.now(), key=uuid4(),
    )  # fmt: skip


def set_aside(evening: Evening) -> Callable[[], Any]:
    """A desk at which the prize of card 1 is set aside."""
    game, issue = evening.game, evening.issue()
    witness, by = evening.person(Role.TABLE_CHIEF), evening.person(Role.CASHIER)
    return lambda: unclaimed.set_prize_aside(
        game=game, issue=issue, card=1, reason="left", witness=witness, by=by, at=timezone.now(),
        key=uuid4(),
    )  # fmt: skip


def out(kind: str) -> int:
    """What went out of all drawers for something, in minor units."""
    return -sum(CashMovement.objects.filter(kind=kind).values_list("amount", flat=True))


def whole() -> None:
    """Nothing is wrong with the record of the hall."""
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_without_the_lock_two_tills_both_find_the_prize_owed() -> None:
    """The race is there: both decide on the same account, and only the database's rule is left."""
    evening = quiet()
    item = not_fetched(evening)
    both_have_read = threading.Barrier(TILLS)
    entries = list(JournalEntry.objects.order_by("number")[:TILLS])

    def unlocked(entry: JournalEntry) -> str:
        with transaction.atomic():
            known = unclaimed.unclaimed_state(unclaimed.of_hall(evening.hall).get(pk=item.pk))
            both_have_read.wait(timeout=20)
            told = rules.pay(known, first=1, last=1, till="Caixa", on=evening.today, ruling=None)
            UnclaimedSettlement.objects.create(
                item=item, how=PAID, first=1, last=1, amount=told["amount"], shift=evening.shift,
                at=entry.at, entry=entry,
            )  # fmt: skip
        return "paid"

    came = at_once([partial(unlocked, entry) for entry in entries])
    assert sorted(type(one).__name__ for one in came) == ["IntegrityError", "str"]
    assert any(isinstance(one, IntegrityError) for one in came)


@pytest.mark.slow
def test_two_tills_pay_a_prize_once(owner_connection: psycopg.Connection[Any]) -> None:
    evening = quiet()
    item = not_fetched(evening)
    shifts = [evening.shift, second_till(evening)]
    came = behind_a_lock(owner_connection, evening.hall, [pay(item, shift) for shift in shifts])
    assert outcomes(came) == ["done", "unclaimed_paid_already"]
    assert UnclaimedSettlement.objects.get().amount == LINE_AND_BINGO
    assert (out("unclaimed"), unclaimed.balance(evening.hall).owed) == (LINE_AND_BINGO, 0)
    whole()


@pytest.mark.slow
def test_order_sent_again_while_it_is_carried_out_pays_once(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = quiet()
    item, shift, key = not_fetched(evening), evening.shift, uuid4()

    def again() -> UnclaimedSettlement:
        return unclaimed.pay(
            item=item, first=1, last=1, shift=shift, by=shift.cashier, at=timezone.now(), key=key
        )

    came = behind_a_lock(owner_connection, evening.hall, [again, again, again])
    assert {one.pk for one in came} == {UnclaimedSettlement.objects.get().pk}
    assert out("unclaimed") == LINE_AND_BINGO
    whole()


@pytest.mark.rule(50)
def test_prize_is_set_aside_or_paid_but_not_both(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = quiet().reach("paying")
    game, issue, shift = evening.game, evening.issue(), evening.shift

    def at_the_till() -> Any:
        return prizes_services.pay_payment(
            game=game, issue=issue, card=1, shift=shift, by=shift.cashier, at=timezone.now(),
            key=uuid4(),
        )  # fmt: skip

    came = behind_a_lock(owner_connection, evening.hall, [at_the_till, set_aside(evening)])
    codes = outcomes(came)
    assert codes in (["already_paid", "done"], ["done", "set_aside_already"])
    assert Payment.objects.count() + UnclaimedItem.objects.count() == 1
    assert out("prize") + unclaimed.balance(evening.hall).owed == LINE_AND_BINGO
    whole()


@pytest.mark.slow
def test_prize_is_set_aside_once(owner_connection: psycopg.Connection[Any]) -> None:
    evening = quiet().reach("paying")
    came = behind_a_lock(owner_connection, evening.hall, [set_aside(evening)] * 3)
    assert outcomes(came) == ["done", "set_aside_already", "set_aside_already"]
    assert unclaimed.balance(evening.hall).owed == LINE_AND_BINGO
    whole()


@pytest.mark.slow
@pytest.mark.rule(57)
def test_cards_of_a_void_game_are_refunded_or_set_aside_but_not_both(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = voided(quiet())
    game, issue, shift = evening.game, evening.issue(), evening.shift
    witness = evening.person(Role.TABLE_CHIEF)

    def refund() -> Any:
        return prizes_services.refund(
            game=game, issue=issue, first=1, last=4, shift=shift, by=shift.cashier,
            at=timezone.now(), key=uuid4(),
        )  # fmt: skip

    def aside() -> Any:
        return unclaimed.set_refunds_aside(
            game=game, ranges=[(issue, 3, 6)], reason="left", witness=witness, by=shift.cashier,
            at=timezone.now(), key=uuid4(),
        )  # fmt: skip

    came = behind_a_lock(owner_connection, evening.hall, [refund, aside])
    assert outcomes(came) in (["already_refunded", "done"], ["done", "set_aside_already"])
    assert Refund.objects.count() + UnclaimedItem.objects.count() == 1
    assert out("refund") + unclaimed.balance(evening.hall).owed == 4 * FACE
    whole()


@pytest.mark.slow
def test_what_expires_while_it_is_fetched_goes_one_way(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = quiet(unclaimed_terms={"days": 1, "to": "treasury"})
    item, shift = not_fetched(evening), evening.shift
    manager, chief = evening.person(Role.HALL_MANAGER), evening.person(Role.TABLE_CHIEF)

    def expire() -> Any:
        return unclaimed.expire(
            hall=evening.hall, to="treasury", reference="DUC 4/2026", witness=chief, by=manager,
            at=after(2), key=uuid4(),
        )  # fmt: skip

    came = behind_a_lock(owner_connection, evening.hall, [pay(item, shift, at=after(1)), expire])
    refused = [one.code for one in came if isinstance(one, Refusal)]
    assert len(refused) == 1
    assert refused[0] in {
        "unclaimed_paid_already",
        "unclaimed_period_over",
        "nothing_expired",
    }
    assert UnclaimedSettlement.objects.get().amount == LINE_AND_BINGO
    assert unclaimed.balance(evening.hall).owed == 0
    whole()
