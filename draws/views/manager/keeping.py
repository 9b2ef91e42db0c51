"""What waits between games: cards to be destroyed (R52), money owed (R44), faults of checkpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from draws.documents import checkpoint_words
from draws.queries import custody_shelf, unclaimed
from draws.queries.standing import Standing
from halls.queries import checkpoints


def shown(now: Standing, *, at: datetime) -> dict[str, Any]:
    """Count them, and tell what is owed and what keeps checkpoints from their places; while a game is played there is other work, and the page is made at every ball."""
    if now.state is not None and now.state.playing:
        return {}
    return {
        "to_destroy": custody_shelf.due_today(now.hall, at=at),
        "unclaimed": unclaimed.balance(now.hall).owed,
        "faults": [checkpoint_words.fault(one) for one in checkpoints.faults(now.hall)],
    }
