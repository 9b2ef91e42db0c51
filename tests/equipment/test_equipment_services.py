"""Balls, equipment and the check before a session are journalled, kept, and audited."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import sessions
from halls.equipment import ball_sets, check_before_session
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.models import (
    BallSet,
    Breakdown,
    CheckTick,
    Device,
    EquipmentCheck,
    Hall,
    JournalEntry,
    Role,
)
from tests.support.ball_sets import (
    SERIAL,
    ball_set,
    break_down,
    call_balls,
    checked,
    device,
    inspect,
    mend,
    own,
    put_away,
    replace_ball,
    retire_device,
    the_device,
    the_set,
    tick_all,
    use_set,
)
from tests.support.evening import APPROVAL, Evening, tonight
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def last() -> JournalEntry:
    """Return the newest entry."""
    return JournalEntry.objects.latest("number")


@pytest.mark.rule(20)
def test_history_of_a_set_holds_its_approvals_and_what_took_its_place() -> None:
    evening = Evening()
    own(ball_set, device, use_set)(evening)
    used = the_set(evening)
    approved = equipment_services.record_approval(
        of=used, **(APPROVAL | {"approval": "9/2026"}), **evening.who(Role.HALL_MANAGER)
    )
    another = ball_set(evening, evening.who(Role.HALL_MANAGER), serial="OUTRA-90")
    ball_sets.use(ball_set=another, **evening.who(Role.HALL_MANAGER))
    newest = equipment_queries.history(used)
    assert [entry.kind for entry in newest] == [
        "ball_set_used", "approval_recorded", "ball_set_used", "ball_set_registered",
    ]  # fmt: skip
    assert newest[0] == last()
    assert newest[1] == approved
    assert approved not in equipment_queries.history(another)


@pytest.mark.slow
@pytest.mark.rule(22)
def test_serial_is_registered_once_a_hall() -> None:
    evening, other = Evening(), Evening("outra")
    own(ball_set)(evening)
    with refuses(Refusal("ball_set_known", ball_set=SERIAL)):
        own(ball_set)(evening)
    own(ball_set)(other)
    assert [audit(hall) for hall in Hall.objects.all()] == [[], []]


@pytest.mark.slow
@pytest.mark.rule(25)
def test_set_put_in_use_replaces_the_one_of_its_format() -> None:
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    manager = evening.who(Role.HALL_MANAGER)
    ball_set(evening, manager, serial="B-0018")
    ball_set(evening, manager, serial="T-1", format=75, marks=())
    use_set(evening, manager, serial="T-1")
    use_set(evening, manager, serial="B-0018", extractor=None)
    data = {"ball_set": "B-0018", "extractor": None, "replaced": SERIAL}
    assert (last().kind, last().data) == ("ball_set_used", data)
    assert (the_set(evening).standing, the_set(evening).extractor) == ("kept", None)
    assert {one.serial for one in BallSet.objects.filter(standing="in_use")} == {"B-0018", "T-1"}
    assert audit(Hall.objects.get()) == []


def test_set_is_not_used_in_equipment_of_another_hall_or_retired_or_of_another_kind() -> None:
    evening, other = Evening(), Evening("outra")
    own(device, ball_set)(evening)
    own(device)(other)
    manager = evening.who(Role.HALL_MANAGER)
    device(evening, manager, name="Câmara", kind="camera")
    with refuses("unknown_device"):
        ball_sets.use(ball_set=the_set(evening), extractor=the_device(other), **manager)
    with refuses(Refusal("not_an_extractor", equipment="Câmara")):
        use_set(evening, manager, extractor="Câmara")
    retire_device(evening, manager)
    with refuses("unknown_device"):
        use_set(evening, manager)


def test_retired_set_is_left_alone() -> None:
    evening = Evening()
    own(ball_set, put_away(ball_sets.retire))(evening)
    manager = evening.who(Role.HALL_MANAGER)
    for act in (put_away(ball_sets.retire), replace_ball, inspect, call_balls):
        with refuses(Refusal("ball_set_retired", ball_set=SERIAL)):
            act(evening, manager)
    with refuses("ball_set_not_in_use"):
        put_away(ball_sets.put_on_shelf)(evening, manager)


@pytest.mark.rule(23)
def test_roll_call_is_journalled_with_what_is_missing() -> None:
    evening = Evening().reach("session")
    own(ball_set, call_balls)(evening)
    entry = last()
    assert (entry.kind, entry.session) == ("balls_called", evening.session)
    assert (entry.data["missing"], entry.data["foreign"]) == ([90], [91])
    assert list(equipment_queries.roll_calls(evening.hall)) == [entry]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_equipment_in_use_or_broken_is_not_retired() -> None:
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    manager = evening.who(Role.HALL_MANAGER)
    with refuses("device_in_use"):
        retire_device(evening, manager)
    own(put_away(ball_sets.put_on_shelf), break_down)(evening)
    for act in (retire_device, break_down):
        with refuses("breakdown_goes_on"):
            act(evening, manager)
    own(mend, retire_device)(evening)
    with refuses("breakdown_over"):
        mend(evening, manager)
    assert Device.objects.get().retired_at == last().at
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(61)
def test_breakdown_is_kept_from_beginning_to_end() -> None:
    evening = Evening().reach("prepared")
    own(device, break_down)(evening)
    opened = last()
    assert (opened.session, opened.game) == (evening.session, 1)
    own(mend)(evening)
    row = Breakdown.objects.get()
    assert (row.entry, row.opened_at, row.ended_at) == (opened, opened.at, last().at)
    assert last().data == {
        "equipment": "Bombo 1", "breakdown": opened.number, "remedy": "Correia nova",
    }  # fmt: skip


@pytest.mark.rule(32)
@pytest.mark.slow
def test_session_opens_on_a_check_that_found_nothing_wrong() -> None:
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    with refuses("equipment_not_checked"):
        sessions.open_session(hall=evening.hall, checked=False, ends_at=tonight(), **manager)
    checked(evening, failed="camera")
    for word in (False, True):
        with refuses("equipment_fails"):
            sessions.open_session(hall=evening.hall, checked=word, ends_at=tonight(), **manager)
    checked(evening)
    sessions.open_session(
        hall=evening.hall, checked=False, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    assert evening.session.state["terms"]["checked"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(32)
def test_check_of_the_last_session_or_of_yesterday_does_not_open_the_next() -> None:
    evening = Evening()
    checked(evening)
    who = evening.who(Role.HALL_MANAGER)
    tomorrow = who["at"] + timedelta(days=1)
    assert check_before_session.checked(evening.hall, at=who["at"]).stands
    assert not check_before_session.checked(evening.hall, at=tomorrow).stands
    sessions.open_session(hall=evening.hall, checked=False, ends_at=tonight(), **who)
    evening.close()
    with refuses("equipment_not_checked"):
        sessions.open_session(
            hall=evening.hall, checked=False, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
        )
    sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )


@pytest.mark.rule(32)
def test_check_is_complete_only_when_every_item_was_looked_at() -> None:
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    due = check_before_session.due(evening.hall)
    assert due[0] == ("pneumatic", "Bombo 1")
    assert due[-1] == ("ball_set", SERIAL)
    assert ("extractor", "") not in due
    manager = evening.who(Role.HALL_MANAGER)
    with refuses(Refusal("check_not_complete", left=len(due))):
        equipment_services.finish_check(hall=evening.hall, **manager)
    tick_all(evening)
    found = equipment_services.finish_check(hall=evening.hall, **evening.who(Role.HALL_MANAGER))
    assert [(one["kind"], one["name"]) for one in found.items] == due
    assert (found.passed, CheckTick.objects.count()) == (True, 0)


def test_item_is_looked_at_again_and_what_fails_says_why() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    camera: dict[str, Any] = {"hall": evening.hall, "kind": "camera", "name": ""}
    with refuses("reason_missing"):
        equipment_services.tick(**camera, ok=False, **who)
    with refuses("unknown_item"):
        equipment_services.tick(**(camera | {"kind": "piano"}), ok=True, **who)
    with refuses("not_allowed"):
        equipment_services.tick(**camera, ok=True, by=evening.person(Role.CALLER), at=who["at"])
    equipment_services.tick(**camera, ok=False, note="Sem imagem", **who)
    equipment_services.tick(**camera, ok=True, **who)
    tick = CheckTick.objects.get()
    assert (tick.ok, tick.note) == (True, "")
    assert EquipmentCheck.objects.count() == 0


def test_item_registered_since_is_due_too() -> None:
    evening = Evening()
    tick_all(evening)
    own(device)(evening)
    with refuses(Refusal("check_not_complete", left=1)):
        equipment_services.finish_check(hall=evening.hall, **evening.who(Role.HALL_MANAGER))


def test_register_of_a_name_taken_is_refused() -> None:
    evening = Evening()
    own(device)(evening)
    with refuses("device_known"):
        own(device)(evening)
    with refuses("unknown_device"):
        equipment_services.register_device(
            hall=evening.hall, name="X", kind="piano", **evening.who(Role.HALL_MANAGER)
        )
    assert timezone.now() > Device.objects.get().registered_at
