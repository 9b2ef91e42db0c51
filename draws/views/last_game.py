"""The last game and the planned end of a session, on the pages that tell and order them (R53)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import ending as rules
from bingo.rules.refusal import Refusal
from draws.queries.ending import last_game
from draws.queries.standing import Standing
from draws.views.order import Order
from halls.models import Hall
from halls.queries.sessions import the_open_session
from halls.services import endings

HOUR = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])")  # as a field of type time sends it


def announce(order: Order, _now: Standing) -> str:
    """Say that the last game has been announced aloud."""
    session = the_open_session(order.hall)
    entry = endings.announce_last_game(session=session, **order.who)
    return _("Game %(game)s is the last of this session") % {"game": entry.data["game"]}


def plan(order: Order, _now: Standing) -> str:
    """Plan when the session ends, or move it."""
    session, ends_at = the_open_session(order.hall), hour(order, "ends")
    reason = order.text("reason") if "reason" in order.fields else ""
    endings.plan(session=session, ends_at=ends_at, reason=reason, **order.who)
    zone = ZoneInfo(order.hall.time_zone)
    values = {"hour": f"{ends_at.astimezone(zone):%H:%M}"}
    return _("The session ends at %(hour)s") % values


def hour(order: Order, name: str) -> datetime:
    """Give the next moment at which the hall's clocks show the hour typed.

    Raises Refusal: bad_input, no_such_hour.
    """
    found = HOUR.fullmatch(order.text(name))
    if found is None:
        raise Refusal("bad_input", field=name, wanted="hour")
    return next_at(int(found[1]), int(found[2]), zone=ZoneInfo(order.hall.time_zone), now=order.at)


def next_at(hour: int, minute: int, *, zone: ZoneInfo, now: datetime) -> datetime:
    """Return the next moment at which clocks of a zone show an hour; of two, the earlier one.

    Raises Refusal no_such_hour where the clocks are put forward over it before it comes.
    """
    local = now.astimezone(zone)
    for day in (0, 1):
        date = local.date() + timedelta(days=day)
        for fold in (0, 1):
            typed = datetime(date.year, date.month, date.day, hour, minute, fold=fold, tzinfo=zone)
            # Two times of one zone are compared by their hours alone: not in the night of a change.
            moment = typed.astimezone(UTC)
            if moment <= now:
                continue
            if moment.astimezone(zone).hour != hour:
                raise Refusal("no_such_hour")
            return typed
    raise Refusal("no_such_hour")


def shown(now: Standing) -> dict[str, Any]:
    """Give how the session is to end, hours in the hall's own time."""
    ending = last_game(now, at=timezone.now())
    if ending is None:
        return {"ending": None}
    return {
        "ending": ending,
        "ends_at": _hour(now.hall, ending.ends_at),
        "last_from": _hour(now.hall, ending.due_at),
    }


def usual_end(hall: Hall) -> str:
    """Return the hour at which the hall's last session was planned to end, empty without one."""
    last = hall.sessions.order_by("-number").first()
    told = str(last.state["terms"].get("ends_at", "")) if last else ""
    return _hour(hall, rules.read(told)) if told else ""


def _hour(hall: Hall, moment: datetime) -> str:
    return f"{moment.astimezone(ZoneInfo(hall.time_zone)):%H:%M}"
