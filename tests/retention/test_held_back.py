"""What an open case, complaint or remark is about is not removed until it is closed."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.game_flow import Fact
from bingo.rules.retention import APPLIED, LOOKS, RemovalItem, listed, look_line
from draws import tasks as draws_tasks
from draws.cards import print_queries
from draws.custody import services as custody_services
from draws.record import sealing
from draws.retention import queries as retention_queries
from draws.retention import services as retention_services
from draws.retention.services import remove
from halls import inspection
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Look, Removal, Role, Visit
from tests.support import complaints, custody_hall, remarks
from tests.support.admissions import come_in
from tests.support.cards_prints import order
from tests.support.evening import Evening, authorise
from tests.support.removing import (
    after,
    audit_codes,
    complained,
    complained_later,
    entries,
    forget,
    hall,
    keep_for,
    kept,
    lived,
    opened,
)
from tests.support.session_closing import closed, drawn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


@pytest.mark.rule(61)
@pytest.mark.slow
def test_picture_that_a_complaint_names_is_kept(evening: Evening) -> None:
    readings = drawn(evening, 17, 44, 5)
    complaints.opened(evening, evening.who(Role.TABLE_CHIEF), ball=2, card=None)
    complaints.decided(evening, evening.who(Role.HALL_MANAGER))
    closed(evening)
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(31)), kept(*readings)) == (2, [False, True, False])
    assert audit_codes() == []


@pytest.mark.rule(52)
@pytest.mark.slow
def test_pictures_under_an_open_case_stay_until_it_is_closed(evening: Evening) -> None:
    readings = drawn(evening, 17, 44)
    case = opened(closed(evening))
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(40)), kept(*readings)) == (0, [True] * 2)
    manager = evening.person(Role.HALL_MANAGER)
    custody_services.close_case(case=case, outcome="done", by=manager, at=after(40))
    assert (forget(hall=hall(), at=after(41)), kept(*readings)) == (2, [False] * 2)
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule(52)
def test_case_opened_while_the_search_goes_on_holds_the_pictures(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = drawn(evening, 17)
    session = closed(evening)
    lived(evening, 32)
    search = retention_queries.plan_expired

    def slow(*given: Any, **asked: Any) -> Any:
        due = search(*given, **asked)
        opened(session)
        return due

    monkeypatch.setattr(retention_queries, "plan_expired", slow)
    assert (forget(hall=hall(), at=after(40)), kept(*readings)) == (0, [True])
    assert entries() == []


@pytest.mark.slow
@pytest.mark.rule(61)
def test_open_complaint_holds_all_pictures_of_its_session_until_it_is_decided(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17, 44)
    complained(evening)
    closed(evening)
    young = drawn(evening, 5)
    closed(evening)
    lived(evening, 34)
    assert (forget(hall=hall(), at=after(33)), kept(*readings, *young)) == (1, [True, True, False])
    assert entries()[0]["kept_back"] == [
        {"kind": "pictures", "why": "complaint", "name": "1/1", "count": 2}
    ]
    complaints.decided(evening, evening.who(Role.HALL_MANAGER))
    assert (forget(hall=hall(), at=after(34)), kept(*readings)) == (2, [False] * 2)
    assert [one["sessions"][0] for one in entries()][1] == [1, 1]
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule(61)
def test_open_complaint_about_a_game_of_an_earlier_session_holds_that_session_too(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17, 44)
    complaint = complained_later(evening)
    held = [one.session for one in retention_queries.retention_hold_of_hall(hall())]
    assert held == [1, complaint.session.number]
    assert (forget(hall=hall(), at=after(33)), kept(*readings)) == (0, [True] * 2)
    complaints.decided(evening, evening.who(Role.HALL_MANAGER))
    assert (forget(hall=hall(), at=after(34)), kept(*readings)) == (2, [False] * 2)
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule(61)
def test_remark_without_an_answer_holds_its_session(evening: Evening) -> None:
    readings = drawn(evening, 17)
    sealing.seal_acta(session=closed(evening), at=timezone.now())
    remarks.remark(evening, evening.who(Role.INSPECTOR))
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(31)), kept(*readings)) == (0, [True])
    remarks.answer(evening, evening.who(Role.HALL_MANAGER))
    assert (forget(hall=hall(), at=after(32)), kept(*readings)) == (1, [False])
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule(61)
def test_looks_since_the_session_of_an_open_complaint_stay(evening: Evening) -> None:
    keep_for(evening, looks=90)
    inspector = evening.at("inspector")
    with custody_hall.days_ago(0.01):
        inspector.get("/inspector/")
    drawn(evening)
    complained(evening)
    inspector.get("/inspector/search/")
    closed(evening)
    lived(evening, 95)
    made = remove(hall=hall(), at=after(93))
    assert made is not None
    assert made.entry.data["removed"]["looks"]["count"] == 1
    told = {"kind": "looks", "why": "complaint", "name": "1/1", "count": 1}
    assert (made.entry.data["kept_back"], Look.objects.count()) == ([told], 1)
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule(61)
def test_looks_that_a_remark_holds_since_they_were_listed_stay(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However their lines fall into what is taken away at a time."""
    keep_for(evening, looks=90)
    inspector = evening.at("inspector")
    with custody_hall.days_ago(0.01):
        inspector.get("/inspector/")
    drawn(evening)
    inspector.get("/inspector/search/")
    sealing.seal_acta(session=closed(evening), at=timezone.now())
    lived(evening, 95)
    monkeypatch.setattr(retention_queries, "AT_ONCE", 1)
    monkeypatch.setattr(retention_services, "AT_ONCE", 1)
    monkeypatch.setattr(retention_services, "finish", lambda **_asked: None)
    made = remove(hall=hall(), at=after(93))
    assert made is not None
    assert made.entry.data["removed"]["looks"]["count"] == 2
    remarks.remark(evening, evening.who(Role.INSPECTOR))
    monkeypatch.undo()
    monkeypatch.setattr(retention_services, "AT_ONCE", 1)
    retention_services.finish(hall=hall(), at=after(94))
    assert (Look.objects.count(), list(retention_queries.unfinished(hall()))) == (2, [made])
    remarks.answer(evening, evening.who(Role.HALL_MANAGER))
    retention_services.finish(hall=hall(), at=after(95))
    assert (Look.objects.count(), list(retention_queries.unfinished(hall()))) == (0, [])
    assert audit_codes() == []


@pytest.mark.rule(61)
def test_run_of_looks_that_ends_in_the_session_of_an_open_complaint_stays_whole() -> None:
    evening = Evening().reach("prepared")
    now, nothing = timezone.now(), "0" * 64
    look = inspection.record_look(
        evening.person(Role.INSPECTOR), at=now, method="GET", route="inspector",
        path="/inspector/", source="",
    )  # fmt: skip
    assert look is not None
    run = RemovalItem(
        LOOKS, look_line(first=look.pk, last=look.pk, said=nothing, head=nothing),
        at=evening.session.opened_at - timedelta(hours=1), until=now,
    )  # fmt: skip
    held = head.lock(evening.hall.pk)
    entry = journal_services.append(held, Fact(APPLIED, {}), by=None, at=timezone.now())
    made = Removal.objects.create(
        hall=held, number=1, listed=listed([run]), looks_upto=look.pk, entry=entry
    )
    complained(evening)
    retention_services.finish(hall=hall(), at=timezone.now())
    assert (Look.objects.count(), list(retention_queries.unfinished(hall()))) == (1, [made])
    complaints.decided(evening, evening.who(Role.HALL_MANAGER))
    retention_services.finish(hall=hall(), at=timezone.now())
    assert (Look.objects.count(), list(retention_queries.unfinished(hall()))) == (0, [])


@pytest.mark.rule(52)
@pytest.mark.slow
def test_prints_of_an_issue_that_a_case_is_about_stay(evening: Evening) -> None:
    keep_for(evening, prints=7)
    drawn(evening)
    job = order(evening)
    draws_tasks.print_cards(job_id=job.pk)
    case = opened(closed(evening))
    lived(evening, 12)
    assert (remove(hall=hall(), at=after(11)), print_queries.print_job_path(job).exists()) == (
        None,
        True,
    )
    custody_services.close_case(
        case=case, outcome="x", by=evening.person(Role.HALL_MANAGER), at=after(12)
    )
    assert remove(hall=hall(), at=after(12)) is not None
    assert (print_queries.print_job_path(job).exists(), audit_codes()) == (False, [])


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_register_since_the_session_of_an_open_complaint_stays(evening: Evening) -> None:
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    keep_for(evening, admissions=184)
    come_in(evening, "FIRST123")
    time.sleep(1.1)  # lists and holds have their times to the second
    drawn(evening)
    complained(evening)
    come_in(evening, "OTHER123")
    closed(evening)
    lived(evening, 190)
    made = remove(hall=hall(), at=after(188))
    assert made is not None
    assert made.entry.data["removed"]["admissions"]["count"] == 1
    told = {"kind": "admissions", "why": "complaint", "name": "1/1", "count": 1}
    assert (made.entry.data["kept_back"], Visit.objects.count()) == ([told], 1)
    assert audit_codes() == []
