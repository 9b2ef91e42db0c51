"""Enrolments, looks, prints, frames and the register of admissions are removed by their own days."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.balls import enrolments_and_roll_calls
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.models import Enrolment
from draws.record.audit import audit
from draws.retention.services import remove
from halls.admission import services as admission_services
from halls.models import Admission, Hall, JournalEntry, Look, Role, Visit
from halls.policy.services import set_policy
from tests.support.admissions import come_in
from tests.support.cards_prints import order
from tests.support.evening import Evening, authorise
from tests.support.filmed_balls import camera_of
from tests.support.removing import after, audit_codes, entries, forget, hall, keep_for, lived
from tests.support.session_closing import closed, drawn
from tests.support.shown_cards import NUMBERS, begun, pose, show

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


@pytest.fixture
def showing() -> Evening:
    """A hall with no camera yet, that keeps pictures for thirty days."""
    made = Evening()
    set_policy(hall=made.hall, picture_days=30, **made.who(Role.HALL_MANAGER))
    return made


@pytest.mark.slow
def test_pictures_shown_are_forgotten_but_for_those_of_the_present_certificate(
    showing: Evening,
) -> None:
    first, second = enrolled(showing, sure=0.99), enrolled(showing, sure=0.98)
    called = begun(showing, "opening")
    show(called, *(pose(number, number, sure=0.97) for number in NUMBERS))
    enrolments_and_roll_calls.call(enrolment=called, key=uuid4(), **showing.who(Role.CALLER))
    going = begun(showing)
    show(going, pose(1, 7, sure=0.96))
    lived(showing, 32)
    assert forget(hall=hall(), at=after(31)) == 60
    assert entries()[0]["enrolments"] == sorted([first.pk, called.pk])
    certificate = JournalEntry.objects.filter(kind="balls_enrolled").latest("number").number
    why = {"kind": "pictures", "why": "certificate", "name": str(certificate), "count": 30}
    assert entries()[0]["kept_back"] == [why]
    assert [whole(one) for one in (first, second, called, going)] == [False, True, False, True]
    assert (forget(hall=hall(), at=after(32)), audit_codes()) == (0, [])


def enrolled(showing: Evening, *, sure: float) -> Enrolment:
    """Enrol the set, each picture of its own."""
    going = begun(showing)
    manager = showing.who(Role.HALL_MANAGER)
    for number in NUMBERS:
        show(going, pose(number, number, sure=sure))
        enrolments_and_roll_calls.name(
            enrolment=going, stay=number, number=number, by=manager["by"]
        )
    enrolments_and_roll_calls.finish_certification(enrolment=going, key=uuid4(), **manager)
    return going


def whole(enrolment: Enrolment) -> bool:
    """Whether all pictures of an enrolment are there."""
    shown = enrolment.shown.values_list("picture", flat=True)
    return all(balls_queries.picture_path(digest).exists() for digest in shown)


@pytest.mark.slow
def test_roll_call_of_a_session_that_is_open_is_kept(showing: Evening) -> None:
    showing.reach("session")
    called = begun(showing, "opening")
    show(called, pose(1, 7))
    enrolments_and_roll_calls.call(enrolment=called, key=uuid4(), **showing.who(Role.CALLER))
    assert (forget(hall=hall(), at=after(31)), whole(called)) == (0, True)
    showing.close()
    lived(showing, 31)
    assert (forget(hall=hall(), at=after(31)), whole(called)) == (1, False)


@pytest.mark.slow
def test_looks_are_removed_up_to_the_first_that_is_young(evening: Evening) -> None:
    keep_for(evening, looks=90)
    inspector = evening.at("inspector")
    for path in ("/inspector/", "/inspector/search/", "/policy/"):
        inspector.get(path)
    last = Look.objects.order_by("-pk")[0]
    Evening("outra").at("inspector").get("/inspector/")
    drawn(evening)
    closed(evening)
    lived(evening, 95)
    made = remove(hall=Hall.objects.get(code="sala"), at=after(93))
    assert made is not None
    assert made.entry.data["removed"]["looks"]["count"] == 3
    assert (made.looks_upto, Look.objects.filter(hall__code="sala").count()) == (last.pk, 0)
    assert Look.objects.count() == 1
    assert audit(Hall.objects.get(code="sala")) == []


@pytest.mark.slow
def test_files_of_prints_are_removed_and_one_that_went_by_hand_is_named(evening: Evening) -> None:
    keep_for(evening, prints=7)
    first, second = order(evening), order(evening, first=7, last=12, reason="Papel húmido")
    for job in (first, second):
        draws_tasks.print_cards(job_id=job.pk)
        job.refresh_from_db()
    assert audit_codes() == []
    print_queries.print_job_path(second).unlink()
    assert audit_codes() == ["print_missing"]
    drawn(evening)
    closed(evening)
    lived(evening, 12)
    made = remove(hall=hall(), at=after(11))
    assert made is not None
    assert made.entry.data["prints"] == [first.pk]
    assert (print_queries.print_job_path(first).exists(), audit_codes()) == (
        False,
        ["print_missing"],
    )


@pytest.mark.slow
def test_frames_of_cameras_are_removed_but_those_taken_since(
    evening: Evening, tmp_path: Path
) -> None:
    keep_for(evening, stills=7)
    drawn(evening)
    closed(evening)
    lived(evening, 12)
    shelf = tmp_path / "cameras" / str(camera_of(evening).pk) / "empty"
    shelf.mkdir(parents=True)
    old, young = shelf / "000.jpg", shelf / "001.jpg"
    for file, days in ((old, -30), (young, 11)):
        file.write_bytes(b"frame")
        moment = after(days).timestamp()
        os.utime(file, (moment, moment))
    made = remove(hall=hall(), at=after(11))
    assert made is not None
    assert made.entry.data["removed"]["stills"]["count"] == 1
    assert (old.exists(), young.exists(), audit_codes()) == (False, True, [])


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_register_of_admissions_goes_after_its_days_and_the_counts_stay(evening: Evening) -> None:
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    keep_for(evening, admissions=190)
    for number in ("FIRST123", "OTHER123"):
        come_in(evening, number)
    admission_services.leave(hall=evening.hall, **evening.who(Role.DOOR))
    drawn(evening)
    closed(evening)
    lived(evening, 193)
    assert remove(hall=hall(), at=after(188)) is None
    come_in(evening, "LATER123", at=after(189))
    assert Visit.objects.count() == 3
    made = remove(hall=hall(), at=after(193))
    assert made is not None
    assert made.entry.data["removed"]["admissions"]["count"] == 2
    assert (made.visits_upto, made.entry.data["visits_upto"]) == (2, 2)
    assert (Visit.objects.get().number, Admission.objects.count()) == (4, 4)
    assert audit_codes() == []


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_register_of_admissions_is_kept_half_a_year_at_least_and_for_good_where_nothing_was_said(
    evening: Evening,
) -> None:
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    come_in(evening)
    with pytest.raises(Refusal, match="bad_retention") as refused:
        keep_for(evening, admissions=183)
    assert refused.value.values["least"] == 184
    drawn(evening)
    closed(evening)
    lived(evening, 400)
    assert remove(hall=hall(), at=after(400)) is None
    assert Visit.objects.count() == 1
