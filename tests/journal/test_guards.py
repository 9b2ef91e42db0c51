"""What PostgreSQL itself refuses of the house's rows, each by the constraint named here."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from halls.models import (
    Authorisation,
    CashMovement,
    Hall,
    JournalEntry,
    Policy,
    RefusalTally,
    Role,
    Session,
    Shift,
    Till,
)
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.guards import first
from tests.support.playing import again

pytestmark = pytest.mark.django_db


@pytest.fixture
def sold() -> Evening:
    """A game with cards 1 to 6 sold, in a hall with a policy."""
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["prize_paid"], **evening.who(Role.HALL_MANAGER))
    return evening.reach("sold")


@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Authorisation, {"valid_until": date(1999, 1, 1)}, "authorisation_ends_after_it_begins"),
        (Authorisation, {"line_share": 4001}, "authorisation_shares_within_sales"),
        (Authorisation, {"bingo_share": -1}, "bingo_share"),
        (Authorisation, {"tax_rate": -1}, "tax_rate"),
        (Authorisation, {"entry": None}, "authorisation_has_an_entry"),
        (Authorisation, {"reference": "2", "formats": []}, "authorisation_names_a_format"),
        (Authorisation, {"reference": "2"}, "entry_id"),
        (Authorisation, {"reference": "2", "player_limit": 0}, "authorisation_player_limit_r35"),
        (Authorisation, {"reference": "2", "player_limit": -1}, "player_limit"),
        (Authorisation, {"reference": "2", "capacity": 0}, "authorisation_capacity_positive"),
        (Policy, {}, "entry_id"),
        (Policy, {"entry": None}, "entry_id"),
        (Policy, {"difference_limit": -1}, "difference_limit"),
        (Policy, {"difference_limit": 10**8 + 1}, "policy_difference_limit_within_bounds"),
        (Policy, {"four_eyes": ["session_closed"]}, "policy_four_eyes_known"),
        (Policy, {"receipts": "sung"}, "policy_receipts_known"),
        (Policy, {"low_stock": -1}, "low_stock"),
        (Policy, {"low_stock": 100_001}, "policy_low_stock_within_bounds"),
        (Policy, {"source": "sky"}, "policy_source_known"),
        (Policy, {"automatic": 1001}, "policy_automatic_within_bounds"),
        (Policy, {"interval": 61}, "policy_interval_within_bounds"),
        (Policy, {"patience": 4}, "policy_patience_within_bounds"),
        (Policy, {"patience": 301}, "policy_patience_within_bounds"),
        (Policy, {"picture_days": 7}, "policy_picture_days_within_bounds"),
        (Policy, {"picture_days": 3651}, "policy_picture_days_within_bounds"),
        (Policy, {"payment_limit": 10**9 + 1}, "policy_payment_limit_within_bounds"),
        (Policy, {"cash_step": 0}, "policy_cash_step_within_bounds"),
        (Policy, {"cash_step": 10**6 + 1}, "policy_cash_step_within_bounds"),
        (Session, {}, "session_number_once"),
        (JournalEntry, {}, "comes after the last one"),
        (JournalEntry, {"number": 0}, "comes after the last one"),
        (Till, {}, "till_name_once_a_hall"),
        (Shift, {"till_id": None}, "till_id"),
        (Shift, {"number": 2}, "one_open_shift_a_till"),
        (CashMovement, {"amount": -1}, "cash_sign_follows_kind"),
        (CashMovement, {"kind": "prize"}, "cash_sign_follows_kind"),
        (CashMovement, {"kind": "gift"}, "cash_sign_follows_kind"),
        (CashMovement, {}, "entry_id"),
        (Hall, {}, "code"),
    ],
)
def test_row_that_cannot_be_is_refused(
    sold: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(first(model), **changed)


def last_entry() -> JournalEntry:
    """The newest entry of the one hall there is."""
    return JournalEntry.objects.latest("number")


def test_row_that_can_be_is_let_in(sold: Evening) -> None:
    again(first(Authorisation), reference="2", entry=JournalEntry.objects.order_by("-pk")[0])
    again(first(Policy), entry=JournalEntry.objects.order_by("-pk")[0])
    again(first(Till), name="Caixa 9")
    again(last_entry(), number=last_entry().number + 1)


def test_entry_of_a_game_is_of_a_session(sold: Evening) -> None:
    entry = last_entry()
    with pytest.raises(IntegrityError, match="journal_game_in_a_session"):
        again(entry, number=entry.number + 1, session=None, game=1)


def test_authorisation_is_recorded_once_a_day(sold: Evening) -> None:
    with pytest.raises(IntegrityError, match="authorisation_once_a_day"):
        again(first(Authorisation), entry=JournalEntry.objects.order_by("-pk")[0])


def test_shift_number_is_used_once_a_session(sold: Evening) -> None:
    till, cashier = sold.hall.tills.order_by("pk")[1], sold.hall.people.order_by("-pk")[0]
    with pytest.raises(IntegrityError, match="shift_number_once"):
        again(first(Shift), till=till, cashier=cashier)
    again(first(Shift), till=till, cashier=cashier, number=2)


def test_key_is_used_once_a_hall(sold: Evening) -> None:
    key, entry = uuid4(), last_entry()
    again(entry, number=entry.number + 1, key=key)
    with pytest.raises(IntegrityError, match="journal_key_once"):
        again(entry, number=entry.number + 1, key=key)


def test_head_of_a_hall_is_not_negative(sold: Evening) -> None:
    with pytest.raises(IntegrityError, match="hall_head_not_negative"), transaction.atomic():
        Hall.objects.update(head_number=-1)


@pytest.mark.parametrize(
    "table", ["halls_hall", "halls_person", "halls_session", "halls_till", "halls_shift"]
)
def test_parent_is_not_deleted_past_django_either(sold: Evening, table: str) -> None:
    with (
        pytest.raises(Error, match=r"violates foreign key|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"DELETE FROM {table}; SET CONSTRAINTS ALL IMMEDIATE")


def test_refusals_of_a_minute_are_counted_in_one_row() -> None:
    evening = Evening()
    told = {
        "hall": evening.hall, "person": evening.person(Role.CASHIER), "code": "not_allowed",
        "minute": timezone.now(), "data": {},
    }  # fmt: skip
    RefusalTally.objects.create(**told)
    with pytest.raises(IntegrityError, match="refusals_once_a_minute"), transaction.atomic():
        RefusalTally.objects.create(**told)
