"""Pictures are forgotten when their days are over: counted once, by the rule, however often it runs."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from bingo.celery_app import app
from bingo.rules import retention as rules
from bingo.rules.game_flow import Fact
from draws import tasks as draws_tasks
from draws.balls import queries as balls_queries
from draws.record.audit import audit
from draws.record.audit.balls import forgotten
from draws.retention import queries as retention_queries
from draws.retention import services as retention_services
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Removal, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, see
from tests.support.removing import after, audit_codes, entries, forget, hall, kept, lived
from tests.support.session_closing import closed, drawn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder")]


@pytest.mark.slow
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
    assert (audit_codes(), forgotten(hall())) == ([], 3)


@pytest.mark.slow
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
    assert audit_codes() == []


@pytest.mark.slow
def test_picture_that_a_younger_session_names_too_stays(evening: Evening) -> None:
    [old] = drawn(evening, 17)
    closed(evening)
    lived(evening, 30)
    [again] = drawn(evening, 17)
    assert old.picture == again.picture
    assert forget(hall=hall(), at=after(31)) == 0
    assert (kept(old), entries()) == ([True], [])


@pytest.mark.slow
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
    assert (kept(*readings), audit_codes()) == ([False, True, True], [])
    assert forget(hall=hall(), at=after(32)) == 0
    assert (kept(*readings), len(entries()), audit_codes()) == ([False] * 3, 1, [])


@pytest.mark.slow
def test_files_that_went_before_it_was_written_down_are_written_down_as_ever(
    evening: Evening,
) -> None:
    readings = drawn(evening, 17, 44)
    closed(evening)
    lived(evening, 31)
    for reading in readings:
        balls_queries.picture_path(reading.picture).unlink()
    assert set(audit_codes()) == {"picture_missing"}
    assert (forget(hall=hall(), at=after(31)), audit_codes()) == (2, [])


@pytest.mark.slow
def test_missing_picture_that_no_rule_covers_is_named(evening: Evening) -> None:
    [old] = drawn(evening, 17)
    closed(evening)
    lived(evening, 30)
    [young] = drawn(evening, 44)
    forget(hall=hall(), at=after(31))
    assert audit_codes() == []
    balls_queries.picture_path(young.picture).unlink()
    told = audit(hall())
    assert [(one.code, one.detail) for one in told] == [("picture_missing", young.picture)]
    assert kept(old) == [False]


@pytest.mark.slow
def test_days_are_those_of_the_rule_in_force(evening: Evening) -> None:
    drawn(evening, 17)
    closed(evening)
    lived(evening, 31)
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, picture_days=60, **manager)
    assert forget(hall=hall(), at=after(31)) == 0
    set_policy(hall=evening.hall, picture_days=8, **manager)
    # Fewer days wait for a day, from the last moment that the hall has lived: 29 days from now.
    assert forget(hall=hall(), at=after(29.5)) == 0
    assert forget(hall=hall(), at=after(31)) == 1
    assert (entries()[0]["days"]["pictures"], audit_codes()) == (8, [])


@pytest.mark.slow
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


@pytest.mark.slow
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
    call_command("remove_expired", dry_run=True)
    assert "sala: Pictures of balls: 1 would be removed" in capsys.readouterr().out
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert (kept(*readings, *old), audit_codes()) == ([False] * 2, [])


@pytest.mark.slow
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


@pytest.mark.slow
def test_once_a_day_unless_something_was_left(evening: Evening) -> None:
    readings = drawn(evening, 17)
    closed(evening)
    lived(evening, 32)
    assert retention_services.nightly(hall=hall(), at=after(31)) is not None
    assert retention_services.nightly(hall=hall(), at=after(31.01)) is None
    assert (kept(*readings), len(entries())) == ([False], 1)


@pytest.mark.slow
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
    assert (audit_codes(), forget(hall=hall(), at=after(33))) == ([], 0)
    [new] = drawn(evening, 5)
    last = closed(evening).number
    lived(evening, 32)
    assert forget(hall=hall(), at=after(66)) == 1
    [(first, until)] = entries()[0]["sessions"]
    assert (first, until >= last) == (2, True)
    assert (kept(new), audit_codes(), forgotten(hall())) == ([False], [], 3)


@pytest.mark.slow
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
    assert audit_codes() == []
