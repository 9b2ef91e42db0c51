"""The list of excluded persons: whom it keeps out today, and all that ever stood on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import Q, QuerySet

from bingo.rules import exclusions as rules
from halls.models import Exclusion, Hall
from halls.queries.documents import Hashed


def listed(hall: Hall) -> QuerySet[Exclusion]:
    """Return every exclusion with how it ended, the newest first."""
    found = Exclusion.objects.filter(hall=hall).select_related("entry__by", "lifted__entry__by")
    return found.order_by("-number")


def of(hall: Hall, hashes: Iterable[Hashed]) -> list[rules.Exclusion]:
    """Return what the list has of one person, by the hashes of their document."""
    named = Q(pk__in=())
    for one in hashes:
        named |= Q(document=one.document, key=one.key)
    return [known(one) for one in listed(hall).filter(named)]


def known(row: Exclusion) -> rules.Exclusion:
    """Return an exclusion as the rules know it."""
    return rules.Exclusion(
        number=row.number,
        document=row.document,
        reason=row.reason,
        begins=row.begins,
        ends=row.ends,
        lifted=hasattr(row, "lifted"),
    )


def any_holds(found: Sequence[rules.Exclusion], *, on: date) -> bool:
    """Tell whether one of these keeps the person out on a day of the hall's."""
    return any(one.holds(on) for one in found)


def keeps_anybody_out(hall: Hall, *, on: date) -> bool:
    """Tell whether the list keeps anybody out on a day."""
    held = Exclusion.objects.filter(hall=hall, begins__lte=on, lifted__isnull=True)
    return held.filter(Q(ends__isnull=True) | Q(ends__gte=on)).exists()
