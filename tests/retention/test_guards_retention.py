"""What PostgreSQL itself refuses of days of keeping, of removals, and of looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Look, Removal, Retention, Role
from tests.support import database
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.playing import again
from tests.support.service_commands.office import keep_for


def decided() -> Retention:
    evening = Evening()
    return keep_for(evening, evening.who(Role.HALL_MANAGER))


def removal(hall: Hall, *, kind: str = "retention_applied", **told: Any) -> Removal:
    """Write a removal's row and an entry of that kind."""
    with transaction.atomic():
        held = head.lock(hall.pk)
        entry = journal_services.append(held, Fact(kind, {}), by=None, at=timezone.now())
        values = {"hall": held, "number": 1, "listed": "x", "entry": entry}
        return Removal.objects.create(**values | told)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "entry_id"),
        ({"pictures": 7}, "retention_pictures_within_bounds"),
        ({"pictures": 3651}, "retention_pictures_within_bounds"),
        ({"looks": 89}, "retention_looks_within_bounds"),
        ({"prints": 3651}, "retention_prints_within_bounds"),
        ({"stills": 3651}, "retention_stills_within_bounds"),
        ({"admissions": 3651}, "retention_admissions_within_bounds"),
        ({"stills": -1}, "stills"),
        ({"hall_id": None}, "hall_id"),
    ],
)
def test_days_that_cannot_be_are_refused(changed: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(decided(), **changed)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"number": 2}, "entry_id"),
        ({"number": 0}, "removal_number_positive"),
        ({"number": 2, "listed": ""}, "removal_lists_something"),
    ],
)
def test_removal_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(removal(Evening().hall), **changed)


@pytest.mark.django_db
def test_removal_is_numbered_once_a_hall() -> None:
    hall = Evening().hall
    removal(hall)
    removal(Evening("outra").hall)
    with pytest.raises(IntegrityError, match="removal_number_once"):
        removal(hall)


def asked(statement: str, *values: int) -> list[Any]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall()) if cursor.description else []


@pytest.mark.django_db
def test_of_a_removal_only_its_end_is_written_and_once() -> None:
    row = removal(Evening().hall)
    for statement in (
        "UPDATE halls_removal SET listed = 'y'",
        "UPDATE halls_removal SET looks_upto = 9, finished_at = now()",
        "DELETE FROM halls_removal",
    ):
        with pytest.raises(DatabaseError):
            asked(statement)
    asked("UPDATE halls_removal SET finished_at = now()")
    with pytest.raises(IntegrityError, match="append-only"):
        asked("UPDATE halls_removal SET finished_at = NULL")
    row.refresh_from_db()
    assert (row.listed, row.looks_upto) == ("x", None)


@pytest.fixture
def looks() -> list[int]:
    """Three looks of a hall, and one of another."""
    for code in ("outra", "sala"):
        inspector = Evening(code).at("inspector")
        for path in ("/inspector/", "/inspector/search/", "/policy/")[: 3 if code == "sala" else 1]:
            inspector.get(path)
    return list(Look.objects.filter(hall__code="sala").order_by("pk").values_list("pk", flat=True))


@pytest.mark.slow
@pytest.mark.django_db
def test_looks_go_by_a_removal_and_no_further(looks: list[int]) -> None:
    hall = Hall.objects.get(code="sala")
    row = removal(hall, looks_upto=looks[1])
    assert asked("SELECT remove_looks(%s)", row.pk) == [(2,)]
    assert list(Look.objects.filter(hall=hall).values_list("pk", flat=True)) == looks[2:]
    assert Look.objects.filter(hall__code="outra").count() == 1
    assert asked("SELECT remove_looks(%s)", row.pk) == [(0,)]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    "told",
    [
        lambda looks: {"finished_at": timezone.now(), "looks_upto": looks[-1]},
        lambda _looks: {"looks_upto": None},
        lambda looks: {"looks_upto": looks[0] - 1},
    ],
    ids=["finished", "none listed", "others listed"],
)
def test_removal_that_lists_no_looks_takes_none(
    looks: list[int], told: Callable[[list[int]], dict[str, Any]]
) -> None:
    row = removal(Hall.objects.get(code="sala"), **told(looks))
    assert asked("SELECT remove_looks(%s)", row.pk) == [(0,)]


@pytest.mark.slow
@pytest.mark.django_db
def test_removal_without_its_entry_takes_no_look(looks: list[int]) -> None:
    row = removal(Hall.objects.get(code="sala"), kind="note_recorded", looks_upto=looks[-1])
    with pytest.raises(IntegrityError, match="append-only"):
        asked("SELECT remove_looks(%s)", row.pk)


def test_not_even_the_owner_takes_a_look_by_hand(fresh_database: FreshDatabase) -> None:
    evening = Evening()
    evening.at("inspector").get("/inspector/")
    with database.as_owner(fresh_database.name) as owner:
        for statement in (b"DELETE FROM halls_look", b"UPDATE halls_look SET path = ''"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                owner.execute(statement)
