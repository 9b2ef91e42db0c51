"""Prizes are paid in cash, out of a drawer and in no other way (R8)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from bingo.rules import till_cash_and_shifts
from bingo.rules.refusal import Refusal
from draws.models import Payment
from draws.prizes import services as prizes_services
from halls import tills
from halls.models import CashMovement, JournalEntry, Role
from tests.support.departing_players import LINE_AND_BINGO, not_fetched, pay, quiet, voided
from tests.support.evening import FACE, Evening
from tests.support.playing import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.rule(8)]

# What a hall tells whenever it hands a player money.
TO_PLAYERS = {"prize_paid", "cards_refunded", "unclaimed_paid", "sale_taken_back"}


def cash(evening: Evening) -> int:
    """Return what lies in the drawer, in minor units."""
    return sum(CashMovement.objects.filter(shift=evening.shift).values_list("amount", flat=True))


def pay_card(evening: Evening) -> JournalEntry:
    """Pay card 1 at the first till."""
    paid = prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    return paid.entry


def test_prize_is_handed_over_whole_in_cash() -> None:
    evening = quiet().reach("paying")
    before = cash(evening)
    entry = pay_card(evening)
    [movement] = CashMovement.objects.filter(entry=entry)
    assert (movement.kind, movement.amount) == (CashMovement.Kind.PRIZE, -LINE_AND_BINGO)
    assert cash(evening) == before - LINE_AND_BINGO


def test_drawer_that_lacks_the_cash_pays_nothing_and_no_part() -> None:
    evening = quiet().reach("paying")
    taken = cash(evening) - LINE_AND_BINGO + 1
    tills.move_cash(
        shift=evening.shift, amount=-taken, reason="Cofre", **evening.who(Role.HALL_MANAGER)
    )
    with refuses("cash_short"):
        pay_card(evening)
    assert not Payment.objects.exists()
    assert cash(evening) == LINE_AND_BINGO - 1


@pytest.mark.slow
def test_money_for_players_comes_out_of_a_drawer_whatever_it_is_for() -> None:
    assert {kind for kind, sign in till_cash_and_shifts.CASH_IN.items() if sign < 0} == TO_PLAYERS
    evening = voided(quiet())
    refund = prizes_services.refund(
        game=evening.game, issue=evening.issue(), first=1, last=6, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    assert CashMovement.objects.get(entry=refund.entry).amount == -6 * FACE
    other = quiet(code="outra")
    later = pay(other, not_fetched(other))
    assert CashMovement.objects.get(entry=later.entry).amount == -LINE_AND_BINGO


def test_database_refuses_a_prize_that_brings_cash_in() -> None:
    evening = quiet().reach("paying")
    entry = JournalEntry.objects.get(kind="draw_announced")
    for kind in (CashMovement.Kind.PRIZE, CashMovement.Kind.REFUND, CashMovement.Kind.UNCLAIMED):
        with (
            pytest.raises(IntegrityError, match="cash_sign_follows_kind"),
            transaction.atomic(),
        ):
            CashMovement.objects.create(shift=evening.shift, kind=kind, amount=1, entry=entry)


def test_card_that_won_nothing_is_paid_nothing() -> None:
    evening = quiet().reach("paying")
    with refuses(Refusal("no_prize", card=2)):
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=2, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
