"""What the regulator has granted a hall, as it holds on a day."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Q

from halls.models import Authorisation, Hall


def granted(hall: Hall, at: datetime) -> Authorisation | None:
    """Return the hall's latest authorisation valid on its own day (R17), None without one."""
    day = at.astimezone(ZoneInfo(hall.time_zone)).date()
    valid = Q(valid_from__lte=day) & (Q(valid_until__isnull=True) | Q(valid_until__gte=day))
    return hall.authorisations.filter(valid).order_by("-valid_from", "-pk").first()
