"""What PostgreSQL itself refuses of the register of admissions and the list of the excluded."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from halls.admission import services as admission_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Admission, Exclusion, JournalEntry, LiftedExclusion, Removal, Role, Visit
from tests.support.admissions import asking, come_in, exclude
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import again

pytestmark = pytest.mark.rule("BOE III")


@pytest.fixture(autouse=True)
def keys(settings: Any, tmp_path: Path) -> None:
    settings.KEYS_DIR = tmp_path / "keys"


def listed() -> tuple[Evening, Visit, Exclusion, LiftedExclusion]:
    """Somebody in the register, and somebody else taken off the list."""
    evening = asking()
    come_in(evening)
    row = exclude(evening, "OTHER123")
    admission_services.lift(
        hall=evening.hall, number=1, reason="x", witness=evening.person(Role.TABLE_CHIEF),
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    return evening, Visit.objects.get(), row, LiftedExclusion.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "admission_id"),
        ({"number": 2, "document": "12345678Z"}, "visit_document_hashed"),
        ({"number": 2, "document": "A" * 64}, "visit_document_hashed"),
        ({"number": 2, "salt": ""}, "visit_salted"),
        ({"number": 2, "key": 0}, "visit_key_positive"),
        ({"number": 2, "kept_until": datetime(2020, 1, 1, tzinfo=UTC)}, "visit_kept_a_while"),
    ],
    ids=str,
)
def test_row_of_the_register_that_cannot_be_is_refused(
    changed: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(listed()[1], **changed)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "entry_id"),
        ({"number": 0}, "exclusion_number_positive"),
        ({"number": 2, "document": "12345678Z"}, "exclusion_document_hashed"),
        ({"number": 2, "key": 0}, "exclusion_key_positive"),
        ({"number": 2, "reason": "colour"}, "exclusion_for_a_reason"),
        ({"number": 2, "ends": date(2000, 1, 1)}, "exclusion_ends_after_it_begins"),
    ],
    ids=str,
)
def test_exclusion_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(listed()[2], **changed)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "constraint"), [({}, "_id"), ({"reason": ""}, "exclusion_lifted_for_a_reason")]
)
def test_end_of_an_exclusion_that_cannot_be_is_refused(
    changed: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(listed()[3], **changed)


@pytest.mark.django_db
def test_rows_that_can_be_are_let_in() -> None:
    evening, _visit, row, _lifted = listed()
    other = JournalEntry.objects.filter(hall=evening.hall).earliest("pk")
    with pytest.raises(IntegrityError, match="exclusion_number_once"):
        again(row, number=1, entry=other)
    again(row, number=2, entry=other)


@pytest.mark.django_db
def test_number_stands_once_in_the_register() -> None:
    evening, row, *_rest = listed()
    other = admission_services.leave(hall=evening.hall, **evening.who(Role.DOOR))
    second = Admission.objects.get(entry=other)
    with pytest.raises(IntegrityError, match="visit_number_once"):
        again(row, admission=second)
    again(row, admission=second, number=2)


@pytest.mark.parametrize("table", ["visit", "exclusion", "liftedexclusion"])
@pytest.mark.slow
def test_nothing_of_it_is_changed_or_taken_away(
    fresh_database: FreshDatabase, owner_connection: psycopg.Connection[Any], table: str
) -> None:
    """Neither by the application, which has no right to, nor by the owner, whom a trigger stops."""
    listed()
    for statement in ("UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"):
        asked = statement.format(f"halls_{table}")
        with (
            pytest.raises(DatabaseError, match="permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(asked)
        with pytest.raises(psycopg.Error, match="append-only"), owner_connection.transaction():
            owner_connection.execute(asked.encode())


def removal(
    evening: Evening, *, days: float, kind: str = "retention_applied", **told: Any
) -> Removal:
    """Write a removal's row and an entry of that kind, so many days from now."""
    with transaction.atomic():
        held = head.lock(evening.hall.pk)
        at = timezone.now() + timedelta(days=days)
        entry = journal_services.append(held, Fact(kind, {}), by=None, at=at)
        values = {"hall": held, "number": 1, "listed": "x", "entry": entry, "visits_upto": 1}
        return Removal.objects.create(**values | told)


def taken(made: Removal) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT remove_visits(%s)", [made.pk])
        return int(cursor.fetchone()[0])


@pytest.mark.slow
def test_register_goes_by_an_unfinished_removal_after_its_days_and_by_nothing_else(
    fresh_database: FreshDatabase,
) -> None:
    evening = listed()[0]
    come_in(evening, "THIRD123")
    with pytest.raises(DatabaseError, match="permission denied"):
        Visit.objects.all()._raw_delete("default")
    assert taken(removal(evening, days=190)) == 1
    assert list(Visit.objects.values_list("number", flat=True)) == [2]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "told",
    [
        {"days": 183},  # a day too soon, whatever the hall has decided
        {"days": 190, "kind": "note_recorded"},
    ],
)
def test_removal_that_comes_too_soon_or_is_none_takes_nothing(told: dict[str, Any]) -> None:
    evening = listed()[0]
    made = removal(evening, **told)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        taken(made)
    assert Visit.objects.count() == 1


@pytest.mark.django_db
def test_removal_that_is_over_takes_nothing_more_and_none_of_another_hall() -> None:
    evening = listed()[0]
    assert taken(removal(evening, days=190, finished_at=timezone.now())) == 0
    other = Evening("outra")
    assert taken(removal(other, days=190)) == 0
    assert Visit.objects.count() == 1
    made = Removal.objects.latest("pk")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        plant(Removal.objects.filter(pk=made.pk), visits_upto=9)
