"""Whether cards that the hall keeps may be destroyed today (R52)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from draws.queries import custody_shelf
from draws.queries.standing import Standing


def shown(now: Standing, *, at: datetime) -> dict[str, Any]:
    """Count them; while a game is played there is other work, and the page is made at every ball."""
    if now.state is not None and now.state.playing:
        return {}
    return {"to_destroy": custody_shelf.due_today(now.hall, at=at)}
