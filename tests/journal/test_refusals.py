"""What somebody is refused again and again is counted, and told once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.record.audit import audit
from halls import sessions
from halls.journal.queries import open_session
from halls.journal.services import FEW, refused, tell_refusals
from halls.models import JournalEntry, RefusalTally, Role
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db

NOW = timezone.now().replace(second=10, microsecond=0)


@pytest.fixture
def evening() -> Evening:
    """An open session."""
    return Evening().reach("session")


def refuse(evening: Evening, times: int, *, role: Role = Role.CASHIER, **changed: Any) -> None:
    usual: dict[str, Any] = {
        "command": "/manager/do/close/", "refusal": Refusal("not_allowed", roles=["hall_manager"]),
        "by": evening.person(role), "at": NOW, "session": open_session(evening.hall),
    }  # fmt: skip
    for _time in range(times):
        refused(evening.hall, **usual | changed)


def noted(evening: Evening) -> list[dict[str, Any]]:
    return list(
        JournalEntry.objects.filter(hall=evening.hall, kind="command_refused")
        .order_by("number")
        .values_list("data", flat=True)
    )


def test_first_few_are_told_each_and_the_rest_by_one_entry(evening: Evening) -> None:
    refuse(evening, 40)
    assert (
        noted(evening)
        == [
            {
                "command": "/manager/do/close/",
                "code": "not_allowed",
                "values": {"roles": ["hall_manager"]},
            }
        ]
        * FEW
    )
    tell_refusals(at=NOW)
    assert len(noted(evening)) == FEW, "the minute is not over"
    tell_refusals(at=NOW + timedelta(minutes=1))
    *_few, last = noted(evening)
    assert last == noted(evening)[0] | {"more": 40 - FEW}
    assert not RefusalTally.objects.exists()
    tell_refusals(at=NOW + timedelta(minutes=2))
    assert len(noted(evening)) == FEW + 1
    entry = JournalEntry.objects.filter(hall=evening.hall).latest("number")
    with translation.override("pt"):
        assert journal_text.describe_entry(entry).endswith("mais 35 vezes nesse minuto")


def test_few_need_no_further_entry(evening: Evening) -> None:
    refuse(evening, FEW)
    tell_refusals(at=NOW + timedelta(minutes=1))
    assert len(noted(evening)) == FEW
    assert not RefusalTally.objects.exists()


def test_each_person_reason_and_minute_counts_for_itself(evening: Evening) -> None:
    refuse(evening, FEW + 1)
    refuse(evening, 1, role=Role.CALLER)
    refuse(evening, 1, refusal=Refusal("not_sold", card=3))
    refuse(evening, 1, at=NOW + timedelta(minutes=1))
    assert len(noted(evening)) == FEW + 3


def test_what_is_sent_does_not_make_the_record_grow(evening: Evening) -> None:
    refuse(evening, 1, command="/" + "a" * 64_000)
    refuse(evening, 1, refusal=Refusal("witness_unknown", field="b" * 64_000))
    long, values = noted(evening)
    assert long["command"] == "/" + "a" * 199
    assert values["values"] == {}


def test_addresses_that_differ_are_no_way_around(evening: Evening) -> None:
    for n in range(FEW + 20):
        refuse(evening, 1, command=f"/manager/do/{n}/")
    assert len(noted(evening)) == FEW


def test_what_is_told_after_the_session_has_closed_is_told_outside_of_it(evening: Evening) -> None:
    refuse(evening, FEW + 3)
    session = evening.session
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    before = JournalEntry.objects.filter(session=session).count()
    tell_refusals(at=NOW + timedelta(minutes=1))
    last = JournalEntry.objects.filter(hall=evening.hall).latest("number")
    assert (last.session_id, last.data["more"]) == (None, 3)
    assert JournalEntry.objects.filter(session=session).count() == before
    evening.hall.refresh_from_db()
    assert audit(evening.hall) == []


def test_refusal_that_waited_while_the_session_closed_is_told_outside_of_it(
    evening: Evening,
) -> None:
    session = evening.session  # as whoever was refused saw it
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    refuse(evening, 1, session=session)
    last = JournalEntry.objects.filter(hall=evening.hall).latest("number")
    assert (last.kind, last.session_id) == ("command_refused", None)
    evening.hall.refresh_from_db()
    assert audit(evening.hall) == []
