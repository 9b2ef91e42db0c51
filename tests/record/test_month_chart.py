"""The inspector's month as a picture: its days are the sessions of the list, no more and no less."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bingo.charts import HEIGHT
from draws.record import queries
from draws.record.queries import month_chart
from halls.models import Role
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.rule(61)
def test_days_add_up_to_the_sessions_of_the_list() -> None:
    evening = Evening().reach("paying")
    assert month_chart(evening.hall, date(1990, 2, 3)) is None
    month = month_chart(evening.hall, None)
    assert month is not None
    listed = queries.sessions(evening.hall).held
    assert sum(one.gross for one in month.days) == sum(one.gross for one in listed) > 0
    assert sum(one.sessions for one in month.days) == len(listed) == len(month.opened_days)
    assert max(one.bar.height for one in month.days) == HEIGHT
    assert [one.day - month.days[0].day for one in month.days] == [
        timedelta(days=each) for each in range(len(month.days))
    ]
    page = browser_of(evening.person(Role.INSPECTOR)).get("/inspector/").content.decode()
    assert 'id="month-title"' in page


def test_hall_without_a_session_has_no_picture() -> None:
    evening = Evening()
    assert month_chart(evening.hall, None) is None
    page = browser_of(evening.person(Role.INSPECTOR)).get("/inspector/").content.decode()
    assert 'id="month-title"' not in page
