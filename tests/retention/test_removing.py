"""Pictures are forgotten when their days are over: counted once, by the rule, however often it runs."""

from __future__ import annotations

import hashlib
import json
import os
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from bingo import signed_notes
from bingo.celery_app import app
from bingo.rules import retention as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.balls import enrolments
from draws.balls import queries as balls_queries
from draws.cards import print_queries
from draws.custody import services as custody_services
from draws.models import Case, Enrolment, Reading
from draws.record.audit import audit
from draws.record.audit.balls import forgotten
from draws.retention import queries as retention_queries
from draws.retention import services as retention_services
from draws.retention.services import remove
from halls import retention
from halls.admission import services as admission_services
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Admission, Hall, JournalEntry, Look, Removal, Role, Session, Visit
from halls.policy.services import set_policy
from tests.support import complaints, custody_hall, remarks
from tests.support.admissions import come_in
from tests.support.cards_prints import order
from tests.support.evening import Evening, authorise
from tests.support.filmed_balls import camera_of, see
from tests.support.removing import after, keep_for, lived
from tests.support.session_closing import closed, drawn
from tests.support.shown_cards import NUMBERS, begun, pose, show


@pytest.fixture
def evening() -> Evening:
    """A hall that reads its balls by camera and keeps their pictures for thirty days."""
    made = Evening()
    set_policy(
        hall=made.hall, source="camera", automatic=900, picture_days=30,
        **made.who(Role.HALL_MANAGER),
    )  # fmt: skip
    camera_of(made)
    return made


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    return tmp_path


def hall() -> Hall:
    return Hall.objects.get()


def forget(*, hall: Hall, at: datetime) -> int:
    """Remove what is over, and return how many pictures that was."""
    made = remove(hall=hall, at=at)
    return int(made.entry.data["removed"]["pictures"]["count"]) if made else 0


def kept(*readings: Reading) -> list[bool]:
    """Whether the picture of each reading is there."""
    return [balls_queries.picture_path(reading.picture).exists() for reading in readings]


def entries() -> list[dict[str, Any]]:
    found = JournalEntry.objects.filter(kind="retention_applied").order_by("number")
    return list(found.values_list("data", flat=True))


def found() -> list[str]:
    """What the audit finds."""
    return [finding.code for finding in audit(hall())]


def test_pictures_are_removed_when_their_days_are_over_and_written_down_once(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17, 44, 5)
    closed(evening)
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(29)), kept(*readings)) == (0, [True] * 3)
    assert (forget(hall=hall(), at=after(31)), kept(*readings)) == (3, [False] * 3)
    assert (forget(hall=hall(), at=after(32)), len(entries())) == (0, 1)
    [told], [row] = entries(), Removal.objects.all()
    days = {"pictures": 30, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}
    seen = [rules.utc_text(one.seen_at) for one in readings]
    assert told | {"list": "", "note": ""} == {
        "removal": 1, "list": "", "note": "", "days": days, "key": 1, "sessions": [[1, 1]],
        "removed": {"pictures": {"count": 3, "oldest": min(seen), "newest": max(seen)}},
        "enrolments": [], "prints": [], "kept_back": [],
    }  # fmt: skip
    assert (told["list"], row.number) == (hashlib.sha256(row.listed.encode()).hexdigest(), 1)
    assert {one.picture for one in readings} == {one.name for one in rules.read(row.listed)}
    assert row.finished_at is not None
    assert (row.entry.session, row.entry.by) == (None, None)
    assert (found(), forgotten(hall())) == ([], 3)


@pytest.mark.rule(61)
def test_picture_that_a_complaint_names_is_kept(evening: Evening) -> None:
    readings = drawn(evening, 17, 44, 5)
    complaints.opened(evening, evening.who(Role.TABLE_CHIEF), ball=2, card=None)
    complaints.decided(evening, evening.who(Role.HALL_MANAGER))
    closed(evening)
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(31)), kept(*readings)) == (2, [False, True, False])
    assert found() == []


def test_pictures_of_a_session_that_is_open_are_never_touched(evening: Evening) -> None:
    old = drawn(evening, 17)
    closed(evening)
    lived(evening, 30)
    now = drawn(evening, 45, 23)
    assert forget(hall=hall(), at=after(31)) == 1
    assert kept(*old, *now) == [False, True, True]
    assert entries()[0]["sessions"][0][0] == 1
    last = closed(evening).number
    lived(evening, 31)
    assert forget(hall=hall(), at=after(62)) == 2
    assert [told["sessions"][-1][-1] for told in entries()][1] == last
    assert found() == []


def test_picture_that_a_younger_session_names_too_stays(evening: Evening) -> None:
    [old] = drawn(evening, 17)
    closed(evening)
    lived(evening, 30)
    [again] = drawn(evening, 17)
    assert old.picture == again.picture
    assert forget(hall=hall(), at=after(31)) == 0
    assert (kept(old), entries()) == ([True], [])


def test_run_that_was_killed_is_finished_by_the_next_and_counted_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = drawn(evening, 17, 44, 5)
    closed(evening)
    lived(evening, 32)

    def killed(**_named: object) -> None:
        if Removal.objects.exists():
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("draws.retention.services.finish", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(hall=hall(), at=after(31))
    balls_queries.picture_path(readings[0].picture).unlink()  # as far as it came
    assert (kept(*readings), found()) == ([False, True, True], [])
    assert forget(hall=hall(), at=after(32)) == 0
    assert (kept(*readings), len(entries()), found()) == ([False] * 3, 1, [])


def test_files_that_went_before_it_was_written_down_are_written_down_as_ever(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17, 44)
    closed(evening)
    lived(evening, 31)
    for reading in readings:
        balls_queries.picture_path(reading.picture).unlink()
    assert set(found()) == {"picture_missing"}
    assert (forget(hall=hall(), at=after(31)), found()) == (2, [])


def test_missing_picture_that_no_rule_covers_is_named(evening: Evening) -> None:
    [old] = drawn(evening, 17)
    closed(evening)
    lived(evening, 30)
    [young] = drawn(evening, 44)
    forget(hall=hall(), at=after(31))
    assert found() == []
    balls_queries.picture_path(young.picture).unlink()
    told = audit(hall())
    assert [(one.code, one.detail) for one in told] == [("picture_missing", young.picture)]
    assert kept(old) == [False]


def test_days_are_those_of_the_rule_in_force(evening: Evening) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 31)
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, picture_days=60, **manager)
    assert forget(hall=hall(), at=after(31)) == 0
    set_policy(hall=evening.hall, picture_days=8, **manager)
    assert forget(hall=hall(), at=after(9)) == 1
    assert (entries()[0]["days"]["pictures"], found()) == (8, [])


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"days": 30, "last": 1}, "closed for less than the days"),
        ({"days": 8, "last": 1}, "not the hall's days"),
        ({"days": 30, "last": 0, "after": 1}, "nothing was forgotten before"),
    ],
)
def test_forgetting_that_the_rule_does_not_allow_is_found(
    evening: Evening, told: dict[str, int], why: str
) -> None:
    drawn(evening, 17)
    closed(evening)
    data = {"after": 0, "enrolments": [], "pictures": 1} | told
    journal_services.append(
        head.lock(evening.hall.pk), Fact("pictures_forgotten", data), by=None, at=after(20)
    )
    assert found() == ["rules_refuse"], why


def opened(session: Session) -> Case:
    """Open a case about the session's game."""
    manager = session.hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[
        0
    ]
    return custody_services.open_case(
        game=session.games.get(), reference="7/2026", reason="x", by=manager, at=after(0)
    )


@pytest.mark.rule(52)
def test_pictures_under_an_open_case_stay_until_it_is_closed(evening: Evening) -> None:
    readings = drawn(evening, 17, 44)
    case = opened(closed(evening))
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(40)), kept(*readings)) == (0, [True] * 2)
    manager = evening.person(Role.HALL_MANAGER)
    custody_services.close_case(case=case, outcome="done", by=manager, at=after(40))
    assert (forget(hall=hall(), at=after(41)), kept(*readings)) == (2, [False] * 2)
    assert found() == []


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


@pytest.mark.rule(52)
def test_forgetting_what_an_open_case_holds_is_found(evening: Evening) -> None:
    drawn(evening, 17)
    opened(closed(evening))
    lived(evening, 32)
    data = {"days": 30, "after": 0, "last": 1, "enrolments": [], "pictures": 1}
    journal_services.append(
        head.lock(evening.hall.pk), Fact("pictures_forgotten", data), by=None, at=after(40)
    )
    assert found() == ["rules_refuse"]


@pytest.fixture
def showing() -> Evening:
    """A hall with no camera yet, that keeps pictures for thirty days."""
    made = Evening()
    set_policy(hall=made.hall, picture_days=30, **made.who(Role.HALL_MANAGER))
    return made


def test_pictures_shown_are_forgotten_but_for_those_of_the_present_certificate(
    showing: Evening,
) -> None:
    first, second = enrolled(showing, sure=0.99), enrolled(showing, sure=0.98)
    called = begun(showing, "opening")
    show(called, *(pose(number, number, sure=0.97) for number in NUMBERS))
    enrolments.call(enrolment=called, key=uuid4(), **showing.who(Role.CALLER))
    going = begun(showing)
    show(going, pose(1, 7, sure=0.96))
    lived(showing, 32)
    assert forget(hall=hall(), at=after(31)) == 60
    assert entries()[0]["enrolments"] == sorted([first.pk, called.pk])
    certificate = JournalEntry.objects.filter(kind="balls_enrolled").latest("number").number
    why = {"kind": "pictures", "why": "certificate", "name": str(certificate), "count": 30}
    assert entries()[0]["kept_back"] == [why]
    assert [whole(one) for one in (first, second, called, going)] == [False, True, False, True]
    assert (forget(hall=hall(), at=after(32)), found()) == (0, [])


def enrolled(showing: Evening, *, sure: float) -> Enrolment:
    """Enrol the set, each picture of its own."""
    going = begun(showing)
    manager = showing.who(Role.HALL_MANAGER)
    for number in NUMBERS:
        show(going, pose(number, number, sure=sure))
        enrolments.name(enrolment=going, stay=number, number=number, by=manager["by"])
    enrolments.finish_certification(enrolment=going, key=uuid4(), **manager)
    return going


def whole(enrolment: Enrolment) -> bool:
    """Whether all pictures of an enrolment are there."""
    shown = enrolment.shown.values_list("picture", flat=True)
    return all(balls_queries.picture_path(digest).exists() for digest in shown)


def test_roll_call_of_a_session_that_is_open_is_kept(showing: Evening) -> None:
    showing.reach("session")
    called = begun(showing, "opening")
    show(called, pose(1, 7))
    enrolments.call(enrolment=called, key=uuid4(), **showing.who(Role.CALLER))
    assert (forget(hall=hall(), at=after(31)), whole(called)) == (0, True)
    showing.close()
    lived(showing, 31)
    assert (forget(hall=hall(), at=after(31)), whole(called)) == (1, False)


def test_another_run_that_was_faster_leaves_nothing_to_write_down(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 31)
    plan = retention_queries.plan_expired

    def faster(*arguments: Any, **named: Any) -> Any:
        found = plan(*arguments, **named)
        monkeypatch.undo()
        assert forget(hall=hall(), at=after(31)) == 1
        return found

    monkeypatch.setattr(retention_queries, "plan_expired", faster)
    assert forget(hall=hall(), at=after(31)) == 0
    assert len(entries()) == 1


def test_command_tells_how_many_were_removed(
    evening: Evening, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 31)
    later = after(31)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    call_command("remove_expired", json=True, dry_run=True)
    planned = json.loads(capsys.readouterr().out)["sala"]
    assert (planned["removed"]["pictures"]["count"], entries()) == (1, [])
    call_command("remove_expired", json=True)
    removed = json.loads(capsys.readouterr().out)["sala"]
    assert {name: removed[name] for name in planned} == planned
    call_command("remove_expired", hall="sala")
    assert capsys.readouterr().out == "sala: nothing removed\n"
    call_command("audit", hall="sala")
    assert "no longer kept by the hall's rule: 1" in capsys.readouterr().out


def test_picture_that_waits_for_the_caller_is_kept_with_its_session(evening: Evening) -> None:
    drawn(evening)
    waits = see(camera_of(evening), None, reason="low")
    assert (forget(hall=hall(), at=after(400)), kept(waits)) == (0, [True])


def test_worker_looks_for_pictures_that_are_over(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    lived(evening, 31)
    later = after(31)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    draws_tasks.remove_expired()
    assert kept(*readings) == [False]
    scheduled = {one["task"]: one["schedule"] for one in app.conf.beat_schedule.values()}
    assert scheduled[draws_tasks.remove_expired.name] <= 24 * 3600


def test_clock_that_jumps_ahead_destroys_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = drawn(evening, 17, 44)
    closed(evening)
    assert (forget(hall=hall(), at=after(100)), kept(*readings)) == (0, [True] * 2)
    later = after(100)
    with monkeypatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: later)
        draws_tasks.remove_expired()
    assert (kept(*readings), entries()) == ([True] * 2, [])


def test_sessions_held_with_a_clock_that_jumped_confirm_no_more_than_they_are(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock jumps in the midst of a session; two more are held, and nobody sees it."""
    readings = drawn(evening, 17)
    began = timezone.now()
    with monkeypatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: began + timedelta(days=100))
        closed(evening)
        old = drawn(evening, 44)
    with monkeypatch.context() as patch:
        patch.setattr("django.utils.timezone.now", lambda: began + timedelta(days=200))
        closed(evening)
        lived(evening, 20)
    assert (forget(hall=hall(), at=began + timedelta(days=221)), entries()) == (0, [])
    lived(evening, 14)
    assert forget(hall=hall(), at=began + timedelta(days=235)) == 2
    assert (kept(*readings, *old), found()) == ([False] * 2, [])


def test_hall_that_was_shut_for_weeks_keeps_its_pictures_for_so_much_longer(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    lived(evening, 10)
    assert forget(hall=hall(), at=after(45)) == 0
    Hall.objects.update(head_at=after(45))
    lived(evening, 22)
    assert forget(hall=hall(), at=after(65)) == 0
    assert (forget(hall=hall(), at=after(67)), kept(*readings)) == (1, [False])


def complained(evening: Evening) -> None:
    complaints.opened(evening, evening.who(Role.TABLE_CHIEF), ball=None, card=None, game=None)


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
    assert found() == []


@pytest.mark.rule(61)
def test_remark_without_an_answer_holds_its_session(evening: Evening) -> None:
    readings = drawn(evening, 17)
    custody_hall.sealed(closed(evening))
    remarks.remark(evening, evening.who(Role.INSPECTOR))
    lived(evening, 32)
    assert (forget(hall=hall(), at=after(31)), kept(*readings)) == (0, [True])
    remarks.answer(evening, evening.who(Role.HALL_MANAGER))
    assert (forget(hall=hall(), at=after(32)), kept(*readings)) == (1, [False])
    assert found() == []


def applied(evening: Evening, at: datetime, **changed: Any) -> list[str]:
    """Write a removal of session 1 as the rules would, but for what is changed; return the findings."""
    checkpoints_services.vkeys(hall())
    keys = checkpoints_queries.kept(hall())
    days = {"pictures": 30, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}
    items = changed.pop("items", [rules.RemovalItem("pictures", "a" * 64, at)])
    told: dict[str, Any] = {
        "removal": 1, "items": items, "days": days, "sessions": [(1, 1)], "enrolments": [],
        "prints": [], "absent": 0, "kept_back": [], "key": 1,
    }  # fmt: skip
    by = changed.pop("by", keys[1])
    data = rules.apply(**told | changed)
    data["note"] = signed_notes.sign_note(rules.signed("sala", data), [by])
    with transaction.atomic():
        held = head.lock(evening.hall.pk)
        entry = journal_services.append(held, Fact("retention_applied", data), by=None, at=at)
        listed = rules.listed(items)
        upto = rules.looks_end(listed)
        Removal.objects.create(
            hall=held, number=data["removal"], listed=listed, looks_upto=upto, entry=entry
        )
    return found()


def test_removal_as_the_rules_would_write_it_is_good(evening: Evening) -> None:
    drawn(evening)
    closed(evening)
    lived(evening, 32)
    assert applied(evening, after(40)) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"removal": 2}, {"sessions": [(1, 2)]}, {"sessions": [(1, 1), (2, 2)]}, {"prints": [1]},
        {"days": {"pictures": 29, "looks": 0, "prints": 0, "stills": 0, "admissions": 0}},
    ],
    ids=["not the next", "not ended", "not merged", "no such print", "not the days"],
)  # fmt: skip
def test_removal_against_the_rules_is_named(evening: Evening, changed: dict[str, Any]) -> None:
    drawn(evening)
    closed(evening)
    drawn(evening)
    assert set(applied(evening, after(40), **changed)) & {"rules_refuse", "entry_malformed"}


@pytest.mark.rule(52)
@pytest.mark.parametrize("hold", ["case", "complaint", "remark"])
def test_removal_of_what_is_held_is_named(evening: Evening, hold: str) -> None:
    drawn(evening)
    if hold == "complaint":
        complained(evening)
    session = closed(evening)
    if hold == "case":
        opened(session)
    if hold == "remark":
        custody_hall.sealed(session)
        remarks.remark(evening, evening.who(Role.INSPECTOR))
    assert applied(evening, after(40)) == ["rules_refuse"]


@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("days", "held", "code"),
    [(91, False, []), (89, False, ["rules_refuse"]), (91, True, ["rules_refuse"])],
    ids=["old", "too young", "held"],
)
def test_removal_of_looks_too_young_or_held_is_named(
    evening: Evening, days: int, held: bool, code: list[str]
) -> None:
    keep_for(evening, looks=90)
    drawn(evening)
    if held:
        complained(evening)
    closed(evening)
    lived(evening, 95)
    newest = after(100 - days)
    name = rules.look_line(first=1, last=7, said="a" * 64, head="b" * 64)
    items = [rules.RemovalItem("looks", name, newest, 7, newest)]
    kept_for = {"pictures": 0, "looks": 90, "prints": 0, "stills": 0, "admissions": 0}
    assert applied(evening, after(100), items=items, days=kept_for, sessions=[]) == code


def test_false_signature_is_named(evening: Evening) -> None:
    drawn(evening)
    closed(evening)
    lived(evening, 32)
    other = signed_notes.NoteKey("bingo-journal/sala", Ed25519PrivateKey.generate())
    assert applied(evening, after(40), by=other) == ["removal_differs"]


@pytest.mark.rule(61)
def test_removal_that_another_key_signed_is_named(evening: Evening, tmp_path: Path) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    assert forget(hall=hall(), at=after(31)) == 1
    (tmp_path / "keys" / "sala.checkpoints" / "key-1.pem").unlink()
    signed_notes.make_note_key(tmp_path / "keys" / "sala.checkpoints", version=1)
    assert "removal_differs" in found()


def test_renewed_key_signs_and_says_which_it_is(evening: Evening) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    checkpoints_services.vkeys(hall())
    who = evening.who(Role.HALL_MANAGER)
    checkpoints_services.renew_key(hall=hall(), **who)
    assert forget(hall=hall(), at=after(33)) == 1
    assert (entries()[0]["key"], found()) == (2, [])


def test_hall_without_its_key_removes_nothing(evening: Evening, tmp_path: Path) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    checkpoints_services.deliver(hall(), at=after(0))
    lived(evening, 32)
    for file in (tmp_path / "keys" / "sala.checkpoints").glob("key-*.pem"):
        file.rename(tmp_path / file.name)
    with pytest.raises(Refusal, match="checkpoint_key_unreadable"):
        forget(hall=hall(), at=after(31))
    assert (kept(*readings), entries()) == ([True], [])


def test_once_a_day_unless_something_was_left(evening: Evening) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    assert retention_services.nightly(hall=hall(), at=after(31)) is not None
    assert retention_services.nightly(hall=hall(), at=after(31.01)) is None
    assert (kept(*readings), len(entries())) == ([False], 1)


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
    assert found() == []


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
    custody_hall.sealed(closed(evening))
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
    assert (Look.objects.count(), list(retention.unfinished(hall()))) == (2, [made])
    remarks.answer(evening, evening.who(Role.HALL_MANAGER))
    retention_services.finish(hall=hall(), at=after(95))
    assert (Look.objects.count(), list(retention.unfinished(hall()))) == (0, [])
    assert found() == []


def test_files_of_prints_are_removed_and_one_that_went_by_hand_is_named(evening: Evening) -> None:
    keep_for(evening, prints=7)
    first, second = order(evening), order(evening, first=7, last=12, reason="Papel húmido")
    for job in (first, second):
        draws_tasks.print_cards(job_id=job.pk)
        job.refresh_from_db()
    assert found() == []
    print_queries.print_job_path(second).unlink()
    assert found() == ["print_missing"]
    drawn(evening)
    closed(evening)
    lived(evening, 12)
    made = remove(hall=hall(), at=after(11))
    assert made is not None
    assert made.entry.data["prints"] == [first.pk]
    assert (print_queries.print_job_path(first).exists(), found()) == (False, ["print_missing"])


@pytest.mark.rule(52)
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
    assert (print_queries.print_job_path(job).exists(), found()) == (False, [])


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
    assert (old.exists(), young.exists(), found()) == (False, True, [])


def test_journal_from_before_removals_had_lists_goes_on(evening: Evening) -> None:
    old = drawn(evening, 17, 44)
    closed(evening)
    lived(evening, 32)
    data = {"days": 30, "after": 0, "last": 1, "enrolments": [], "pictures": 2}
    with transaction.atomic():
        held = head.lock(evening.hall.pk)
        journal_services.append(held, Fact("pictures_forgotten", data), by=None, at=after(32))
    for reading in old:
        balls_queries.picture_path(reading.picture).unlink()
    assert (found(), forget(hall=hall(), at=after(33))) == ([], 0)
    [new] = drawn(evening, 5)
    last = closed(evening).number
    lived(evening, 32)
    assert forget(hall=hall(), at=after(66)) == 1
    [(first, until)] = entries()[0]["sessions"]
    assert (first, until >= last) == (2, True)
    assert (kept(new), found(), forgotten(hall())) == ([False], [], 3)


def test_very_many_pictures_are_removed_some_sessions_at_a_time(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention_queries, "MOST", 2)
    drawn(evening, 17, 44)
    closed(evening)
    drawn(evening, 5, 6)
    closed(evening)
    lived(evening, 34)
    assert [forget(hall=hall(), at=after(33)) for _turn in range(3)] == [2, 2, 0]
    assert [one["sessions"][0][0] for one in entries()] == [1, 2]
    assert found() == []


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
    assert found() == []


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
    assert found() == []


@pytest.mark.rule("BOE III")
def test_removal_of_admissions_that_lists_others_is_named(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorise(evening.hall, reference="2/2026", identity_asked=True)
    keep_for(evening, admissions=184)
    come_in(evening)
    drawn(evening)
    closed(evening)
    lived(evening, 190)
    with monkeypatch.context() as forged:
        forged.setattr(rules, "visits_end", lambda _text: 2)
        forged.setattr(retention_services, "finish", lambda **_asked: None)
        remove(hall=hall(), at=after(188))
        assert found() == ["removal_differs"]
