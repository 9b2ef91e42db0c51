"""A signed head as papers show it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from draws.documents.checkpoint_values import CheckpointValues
from halls.models import Checkpoint


def values(checkpoint: Checkpoint, *, note: str) -> CheckpointValues:
    """Give what a paper says of a checkpoint; `note` is what was signed of its entry."""
    entry = checkpoint.entry
    hall = entry.hall
    return CheckpointValues(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number if entry.session else None,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        number=entry.number,
        digest=entry.digest,
        note=note,
    )
