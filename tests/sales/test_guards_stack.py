"""What PostgreSQL refuses of cards taken, sold and refunded, by plain SQL of the application's role."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.utils import timezone
from psycopg import sql

from draws.models import Sale, Taking
from halls.models import JournalEntry, Person, Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting_rows import allowed
from tests.support.service_commands.sales import hand_out, sell

TAKING = {"first": 14, "last": 15, "previous": 13, "seller_id": None, "passed": False}


@pytest.fixture
def selling() -> Evening:
    """A game with cards 1 to 6 sold, 7 to 11 in a seller's hands, and 12 and 13 sold."""
    evening = Evening().reach("sold")
    hand_out(evening, evening.who(Role.CASHIER))
    sell(evening, evening.who(Role.CASHIER), quantity=2)
    return evening


def run(statement: str, *values: Any) -> None:
    """Run a statement as whoever may, and settle it as a commit does: triggers stop it all the same."""
    with allowed(Taking, Sale), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def insert(table: str, values: dict[str, Any]) -> None:
    """Insert a row."""
    places = ", ".join(["%s"] * len(values))
    run(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", *values.values())


def take(**changed: Any) -> None:
    """Insert a taking that would be right: cards 14 and 15, after 13."""
    first = Taking.objects.earliest("pk")
    of = {"issue_id": first.issue_id, "game_id": first.game_id}
    insert("draws_taking", of | TAKING | changed)


def put_down(**changed: Any) -> None:
    """Insert a sale that would be right if cards 14 and 15 had been taken."""
    sold = Sale.objects.earliest("pk")
    insert("draws_sale", _of(sold) | {"first": 14, "last": 15, "player": ""} | changed)


def give_back(**changed: Any) -> None:
    """Insert a refund of cards 1 to 3, with an entry of its own unless told otherwise."""
    sold = Sale.objects.earliest("pk")
    entry = JournalEntry.objects.exclude(pk__in=_refunded()).order_by("pk")[0].pk
    insert("draws_refund", _of(sold) | {"first": 1, "last": 3, "entry_id": entry} | changed)


def _of(sold: Sale) -> dict[str, Any]:
    return {
        "game_id": sold.game_id, "issue_id": sold.issue_id, "shift_id": sold.shift_id,
        "entry_id": sold.entry_id, "amount": 400_00, "at": timezone.now(),
    }  # fmt: skip


def _refunded() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT entry_id FROM draws_refund")
        return [entry for (entry,) in cursor.fetchall()]


def refused(constraint: str) -> Any:
    """Expect PostgreSQL to refuse by the constraint of that name."""
    return pytest.raises(IntegrityError, match=constraint)


@pytest.mark.django_db
def test_role_that_is_tried_owns_nothing_and_is_no_superuser(selling: Evening) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, (SELECT count(*) FROM pg_class WHERE relowner = r.oid) "
            "FROM pg_roles r WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, 0)


@pytest.mark.django_db
@pytest.mark.rule(36)
def test_taking_that_follows_the_last_is_let_in_and_its_sale_too(selling: Evening) -> None:
    take()
    put_down()
    assert (Taking.objects.count(), Sale.objects.count()) == (4, 3)


@pytest.mark.django_db
@pytest.mark.rule(36)
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"last": 13}, "taking_not_empty"),
        ({"first": 15}, "taking_without_gap_r36"),
        ({"first": 15, "previous": None}, "taking_without_gap_r36"),
        ({"first": 15, "previous": 14}, "taking_follows_a_taking_r36"),
        ({"first": 13, "previous": 12}, "card_taken_once_r36"),
        ({"first": 6, "last": 20, "previous": 5}, "card_taken_once_r36"),
        ({"first": 1, "last": 3, "previous": None}, "taking_predecessor_once_r36"),
        ({"first": 12, "last": 20, "previous": 11}, "taking_predecessor_once_r36"),
        ({"first": 8, "last": 11, "previous": 7}, "taking_last_once"),
        ({"first": 0, "last": 0, "previous": -1}, "previous"),
        ({"passed": True, "seller_id": "a seller"}, "taking_passed_by_nobody"),
        ({"seller_id": 0}, "seller_id"),
        ({"game_id": 0}, "game_id"),
        ({"issue_id": 0, "first": 1, "last": 2, "previous": None}, "issue_id"),
    ],
)
def test_forged_taking_is_refused(
    selling: Evening, changed: dict[str, Any], constraint: str
) -> None:
    if changed.get("seller_id") == "a seller":
        changed = changed | {"seller_id": selling.person(Role.SELLER).pk}
    with refused(constraint):
        take(**changed)


@pytest.mark.django_db
@pytest.mark.rule(36)
def test_taking_that_was_sold_is_neither_deleted_nor_changed(selling: Evening) -> None:
    for statement in (
        "DELETE FROM draws_taking WHERE first = 12",
        "DELETE FROM draws_taking WHERE first = 1",
        "UPDATE draws_taking SET last = 14 WHERE first = 12",
        "UPDATE draws_taking SET first = 13, previous = 12 WHERE first = 12",
    ):
        with refused("sale_of_what_was_taken_r36|taking_follows_a_taking_r36"):
            run(statement)
    with refused("sale_of_what_was_taken_r36"):
        run("DELETE FROM draws_taking WHERE first = 12")


@pytest.mark.django_db
@pytest.mark.rule(36)
def test_taking_in_the_midst_is_not_deleted_and_one_at_the_end_is(selling: Evening) -> None:
    with refused("taking_follows_a_taking_r36"):
        run("DELETE FROM draws_taking WHERE first = 7")
    with refused("taking_follows_a_taking_r36"):
        run("UPDATE draws_taking SET last = 10 WHERE first = 7")
    take()
    run("DELETE FROM draws_taking WHERE first = 14")
    assert list(Taking.objects.order_by("first").values_list("first", flat=True)) == [1, 7, 12]


@pytest.mark.django_db
def test_unsold_taking_is_parted_without_a_card_lost(selling: Evening) -> None:
    parted = "DELETE FROM draws_taking WHERE first = 7; "
    insertion = (
        "INSERT INTO draws_taking (issue_id, game_id, first, last, previous, passed) "
        "SELECT issue_id, game_id, part.first, part.last, part.first - 1, false "
        "FROM draws_taking, (VALUES {}) AS part (first, last) WHERE draws_taking.first = 1"
    )
    with refused("taking_follows_a_taking_r36"):
        run(parted + insertion.format("(7, 8), (10, 11)"))
    with refused("taking_follows_a_taking_r36"):
        run(parted + insertion.format("(7, 8)"))
    run(parted + insertion.format("(7, 8), (9, 11)"))
    assert list(Taking.objects.order_by("first").values_list("first", flat=True)) == [1, 7, 9, 12]


@pytest.mark.django_db
@pytest.mark.rule(36)
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "sale_of_what_was_taken_r36"),
        ({"first": 7, "last": 8}, "sale_of_what_was_taken_r36"),
        ({"first": 1, "last": 11}, "card_sold_once_r36"),
        ({"first": 1, "last": 6}, "card_sold_once_r36"),
        ({"first": 6, "last": 7}, "card_sold_once_r36"),
        ({"first": 8, "last": 7}, "sale_not_empty"),
        ({"first": 7, "last": 11, "amount": -1}, "amount"),
        ({"first": 7, "last": 11, "shift_id": 0}, "shift_id"),
        ({"first": 7, "last": 11, "entry_id": 0}, "entry_id"),
    ],
)
def test_forged_sale_is_refused(selling: Evening, changed: dict[str, Any], constraint: str) -> None:
    if changed.get("first") == 7 and constraint in ("shift_id", "entry_id"):
        run("UPDATE draws_taking SET seller_id = NULL WHERE first = 7")
    with refused(constraint):
        put_down(**changed)


@pytest.mark.django_db
@pytest.mark.rule(36)
def test_cards_in_a_sellers_hands_or_passed_over_are_not_sold(selling: Evening) -> None:
    with refused("sale_of_what_was_taken_r36"):
        put_down(first=7, last=11)
    run("UPDATE draws_taking SET seller_id = NULL, passed = true WHERE first = 7")
    with refused("sale_of_what_was_taken_r36"):
        put_down(first=7, last=11)
    run("UPDATE draws_taking SET passed = false WHERE first = 7")
    put_down(first=7, last=11)
    assert Sale.objects.count() == 3
    for change in ("passed = true", "seller_id = (SELECT min(id) FROM halls_person)"):
        with refused("sale_of_what_was_taken_r36"):
            run(f"UPDATE draws_taking SET {change} WHERE first = 7")


@pytest.mark.django_db
@pytest.mark.rule(55)
@pytest.mark.rule(57)
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"first": 3, "last": 6}, "card_refunded_once_r57"),
        ({"first": 1, "last": 3}, "card_refunded_once_r57"),
        ({"first": 2, "last": 2}, "card_refunded_once_r57"),
        ({"first": 5, "last": 4}, "refund_not_empty"),
        ({"first": 4, "last": 6, "amount": -1}, "amount"),
        ({"first": 4, "last": 6, "entry_id": "used"}, "entry_id"),
    ],
)
def test_forged_refund_is_refused(
    selling: Evening, changed: dict[str, Any], constraint: str
) -> None:
    give_back()
    if changed.get("entry_id") == "used":
        changed = changed | {"entry_id": _refunded()[0]}
    with refused(constraint):
        give_back(**changed)


@pytest.mark.django_db
@pytest.mark.rule(57)
def test_rest_of_a_sale_is_refunded_beside_the_first_part(selling: Evening) -> None:
    give_back()
    give_back(first=4, last=6)
    assert len(_refunded()) == 2


@pytest.mark.django_db
@pytest.mark.rule(58)
@pytest.mark.parametrize("table", ["draws_sale", "draws_refund"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET amount = 0", "DELETE FROM {}", "TRUNCATE {}"])
def test_application_neither_changes_nor_deletes_what_was_sold_and_refunded(
    selling: Evening, table: str, statement: str
) -> None:
    give_back()
    # A sale may go where it was taken back (tests/sales/test_taking_back.py), and no other.
    with pytest.raises(Error, match=r"permission denied|draws_sale is append-only"):
        run(statement.format(table))


@pytest.mark.django_db
def test_application_does_not_empty_the_stack(selling: Evening) -> None:
    with pytest.raises(Error, match="permission denied"):
        run("TRUNCATE draws_taking CASCADE")
    with refused("sale_of_what_was_taken_r36"):
        run("DELETE FROM draws_taking")


@pytest.mark.rule(36)
def test_commit_refuses_a_taking_without_its_predecessor(fresh_database: FreshDatabase) -> None:
    evening = Evening().reach("sold")
    statement = (
        "INSERT INTO draws_taking (issue_id, game_id, first, last, previous, passed) "
        "SELECT issue_id, game_id, 9, 10, 8, false FROM draws_taking"
    )
    with psycopg.connect(fresh_database.url) as role:
        role.execute(statement)
        with pytest.raises(psycopg.errors.ForeignKeyViolation, match="taking_follows_a_taking"):
            role.commit()
    assert Taking.objects.filter(game=evening.game).count() == 1


ALONE = (
    ("taking_predecessor_once_r36", (7, 9, 6)),
    ("taking_last_once", (8, 11, 7)),
    ("taking_once", (7, 11, 6)),
    ("card_taken_once_r36", (7, 11, 6)),
)


@pytest.mark.slow
@pytest.mark.rule(36)
def test_each_guard_of_the_stack_stands_alone(
    fresh_database: FreshDatabase,
    owner_connection: psycopg.Connection[Any],
    subtests: pytest.Subtests,
) -> None:
    evening = Evening().reach("sold")
    hand_out(evening, evening.who(Role.CASHIER))
    assert Person.objects.exists()
    for kept, (first, last, previous) in ALONE:
        with subtests.test(kept=kept), owner_connection.transaction(force_rollback=True):
            for name, _row in ALONE:
                if name != kept:
                    _drop(owner_connection, name)
            with pytest.raises(psycopg.errors.IntegrityError, match=kept):
                _forge(owner_connection, first, last, previous)
    with owner_connection.transaction(force_rollback=True):
        for name, _row in ALONE:
            _drop(owner_connection, name)
        _forge(owner_connection, 7, 11, 6)


def _drop(owner: psycopg.Connection[Any], name: str) -> None:
    statement = sql.SQL("ALTER TABLE draws_taking DROP CONSTRAINT {} CASCADE")
    owner.execute(statement.format(sql.Identifier(name)))


def _forge(owner: psycopg.Connection[Any], first: int, last: int, previous: int) -> None:
    owner.execute(
        "INSERT INTO draws_taking (issue_id, game_id, first, last, previous, passed) "
        "SELECT issue_id, game_id, %s, %s, %s, false FROM draws_taking WHERE first = 1",
        (first, last, previous),
    )
