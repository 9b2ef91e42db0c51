"""Issues that other halls have sent and that wait to be taken in."""

from __future__ import annotations

from dataclasses import dataclass

from draws.models import Issue, Transfer
from draws.queries import shelf
from halls.models import Hall


@dataclass(frozen=True, slots=True)
class Arrival:
    """An issue on its way to a hall; `left` counts its unsold cards."""

    transfer: Transfer
    left: int


def waiting(hall: Hall) -> list[Arrival]:
    """Give what is on its way to a hall, the oldest first."""
    found = Transfer.objects.filter(to=hall, arrived__isnull=True, recalled_at__isnull=True)
    sent = Issue.objects.filter(pk__in=found.values("issue"))
    left = dict(shelf.counted(sent).values_list("pk", "left"))
    shown = found.select_related("issue__series", "issue__hall").order_by("pk")
    return [Arrival(one, left[one.issue_id]) for one in shown]
