"""All that the cashier's page shows, put together from its parts."""

from __future__ import annotations

from typing import Any

from babel.numbers import get_currency_precision
from django.utils import timezone

from draws.queries.standing import Standing
from draws.views import setting_aside
from draws.views.table import suspending
from draws.views.till import (
    denominations,
    departures,
    floor,
    prizes,
    refunds,
    sale,
    seat,
    second,
    shift,
)
from halls.models import Person


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what the cashier sees."""
    policy = seat.policy(now)
    shown: dict[str, Any] = {
        "shift": seat.shift_of(person, now),
        "policy": policy,
        "places": get_currency_precision(now.hall.currency),
        "denominations": denominations.of(now.hall.currency),
    }
    if shown["shift"] is None:
        return shown | shift.closed_context(person, now)
    mine, people = shown["shift"], sale.sellers(now)
    shown["sellers"] = people
    return (
        shown
        | sale.context(now, mine)
        | second.context(person, now)
        | (suspending.shown(now, now.known, at=timezone.now()) if now.known else {})
        | floor.context(now, people)
        | departures.context(now)
        | prizes.context(now, mine)
        | setting_aside.shown(now)
        | refunds.context(now, mine, blind=policy.blind_count)
        | shift.open_context(now, mine, blind=policy.blind_count)
    )
