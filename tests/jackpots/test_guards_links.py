"""What PostgreSQL itself refuses of linked jackpots' rows, each by the constraint named here."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import Model

from halls.models import JournalEntry, Link, LinkMember, LinkMovement
from tests.support.guards import first
from tests.support.linked_jackpots import BASE, Linked, fund, linked
from tests.support.playing import again

pytestmark = pytest.mark.django_db


@pytest.fixture
def funded() -> Linked:
    """A hall in a link that holds its base."""
    evening = linked("a")
    fund(evening)
    return evening


NEXT = {"number": 2, "previous": 1, "before": BASE, "amount": 1, "balance": BASE + 1}


@pytest.mark.rule(10)
@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Link, {}, "code"),
        (Link, {"code": "x", "balance": -1}, "link_balance_not_negative"),
        (Link, {"code": "x", "base": -1}, "link_base_not_negative"),
        (Link, {"code": "x", "head_number": -1}, "link_head_not_negative"),
        (Link, {"code": "x", "limits": []}, "link_has_limits_r9"),
        (Link, {"code": "x", "limit": 40}, "link_has_limits_r9"),
        (LinkMember, {}, "entry_id|hall_once_in_a_link"),
        (LinkMember, {"waiting": -1, "hall_id": None}, "hall_id"),
        (
            LinkMovement,
            {},
            "link_movement_number_once|link_movement_follows_on|link_movement_once_an_entry",
        ),
        (LinkMovement, NEXT | {"number": 3}, "link_movement_without_gap"),
        (LinkMovement, NEXT | {"previous": None}, "without_gap|link_begins_with_nothing"),
        (
            LinkMovement,
            NEXT | {"before": BASE - 1, "balance": BASE, "kind": "accrued"},
            "link_movement_chained",
        ),
        (LinkMovement, NEXT | {"balance": BASE}, "link_movement_adds_up"),
        (LinkMovement, NEXT | {"kind": "gift"}, "link_movement_kind_known"),
        (LinkMovement, NEXT, "link_movement_once_an_entry"),
        (
            LinkMovement,
            NEXT | {"amount": -BASE - 1, "balance": -1, "kind": "awarded"},
            "link_movement_leaves_no_debt",
        ),
    ],
)
def test_row_that_cannot_be_is_refused(
    funded: Linked, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(first(model), **changed)


def test_row_that_can_be_is_let_in(funded: Linked) -> None:
    again(first(LinkMovement), **NEXT, entry=JournalEntry.objects.order_by("pk")[0])


def test_link_that_holds_money_does_not_end(funded: Linked) -> None:
    at = JournalEntry.objects.latest("number").at
    with pytest.raises(IntegrityError, match="link_ended_holds_nothing"), transaction.atomic():
        Link.objects.update(ended_at=at)


def test_nothing_waits_below_nought(funded: Linked) -> None:
    with pytest.raises(IntegrityError, match="link_waiting_not_negative"), transaction.atomic():
        LinkMember.objects.update(waiting=-1)


@pytest.mark.parametrize(
    "what", ["UPDATE halls_linkmovement SET amount = 0", "DELETE FROM halls_linkmovement"]
)
def test_movement_never_changes(funded: Linked, what: str) -> None:
    with (
        pytest.raises(Error, match=r"append-only|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(what)
