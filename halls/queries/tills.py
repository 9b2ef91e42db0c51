"""Which tills a hall has, and which are in use."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from bingo.rules import tills as rules
from halls.models import Hall, Shift


def known(hall: Hall) -> dict[str, rules.Till]:
    """Give all tills of a hall by name, those out of use too."""
    open_shift = Shift.objects.filter(till=OuterRef("pk"), closed_at__isnull=True)
    found = hall.tills.annotate(taken=Exists(open_shift)).order_by("name")
    return {one.name: rules.Till(one.in_use, one.taken) for one in found}
