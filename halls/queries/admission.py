"""How a hall's door stands: how many are inside and may be, and what became of those who came."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from bingo.rules import admission as rules
from bingo.rules.admission import Doorway
from halls.models import Admission, Hall


@dataclass(frozen=True, slots=True)
class Day:
    """What the door counted since a moment: who came and left, the most inside, refusals by reason."""

    admitted: int
    left: int
    most: int
    refused: dict[str, int]


def last(hall: Hall) -> Admission | None:
    """Return the newest thing that happened at a hall's door."""
    return Admission.objects.filter(hall=hall).order_by("-number").first()


def inside(hall: Hall) -> int:
    """Return how many people are inside."""
    newest = last(hall)
    return newest.inside if newest else 0


def doorway(hall: Hall, *, capacity: int | None) -> Doorway:
    """Return a hall's door as the rules know it."""
    return Doorway(inside(hall), capacity)


def since(hall: Hall, begins: datetime) -> Day:
    """Return what the door counted from a moment on."""
    rows = Admission.objects.filter(hall=hall, at__gte=begins)
    kinds = Counter(dict(rows.order_by().values_list("kind").annotate(n=Count("pk"))))
    refused = rows.filter(kind=rules.REFUSED).order_by("reason").values_list("reason")
    return Day(
        admitted=kinds[rules.ADMITTED],
        left=kinds[rules.LEFT],
        most=rows.aggregate(most=Max("inside"))["most"] or 0,
        refused=dict(refused.annotate(n=Count("pk"))),
    )
