"""A hall's perpetual totals, as its sessions carry them from one closing to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bingo.rules import totals
from bingo.rules.game import Fact
from bingo.rules.totals import Totals
from halls.models import Hall, JournalEntry, Session

Data = dict[str, Any]


def carried(hall: Hall) -> dict[str, Totals]:
    """Give the totals by currency as the last session that was closed left them."""
    closings = JournalEntry.objects.filter(hall=hall, kind="session_closed", data__has_key="totals")
    last = closings.order_by("number").last()
    told = last.data["totals"] if last else {}
    return {currency: totals.load(one) for currency, one in told.items()}


def of_session(session: Session) -> Totals:
    """Give what one session has come to until now."""
    return totals.of_session(_facts(session))


def closing(session: Session) -> Data:
    """Give the totals that a session's closing tells: those before it, and its own.

    A session closed before totals were told is counted from its journal once more.
    """
    earlier = Session.objects.filter(hall=session.hall_id, number__lt=session.number)
    closings = JournalEntry.objects.filter(
        hall=session.hall_id, kind="session_closed", session__in=earlier, data__has_key="totals"
    ).select_related("session")
    last = closings.order_by("number").last()
    told: Data = last.data["totals"] if last else {}
    untold = earlier.filter(number__gt=last.session.number) if last and last.session else earlier
    for one in [*untold.order_by("number"), session]:
        told = totals.carried(told, one.state["terms"]["currency"], of_session(one))
    return told


def _facts(session: Session) -> Iterator[Fact]:
    found = JournalEntry.objects.filter(session=session, kind__in=totals.COUNTED)
    rows = found.order_by("number").values_list("kind", "data")
    return (Fact(kind, data) for kind, data in rows.iterator(chunk_size=2_000))
