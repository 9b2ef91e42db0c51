"""What PostgreSQL itself refuses of balls and equipment, each by the constraint named here."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from halls.equipment import check_before_session
from halls.equipment import services as equipment_services
from halls.models import BallSet, Breakdown, CheckTick, Device, EquipmentCheck, JournalEntry, Role
from tests.support.ball_sets import ball_set, break_down, checked, device, own, use_set
from tests.support.evening import Evening
from tests.support.playing import again

pytestmark = pytest.mark.django_db

NEXT = {"serial": "X", "standing": "kept", "extractor": None}


@pytest.fixture
def owned() -> Evening:
    """A hall with equipment, a set in use, a check done, one begun, and a breakdown."""
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    checked(evening)
    kind, name = check_before_session.due(evening.hall)[0]
    who = evening.who(Role.HALL_MANAGER)
    equipment_services.tick(hall=evening.hall, kind=kind, name=name, ok=True, **who)
    own(break_down)(evening)
    return evening


def entry() -> JournalEntry:
    """Return an entry that no row hangs on yet."""
    return JournalEntry.objects.earliest("number")


@pytest.mark.parametrize(
    ("model", "changed", "constraint"),
    [
        (Device, {}, "device_name_once_a_hall"),
        (Device, {"name": "X", "kind": "piano"}, "device_kind_known"),
        (Device, {"name": "X", "approved_on": None}, "device_approval_whole_r4"),
        (Device, {"name": "X", "approved_until": date(2025, 1, 1)}, "device_approval_whole_r4"),
        (BallSet, {"standing": "kept", "extractor": None}, "ball_set_serial_once_a_hall_r22"),
        (BallSet, {"serial": "X"}, "one_ball_set_in_use_a_format"),
        (
            BallSet,
            {"serial": "X", "standing": "lost", "extractor": None},
            "ball_set_standing_known",
        ),
        (BallSet, {"serial": "X", "format": 89}, "ball_set_format_known"),
        (BallSet, {"serial": "X", "standing": "kept"}, "ball_set_in_an_extractor_is_in_use"),
        (BallSet, {"serial": "X", "standing": "kept", "extractor": None, "games": -1}, "games"),
        (BallSet, NEXT | {"approval": ""}, "ball_set_approval_whole_r20"),
        (BallSet, NEXT | {"authority": ""}, "ball_set_approval_whole_r20"),
        (BallSet, NEXT | {"approved_until": date(2025, 1, 1)}, "ball_set_approval_whole_r20"),
        (CheckTick, {}, "check_item_ticked_once"),
        (Breakdown, {}, "entry_id"),
        (EquipmentCheck, {}, "entry_id"),
    ],
)
def test_row_that_cannot_be_is_refused(
    owned: Evening, model: type[Model], changed: dict[str, Any], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        again(model._default_manager.get(), **changed)


def test_breakdown_goes_on_once_and_ends_with_its_remedy(owned: Evening) -> None:
    with pytest.raises(IntegrityError, match="one_open_breakdown_a_device"):
        again(Breakdown.objects.get(), entry=entry())
    with pytest.raises(IntegrityError, match="breakdown_ended_with_remedy"):
        again(Breakdown.objects.get(), entry=entry(), ended_at=timezone.now())
    again(Breakdown.objects.get(), entry=entry(), ended_at=timezone.now(), remedy="Correia")


@pytest.mark.slow
def test_rows_that_can_be_are_let_in(owned: Evening) -> None:
    again(Device.objects.get(), name="Bombo 2")
    again(BallSet.objects.get(), serial="X", standing="kept", extractor=None)
    again(BallSet.objects.get(serial="X"), serial="Y", format=75, standing="in_use")


def test_check_never_changes(owned: Evening) -> None:
    for change in (
        "UPDATE halls_equipmentcheck SET passed = false",
        "DELETE FROM halls_equipmentcheck",
    ):
        with (
            pytest.raises(DatabaseError, match=r"append-only|permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change)
