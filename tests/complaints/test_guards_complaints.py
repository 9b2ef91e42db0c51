"""What PostgreSQL itself refuses of complaints' rows, each by the constraint named here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from draws.models import Complaint
from halls.models import JournalEntry
from tests.support.complaints import with_complaint
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import again

pytestmark = [pytest.mark.django_db, pytest.mark.rule(61)]
WHEN = datetime(2026, 11, 22, 20, tzinfo=UTC)


@pytest.fixture
def complaint() -> Complaint:
    """A complaint about a ball and a card of the game."""
    with_complaint(Evening().reach("window"))
    return Complaint.objects.get()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"number": 0}, "complaint_number_positive"),
        ({"issue": None}, "complaint_card_of_an_issue"),
        ({"card": None}, "complaint_card_of_an_issue"),
        ({"ball": 0}, "complaint_ball_of_a_game"),
        ({"game": None, "issue": None, "card": None}, "complaint_ball_of_a_game"),
        ({"decision": "upheld"}, "complaint_decided_with_reason"),
        ({"decided_at": WHEN}, "complaint_decided_with_reason"),
    ],
    ids=str,
)
def test_complaint_that_cannot_be_is_refused(
    complaint: Complaint, wrong: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        plant(Complaint.objects.all(), **wrong)


@pytest.mark.slow
def test_number_is_given_once_a_session(complaint: Complaint) -> None:
    entry = JournalEntry.objects.order_by("pk")[0]
    with pytest.raises(IntegrityError, match="complaint_number_once_a_session"):
        again(Complaint.objects.get(), entry=entry)
    again(Complaint.objects.get(), entry=entry, number=2)
