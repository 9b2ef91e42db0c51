"""The commands of devices, ball sets and their checks."""

from __future__ import annotations

from typing import Any

from halls.equipment import approvals_and_roll_calls_due, ball_sets
from halls.equipment import services as equipment_services
from halls.models import JournalEntry, Role
from tests.support.ball_sets import (
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
    tick_all,
    use_set,
    waive,
)
from tests.support.evening import APPROVAL, Evening
from tests.support.service_commands.command import CALLER, CHIEF, MANAGER, Command


def without_a_set(
    evening: Evening, who: dict[str, Any], *, reason: str = "Na alfândega"
) -> JournalEntry:
    """Let the session's games be drawn from no registered set, by two persons."""
    chief = evening.person(Role.TABLE_CHIEF)
    return approvals_and_roll_calls_due.leave_out(
        session=evening.session, duty="ball_set", subject="90", reason=reason, witness=chief, **who
    )


def approve(evening: Evening, who: dict[str, Any], **changed: Any) -> JournalEntry:
    """Record the approval of the extractor."""
    machine = evening.hall.devices.get()
    return equipment_services.record_approval(of=machine, **(APPROVAL | changed), **who)


COMMANDS = (
    Command(
        "device_registered", MANAGER, "none", device, lambda e, w: device(e, w, name="Bombo 2")
    ),
    Command(
        "device_retired", MANAGER, "none", retire_device,
        lambda e, w: retire_device(e, w, reason="Vendido"), prepare=own(device),
    ),
    Command(
        "ball_set_registered", MANAGER, "none", ball_set, lambda e, w: ball_set(e, w, games=1)
    ),
    Command(
        "ball_set_used", CHIEF, "none", use_set, lambda e, w: use_set(e, w, extractor=None),
        prepare=own(device, ball_set),
    ),
    Command(
        "ball_set_kept", CHIEF, "none", put_away(ball_sets.put_on_shelf),
        put_away(ball_sets.put_on_shelf, reason="X"), prepare=own(device, ball_set, use_set),
    ),
    Command(
        "ball_set_retired", MANAGER, "none", put_away(ball_sets.retire),
        put_away(ball_sets.retire, reason="X"), prepare=own(device, ball_set, use_set),
    ),
    Command(
        "ball_replaced", CHIEF, "none", replace_ball, lambda e, w: replace_ball(e, w, number=8),
        prepare=own(ball_set),
    ),
    Command(
        "ball_set_inspected", CHIEF, "none", inspect, lambda e, w: inspect(e, w, note="X"),
        prepare=own(ball_set),
    ),
    Command(
        "balls_called", CALLER, "none", call_balls, lambda e, w: call_balls(e, w, when="closing"),
        prepare=own(ball_set),
    ),
    Command(
        "equipment_checked", MANAGER, "none",
        lambda e, w: equipment_services.finish_check(hall=e.hall, **w), prepare=tick_all,
    ),
    Command(
        "equipment_waived", MANAGER, "none", waive, lambda e, w: waive(e, w, reason="X"),
        prepare=lambda e: checked(e, failed="sound"),
    ),
    Command(
        "duty_left_out", MANAGER, "session", without_a_set,
        lambda e, w: without_a_set(e, w, reason="X"),
    ),
    Command(
        "approval_recorded", MANAGER, "none", approve,
        lambda e, w: approve(e, w, authority="X"), prepare=own(device),
    ),
    Command(
        "breakdown_opened", CHIEF, "none", break_down, lambda e, w: break_down(e, w, reason="X"),
        prepare=own(device),
    ),
    Command(
        "breakdown_ended", CHIEF, "none", mend, lambda e, w: mend(e, w, remedy="X"),
        prepare=own(device, break_down),
    ),
)  # fmt: skip
