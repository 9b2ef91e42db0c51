"""How long a hall has lived through: the clock alone is not believed when something is to be destroyed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from halls.models import Hall

# More than so long from one moment to the next of a hall's sessions counts as so long: a clock
# that jumps ahead is seen once, a life of sessions is not.
LONGEST_GAP = timedelta(days=3)


def since(hall: Hall, *, days: int, at: datetime) -> datetime | None:
    """Give the moment since which a hall has lived so many days; None where it has not yet."""
    left, later = timedelta(days=days), at
    for moment in _moments(hall, at):
        gap = min(later - moment, LONGEST_GAP)
        if gap >= left:
            return later - left
        left, later = left - gap, moment
    return later - left if left <= LONGEST_GAP else None


def _moments(hall: Hall, at: datetime) -> Iterator[datetime]:
    """Give when the hall's sessions were closed and opened until then, the newest first."""
    held = hall.sessions.order_by("-number").values_list("closed_at", "opened_at")
    for session in held.iterator(chunk_size=100):
        yield from (moment for moment in session if moment is not None and moment <= at)
