"""Who is on a hall's staff, with what they may do."""

from __future__ import annotations

from bingo.rules.staff import Member
from halls.models import Hall, Shift


def members(hall: Hall) -> list[Member]:
    """Give everybody the hall knows, who left too, by their usernames."""
    open_shifts = Shift.objects.filter(session__hall=hall, closed_at__isnull=True)
    tills = dict(open_shifts.values_list("cashier_id", "till__name"))
    return [
        Member(
            username=one.username,
            name=one.name,
            roles=tuple(one.roles),
            active=one.is_active,
            open_shift=tills.get(one.pk, ""),
        )
        for one in hall.people.order_by("username")
    ]
