"""Sessions open on the terms of the hall's own day, and ask for their acta when they close."""

from datetime import UTC, date, datetime

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from halls import sessions
from halls.models import Authorisation, Hall, JournalEntry, Role, Session
from tests.support.evening import FACE, FLOAT, Evening, tonight, within
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def grant(hall: Hall, reference: str, day: date, **changed: object) -> Authorisation:
    """Grant the hall something from a day on."""
    terms = {
        "faces": [FACE], "line_share": 2000, "bingo_share": 6000, "jackpot_rate": 0,
    }  # fmt: skip
    # Straight into the table: some of these terms no service would write down.
    entry = JournalEntry.objects.filter(hall=hall).order_by("-number")[0]
    return Authorisation.objects.create(
        hall=hall, reference=reference, valid_from=day, entry=entry, **(terms | changed)
    )


@pytest.mark.rule(17)
def test_authorisation_begins_with_the_hall_s_own_day() -> None:
    hall = Evening().hall
    new = grant(hall, "2/2030", date(2030, 6, 2))
    # One hour behind UTC: at half past midnight UTC it is still the first of June in the hall.
    assert sessions.in_force(hall, datetime(2030, 6, 2, 0, 30, tzinfo=UTC)).reference == "1/2026"
    assert sessions.in_force(hall, datetime(2030, 6, 2, 1, 0, tzinfo=UTC)) == new


def test_every_day_of_the_calendar_begins_and_ends_in_the_hall() -> None:
    hall = Hall(time_zone="Europe/Madrid")
    # The night on which clocks skip an hour.
    assert hall.begins(date(2030, 3, 31)) == datetime(2030, 3, 30, 23, tzinfo=UTC)
    assert hall.ends(date(2030, 3, 31)) == datetime(2030, 3, 31, 22, tzinfo=UTC)
    assert hall.ends(date.max) == hall.begins(date.max)


def test_authorisation_that_has_ended_gives_way() -> None:
    hall = Evening().hall
    grant(hall, "2/2030", date(2030, 1, 1), valid_until=date(2030, 1, 31))
    assert sessions.in_force(hall, datetime(2030, 1, 31, 12, tzinfo=UTC)).reference == "2/2030"
    assert sessions.in_force(hall, datetime(2030, 2, 1, 12, tzinfo=UTC)).reference == "1/2026"


@pytest.mark.rule(9)
def test_session_freezes_the_terms_in_force() -> None:
    evening = Evening().reach("session")
    terms = JournalEntry.objects.get(kind="session_opened").data
    assert terms["jackpot"] == {
        "rate": 300, "base": FLOAT, "balance": FLOAT, "limits": within(40),
    }  # fmt: skip
    grant(evening.hall, "2", evening.today, line_share=2500, bingo_share=5500)
    assert evening.session.authorisation.reference == "1/2026"
    assert evening.session.state["terms"] == terms


@pytest.mark.rule(7)
def test_session_on_shares_the_rule_book_forbids_is_refused() -> None:
    evening = Evening()
    grant(evening.hall, "2", evening.today, line_share=3000, bingo_share=5000)
    with refuses("bingo_below_floor"):
        sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
        )


@pytest.mark.rule(58)
def test_closed_session_asks_for_its_acta_and_the_next_may_open(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr(
        "bingo.celery_app.app.send_task",
        lambda name, *, kwargs, retry: asked.append({"name": name, **kwargs}),
    )
    evening = Evening().reach("session")
    session, who = evening.session, evening.who(Role.HALL_MANAGER)
    with django_capture_on_commit_callbacks(execute=True):
        sessions.close_session(session=session, **who)
    assert {"name": "draws.seal_acta", "session_id": session.pk} in asked
    stored = Session.objects.get()
    assert (stored.closed_at, stored.closed_by) == (who["at"], who["by"])
    with refuses("session_closed"):
        sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    assert (
        sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **who).number == 2
    )
