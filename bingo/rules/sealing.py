"""When sealing is tried again, and what the journal says of a seal beyond the ordinary."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

KEY_CHANGED = "seal_key_changed"
FIRST_KEY, PLAIN = 1, "B-B"
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=15), timedelta(minutes=15)


def wait(attempts: int) -> timedelta:
    """Give how long to wait after so many failures, twice as long after each; from 1."""
    doubled: int = 2 ** min(attempts - 1, 10)
    return min(FIRST_WAIT * doubled, LONGEST_WAIT)


def seldom(*, key: int, level: str) -> dict[str, Any]:
    """Give what an entry says of the key's version and the level, where it is not the first kind."""
    told: dict[str, Any] = {} if key == FIRST_KEY else {"key": key}
    return told if level == PLAIN else told | {"level": level}
