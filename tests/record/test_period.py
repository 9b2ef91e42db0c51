"""Sessions by their days and a page at a time, each with how it stands and what it came to."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from draws.record import queries as record_queries
from halls import sessions, tills
from halls.models import Role, Session
from tests.support import complaints
from tests.support.evening import Evening, tonight

pytestmark = pytest.mark.django_db

FIRST = datetime(2027, 3, 1, 21, tzinfo=ZoneInfo("Atlantic/Cape_Verde"))


def hold(evening: Evening, days: int) -> None:
    """Open and close one session a day."""
    manager = evening.person(Role.HALL_MANAGER)
    for day in range(days):
        at = FIRST + timedelta(days=day)
        held = sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(at), by=manager, at=at
        )
        sessions.close_session(session=held, by=manager, at=at + timedelta(hours=5))


def numbers(found: record_queries.SessionPage) -> list[int]:
    """The numbers of a page's sessions."""
    return [held.session.number for held in found.held]


@pytest.mark.slow
@pytest.mark.rule(61)
def test_days_are_the_halls_own_and_both_ends_count() -> None:
    evening = Evening()
    hold(evening, 5)
    found = record_queries.sessions(evening.hall, begins=date(2027, 3, 2), ends=date(2027, 3, 4))
    assert numbers(found) == [4, 3, 2]
    assert (found.newer, found.older) == (None, None)
    # It ended after midnight, and is of the day it was opened on.
    assert numbers(record_queries.sessions(evening.hall, begins=date(2027, 3, 5))) == [5]
    assert numbers(record_queries.sessions(evening.hall, ends=date(2027, 3, 1))) == [1]
    assert not record_queries.sessions(evening.hall, begins=date(2027, 3, 6)).held
    assert not record_queries.sessions(evening.hall, ends=date(2027, 2, 28)).held
    assert len(record_queries.sessions(evening.hall, begins=date.min, ends=date.max).held) == 5


@pytest.mark.slow
def test_pages_go_to_and_fro_and_miss_no_session() -> None:
    evening = Evening()
    hold(evening, 5)
    first = record_queries.sessions(evening.hall, per_page=2)
    second = record_queries.sessions(evening.hall, before=first.older, per_page=2)
    third = record_queries.sessions(evening.hall, before=second.older, per_page=2)
    assert [numbers(one) for one in (first, second, third)] == [[5, 4], [3, 2], [1]]
    assert (first.newer, third.older) == (None, None)
    back = record_queries.sessions(evening.hall, after=third.newer, per_page=2)
    assert numbers(back) == [3, 2]
    assert numbers(record_queries.sessions(evening.hall, after=back.newer, per_page=2)) == [5, 4]
    assert record_queries.sessions(evening.hall, after=3, per_page=2).newer is None
    assert not record_queries.sessions(evening.hall, after=5, per_page=2).held


def test_page_asks_as_much_of_many_sessions_as_of_few() -> None:
    evening = Evening()
    hold(evening, 2)
    counts = []
    for more in (40, 50):
        with CaptureQueriesContext(connection) as captured:
            record_queries.sessions(evening.hall, before=2)
        counts.append(len(captured))
        manager = evening.person(Role.HALL_MANAGER)
        for day in range(more, more + 3):
            at = FIRST + timedelta(days=day)
            held = sessions.open_session(
                hall=evening.hall, checked=True, ends_at=tonight(at), by=manager, at=at
            )
            sessions.close_session(session=held, by=manager, at=at)
    assert counts[0] == counts[1]


def test_incidents_are_counted_and_usual_entries_are_not() -> None:
    evening = Evening().reach("sold")
    assert record_queries.sessions(evening.hall).held[0].incidents == 0
    sessions.record_note(
        session=evening.session, category="complaint", text="x", decision="",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    assert record_queries.sessions(evening.hall).held[0].incidents == 1
    complaints.opened(evening, evening.who(Role.TABLE_CHIEF), ball=None)
    assert record_queries.sessions(evening.hall).held[0].incidents == 2


def test_session_is_open_then_closed() -> None:
    evening = Evening().reach("shift")
    assert record_queries.sessions(evening.hall).held[0].state == record_queries.OPEN
    tills.close_shift(
        shift=evening.shift, counted=50_000_00, comment="", **evening.who(Role.CASHIER)
    )
    evening.close()
    assert record_queries.sessions(evening.hall).held[0].state == record_queries.CLOSED
    assert Session.objects.count() == 1
