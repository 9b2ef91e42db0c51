"""A clock that went back never puts the journal out of order."""

from datetime import UTC, datetime, timedelta

CLOCK_ANOMALY = "clock_anomaly"
TOLERANCE = timedelta(seconds=2)


def stamp(now: datetime, last: datetime | None) -> datetime:
    """Give the time to record: now in UTC, or the last entry's when the clock stands before it."""
    now = now.astimezone(UTC)
    return max(now, last) if last else now


def is_behind(now: datetime, last: datetime) -> bool:
    """Tell whether the clock went back by more than two seconds."""
    return now < last - TOLERANCE
