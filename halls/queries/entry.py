"""A journal entry as the value that is exported and hashed (docs/journal.md)."""

from datetime import UTC
from typing import Any

from halls.models import JournalEntry


def as_value(entry: JournalEntry) -> dict[str, Any]:
    """Give the entry as the JSON value that is exported and hashed (docs/journal.md)."""
    return {
        "hall": entry.hall.code,
        "number": entry.number,
        "session": entry.session.number if entry.session else None,
        "game": entry.game,
        "kind": entry.kind,
        "data": entry.data,
        "at": entry.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")
        + "Z",
        "by": entry.by.username if entry.by else None,
    }
