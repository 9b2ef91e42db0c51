"""What PostgreSQL itself refuses of unclaimed money, each by the constraint named here."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from draws.models import UnclaimedItem, UnclaimedSettlement
from halls.models import JournalEntry
from tests.support.evening import FACE
from tests.support.playing import again
from tests.support.unclaimed_money import paid_one_of_several

pytestmark = [pytest.mark.django_db, pytest.mark.rule(44)]


@pytest.fixture
def paid() -> UnclaimedSettlement:
    """A card of several that were set aside, paid later."""
    return paid_one_of_several()


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"how": "expired", "shift": None}, "unclaimed_paid_once_r50"),
        (
            {"how": "expired", "shift": None, "first": 2, "last": 3, "amount": 2 * FACE},
            "unclaimed_paid_once_r50",
        ),
        ({"first": 3, "last": 3, "amount": FACE + 1}, "unclaimed_within_its_item"),
        ({"first": 3, "last": 3, "amount": 0}, "unclaimed_within_its_item"),
        ({"first": 6, "last": 7, "amount": 2 * FACE}, "unclaimed_within_its_item"),
        ({"first": 3, "last": 2, "amount": 0}, "unclaimed_settlement_not_empty"),
        ({"first": 3, "last": 3, "shift": None}, "unclaimed_paid_out_of_a_till"),
        ({"first": 3, "last": 3, "how": "given"}, "unclaimed_paid_out_of_a_till"),
        ({"first": 3, "last": 3}, "unclaimed_paid_once_an_entry"),
    ],
    ids=str,
)
def test_settlement_that_cannot_be_is_refused(
    paid: UnclaimedSettlement, wrong: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(paid, **wrong)


def test_settlement_of_nothing_is_refused_without_the_trigger_too(
    owner_connection: psycopg.Connection[Any],
) -> None:
    # Only the owner can pass the trigger, which refuses it first; the foreign keys are looked at last.
    with owner_connection.transaction(force_rollback=True):
        owner_connection.execute(
            "ALTER TABLE draws_unclaimedsettlement DISABLE TRIGGER within_item"
        )
        with (
            pytest.raises(psycopg.errors.CheckViolation, match="unclaimed_settlement_positive"),
            owner_connection.transaction(),
        ):
            owner_connection.execute(
                "INSERT INTO draws_unclaimedsettlement"
                " (item_id, how, first, last, amount, at, entry_id)"
                " VALUES (1, 'expired', 3, 3, 0, now(), 1)"
            )


def test_settlement_that_can_be_is_let_in(paid: UnclaimedSettlement) -> None:
    again(paid, first=3, last=3, entry=JournalEntry.objects.get(kind="game_voided"))


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({}, "card_set_aside_once_r60"),
        ({"first": 6, "last": 9}, "card_set_aside_once_r60"),
        ({"first": 9, "last": 8}, "unclaimed_not_empty"),
        ({"owed": "prize"}, "unclaimed_not_empty"),
        ({"owed": "tip"}, "unclaimed_known"),
        ({"first": 9, "last": 9, "price": 0}, "unclaimed_price_positive"),
        ({"first": 9, "last": 9, "to": "treasury"}, "unclaimed_period_with_destination"),
    ],
    ids=str,
)
def test_item_that_cannot_be_is_refused(
    paid: UnclaimedSettlement, wrong: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(UnclaimedItem.objects.get(), **wrong)


@pytest.mark.parametrize("table", ["draws_unclaimeditem", "draws_unclaimedsettlement"])
@pytest.mark.parametrize("change", ["UPDATE {} SET first = first", "DELETE FROM {}"])
def test_account_is_append_only(paid: UnclaimedSettlement, table: str, change: str) -> None:
    with (
        pytest.raises(Exception, match=r"append-only|permission denied|never change"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change.format(table))
