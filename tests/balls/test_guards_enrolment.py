"""What PostgreSQL itself refuses of balls shown to a camera, each by the constraint named here."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from draws.balls import enrolments_and_roll_calls
from draws.models import Certificate, Enrolment, ShownBall
from halls.models import Role
from tests.support.evening import Evening
from tests.support.playing import again
from tests.support.shown_cards import begun, pose, show, show_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def enrolled() -> Evening:
    """A set enrolled, and a roll call that goes on with one ball shown."""
    evening = Evening()
    done = begun(evening)
    show_all(done, evening.person(Role.HALL_MANAGER))
    enrolments_and_roll_calls.finish_certification(
        enrolment=done, key=uuid4(), **evening.who(Role.HALL_MANAGER)
    )
    show(begun(evening, "opening"), pose(1, 7))
    return evening


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Enrolment, {"key": "new"}, "one_open_enrolment_a_camera"),
        (Enrolment, {"key": "new", "ended_at": "now", "purpose": "x"}, "enrolment_purpose_known"),
        (Enrolment, {"key": "new", "given_up": True}, "enrolment_given_up_has_ended"),
        (Enrolment, {"ended_at": "now"}, "key"),
        (ShownBall, {"key": "new", "dismissed": True}, "dismissed_ball_has_no_number"),
        (ShownBall, {"key": "new", "marked": 1001}, "shown_ball_mark_per_mille"),
        (ShownBall, {}, "key"),
        (Certificate, {}, r"enrolment_id|entry_id"),
        (Certificate, {"threshold": 1001}, "certificate_threshold_per_mille"),
    ],
)
def test_row_that_cannot_be_is_refused(
    enrolled: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    meant: dict[Any, Any] = {"new": uuid4(), "now": timezone.now()}
    values = {name: meant.get(value, value) for name, value in changed.items()}
    with pytest.raises(IntegrityError, match=constraint):
        again(model._default_manager.latest("pk"), **values)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"]
)
def test_certificate_never_changes(enrolled: Evening, statement: str) -> None:
    table = Certificate._meta.db_table
    with (
        pytest.raises(DatabaseError, match=r"append-only|permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))
