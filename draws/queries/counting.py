"""How the drawers of a session were counted: tries that did not agree, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from halls.models import JournalEntry, Session, Shift

COMMANDS = ("close", "close-till")  # how the pages of cashier and hall manager call it


@dataclass(frozen=True, slots=True)
class Count:
    """The counting of one shift: `tries` that did not agree; once closed, by whom and with what.

    `difference` in minor units; `unpaid` is the number of prizes handed on.
    """

    tries: int = 0
    by: str = ""
    witness: str = ""
    difference: int | None = None
    comment: str = ""
    unpaid: int = 0


def counts(session: Session, shifts: Iterable[Shift]) -> dict[int, Count]:
    """Give the counting of each shift by its number.

    A try names no till: it belongs to the next shift that the same person closed, or to the one
    that the person keeps open.
    """
    refused = Q(
        kind="command_refused",
        data__code="difference_needs_comment",
        data__command__in=COMMANDS,
    )
    entries = JournalEntry.objects.filter(
        refused | Q(kind="shift_closed"), hall=session.hall_id, session=session,
        kind__in=("command_refused", "shift_closed"),
    ).select_related("by").order_by("number")  # fmt: skip
    found: dict[int, Count] = {}
    tried: Counter[int | None] = Counter()
    for entry in entries:
        if entry.kind == "command_refused":
            tried[entry.by_id] += 1
        else:
            found[entry.data["shift"]] = _closed(entry, tries=tried.pop(entry.by_id, 0))
    for shift in shifts:
        if shift.closed_at is None:
            found[shift.number] = Count(tries=tried.pop(shift.cashier_id, 0))
    return found


def _closed(entry: JournalEntry, *, tries: int) -> Count:
    return Count(
        tries=tries,
        by=entry.by.name if entry.by else "",
        witness=str(entry.data.get("witness") or ""),
        difference=entry.data["difference"],
        comment=entry.data["comment"],
        unpaid=len(entry.data.get("unpaid") or ()),
    )
