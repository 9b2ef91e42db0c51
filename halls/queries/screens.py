"""What the hall's wall screens are set to, and which of them are there."""

from __future__ import annotations

import zlib
from datetime import datetime

from halls.models import Hall, WallPicture, WallScreen
from halls.models.screen import GONE


def mark(hall_code: str) -> int:
    """Give a number that changes with any screen's setting; 0 while none was set."""
    rows = (
        WallScreen.objects.filter(hall__code=hall_code)
        .exclude(name="", pointed_until=None)
        .order_by("pk")
        .values_list("pk", "name", "role", "pointed_until")
    )
    told = "\n".join(repr(row) for row in [*rows, *pictures(hall_code)])
    return zlib.crc32(told.encode()) or 1 if told else 0


def pictures(hall_code: str) -> list[str]:
    """Give the SHA-256 of the hall's own pictures, the first added first."""
    found = WallPicture.objects.filter(hall__code=hall_code)
    return list(found.order_by("pk").values_list("digest", flat=True))


def listed(hall: Hall) -> list[WallScreen]:
    """Give the hall's screens, those that wait for a name first."""
    return list(WallScreen.objects.filter(hall=hall).order_by("name", "code"))


def is_connected(screen: WallScreen, *, at: datetime) -> bool:
    """Tell whether a screen has given a sign of life a moment ago."""
    return at - screen.seen_at <= GONE
