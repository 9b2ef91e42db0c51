"""The door of a hall: counted in and out, held to what is granted, proven in the record (BOE III)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from draws.record.acta import session_queries
from draws.record.audit import audit
from halls import sessions
from halls.admission import queries as admission_queries
from halls.admission import services as admission_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Admission, Hall, JournalEntry, Role, Session
from tests.support.evening import Evening, authorise, browser_of, order
from tests.support.planting_rows import plant
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def door(evening: Evening) -> dict[str, Any]:
    return {"hall": evening.hall, **evening.who(Role.DOOR)}


def small(capacity: int = 2) -> Evening:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", capacity=capacity)
    return evening


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_hall_takes_as_many_as_are_granted_and_one_more_when_somebody_leaves() -> None:
    evening = small()
    assert [admission_services.admit(**door(evening)).data["inside"] for _one in "ab"] == [1, 2]
    with refuses("hall_full"):
        admission_services.admit(**door(evening))
    admission_services.leave(**door(evening))
    assert admission_services.admit(**door(evening)).data == {"inside": 2, "capacity": 2}
    assert admission_queries.inside(evening.hall) == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_nobody_leaves_an_empty_hall_and_a_count_is_set_right_with_its_reason() -> None:
    evening = small()
    with refuses("nobody_inside"):
        admission_services.leave(**door(evening))
    admission_services.count(inside=5, reason="Contados", **door(evening))
    with refuses("hall_full"):
        admission_services.admit(**door(evening))
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_minor_at_the_page_is_refused_once_written_down_and_not_named() -> None:
    evening = small()
    browser, key = browser_of(evening.person(Role.DOOR)), uuid4()
    for _again in range(2):
        answer = order(browser, "door", "admit", key=key, born="2020-02-29")
        assert answer.status_code == 409
    entry = JournalEntry.objects.get(kind="admission_refused")
    assert entry.data == {"inside": 0, "reason": "minor"}
    assert "2020" not in str(entry.data)
    assert order(browser, "door", "admit", born="1990-02-28").status_code == 200
    assert order(browser, "door", "admit", born="2990-01-01").status_code == 409
    assert order(browser, "door", "admit", born="1990-02-30").status_code == 409
    assert admission_queries.inside(evening.hall) == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_full_hall_is_told_and_written_down() -> None:
    evening = small(1)
    browser = browser_of(evening.person(Role.DOOR))
    assert order(browser, "door", "admit").status_code == 200
    assert order(browser, "door", "admit").status_code == 409
    assert admission_queries.since(
        evening.hall, evening.hall.admissions.earliest("pk").at
    ).refused == {"full": 1}
    page = browser.get("/door/").content.decode()
    assert "next-step--stop" in page
    assert order(browser, "door", "refuse", reason="colour").status_code == 409
    assert order(browser, "door", "count", inside="x", reason="y").status_code == 409
    assert "door-count" in evening.at("manager").get("/manager/live/").content.decode()


@pytest.mark.slow
def test_page_is_the_doors_and_the_managers() -> None:
    evening = small()
    for role in set(Role) - {Role.DOOR, Role.HALL_MANAGER}:
        assert browser_of(evening.person(role)).get("/door/").status_code == 403


@pytest.mark.rule("BOE III")
def test_most_inside_counts_whoever_came_in_before_the_session_opened() -> None:
    evening = Evening()
    for _one in "abc":
        admission_services.admit(**door(evening))
    evening.reach("session")
    session = evening.session
    assert admission_queries.in_session(session).most == 3
    admission_services.leave(**door(evening))
    told = session_queries.admission_values(session)
    assert told is not None
    assert (told.admitted, told.left, told.most) == (0, 1, 3)
    assert [one.most for one in admission_queries.by_session([session])] == [3]
    assert [one.most for one in admission_queries.by_hour(session)] == [3]
    assert admission_queries.since(evening.hall, session.opened_at).most == 3
    admission_services.admit(**door(evening))
    admission_services.admit(**door(evening))
    assert admission_queries.in_session(session).most == 4


@pytest.mark.rule("BOE III")
def test_who_comes_after_a_session_is_not_of_it_though_a_clock_was_set_back() -> None:
    """Entries under such a clock have one time."""
    evening = Evening()
    early = {"at": admission_services.admit(**door(evening)).at - timedelta(hours=1)}
    manager = evening.who(Role.HALL_MANAGER) | early
    ends_at = early["at"] + timedelta(hours=8)
    session = sessions.open_session(hall=evening.hall, checked=True, ends_at=ends_at, **manager)
    sessions.close_session(session=session, **manager)
    for _one in "ab":
        last = admission_services.admit(**door(evening) | early)
    assert last.at == session.opened_at
    assert admission_queries.in_session(session).most == 1
    assert [one.most for one in admission_queries.by_session([session])] == [1]


@pytest.mark.rule("BOE III")
def test_hour_that_a_clock_set_back_repeats_is_counted_apart() -> None:
    evening = Evening().reach("session")
    plant(Hall.objects.filter(pk=evening.hall.pk), time_zone="Europe/Madrid")
    first = datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    for at in (first, first + timedelta(minutes=20), first + timedelta(hours=1)):
        admission_services.admit(**door(evening) | {"at": at})
    hours = admission_queries.by_hour(Session.objects.get())
    assert [(f"{one.begins:%H:%M %z}", one.admitted) for one in hours] == [
        ("02:00 +0200", 2), ("02:00 +0100", 1),
    ]  # fmt: skip


def test_postgresql_refuses_two_of_one_number_and_more_than_are_granted() -> None:
    evening = small()
    entry = admission_services.admit(**door(evening))
    other = JournalEntry.objects.exclude(pk=entry.pk).earliest("pk")
    row = {"hall": evening.hall, "kind": "person_admitted", "at": entry.at, "entry": other}
    for forged in (
        {"number": 1, "inside": 2, "capacity": 2},
        {"number": 2, "inside": 3, "capacity": 2},
        {"number": 2, "inside": -1},
        {"number": 0, "inside": 1},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Admission.objects.create(**row, **forged)


def test_audit_finds_an_admission_beyond_the_limit_that_tells_none() -> None:
    evening = small(1)
    admission_services.admit(**door(evening))
    with transaction.atomic():
        hall = head.lock(evening.hall.pk)
        told = Fact("person_admitted", {"inside": 2})
        entry = journal_services.append(hall, told, **evening.who(Role.DOOR))
        Admission.objects.create(
            hall=hall, number=2, kind=entry.kind, inside=2, at=entry.at, entry=entry
        )
    assert [finding.code for finding in audit(Hall.objects.get())] == ["rules_refuse"]


def test_age_is_that_of_the_hall_s_own_day() -> None:
    evening = small()
    today = timezone.now().astimezone(timezone.get_default_timezone()).date()
    with refuses("minor"):
        admission_services.admit(born=date(today.year - 10, 1, 1), **door(evening))
