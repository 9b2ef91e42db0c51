"""How each look is chained to the one before, so that one that is gone leaves a gap (decision 23)."""

from __future__ import annotations

from datetime import UTC, datetime

from bingo.rules import chain

START = chain.START  # before a hall's first


def digest(
    before: str, *, person: int, at: datetime, method: str, route: str, path: str, source: str
) -> str:
    """Give a look's SHA-256 over that of the one before and all that it says; `person` is a key."""
    told = {
        "person": person,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "method": method,
        "route": route,
        "path": path,
        "source": source,
    }
    return chain.digest(before, told)
