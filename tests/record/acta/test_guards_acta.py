"""PostgreSQL itself refuses a second rectification of the same acta, a gap, a seal without a head."""

from typing import Any

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.utils import timezone

from draws.models import Acta, Rectification, RectifiedActa, SealFault
from halls.models import JournalEntry, Session
from tests.support.evening import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.rule(58)]


@pytest.fixture
def session() -> Session:
    return Evening().reach("session").session


def entry(place: int) -> JournalEntry:
    return JournalEntry.objects.order_by("number")[place]


def rectified(session: Session, first: int, place: int, **changed: Any) -> Rectification:
    usual: dict[str, Any] = {
        "session": session, "number": first, "previous": first - 1 or None,
        "rectifies": "0" * 64, "reason": "a", "what": "b", "at": timezone.now(),
        "entry": entry(place),
    }  # fmt: skip
    with transaction.atomic():
        made = Rectification.objects.create(**(usual | changed))
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return made


def seal(**changed: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "pdf": b"%PDF", "digest": "0" * 64, "head_number": 1, "head_digest": "0" * 64,
        "certificate": "", "sealed_at": timezone.now(), "entry": entry(0),
    }  # fmt: skip
    return usual | changed


def test_rectifications_follow_one_another_without_a_gap(session: Session) -> None:
    for changed, constraint in (
        ({"number": 2, "previous": 1}, "rectification_follows_one"),
        ({"number": 3, "previous": 1}, "rectification_follows"),
        ({"number": 2, "previous": None}, "rectification_follows"),
        ({"reason": ""}, "rectification_says_why"),
        ({"what": ""}, "rectification_says_why"),
    ):
        with pytest.raises(IntegrityError, match=constraint):
            rectified(session, 1, 0, **changed)
    rectified(session, 1, 0)
    with pytest.raises(IntegrityError, match=r"rectification_once|rectifications_chained"):
        rectified(session, 1, 1)
    rectified(session, 2, 1)


def test_seal_names_a_head_and_a_key(session: Session) -> None:
    made = rectified(session, 1, 0)
    for changed, constraint in (
        ({"head_number": 0}, "rectified_has_a_head"),
        ({"key": 0}, "rectified_key_from_one"),
    ):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            RectifiedActa.objects.create(rectification=made, **seal(**changed))
    with pytest.raises(IntegrityError, match="acta_key_counts_from_one"), transaction.atomic():
        Acta.objects.create(session=session, **seal(key=0))


def test_failure_to_seal_is_told_once_for_each_acta(session: Session) -> None:
    now = timezone.now()
    told = {"session": session, "code": "x", "attempts": 1, "at": now, "next_at": now}
    SealFault.objects.create(**told)
    with pytest.raises(IntegrityError, match="seal_fault_once"), transaction.atomic():
        SealFault.objects.create(**told)


@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize("table", ["draws_acta", "draws_rectification", "draws_rectifiedacta"])
def test_finished_actas_are_neither_changed_nor_deleted(
    session: Session, owner_connection: Any, table: str, statement: str
) -> None:
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table))
    triggers = owner_connection.execute(
        "SELECT count(*) FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled = 'A'", [table]
    ).fetchone()
    assert triggers == (2,)
