"""What the reader saw of a ball, told to the hall in the hall's units."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from bingo.rules.policies import SURE
from draws.models import Camera, Reading
from draws.services import readings
from draws.vision.values import Reading as Seen


def tell(
    *, camera: Camera, seen: Seen, seen_at: datetime, key: UUID, at_start: bool = False
) -> Reading:
    """Propose what the reader saw, as `readings.propose` takes it in, which says what it refuses."""
    return readings.propose(
        camera=camera,
        number=seen.number,
        confidence=_per_mille(seen.confidence),
        candidates=[(number, _per_mille(share)) for number, share in seen.candidates],
        runner_up=seen.runner_up,
        reason=seen.reason,
        picture=seen.picture,
        seen_at=seen_at,
        stream_at=round(seen.at * 1000),
        frame=seen.frame,
        key=key,
        at_start=at_start,
    )


def _per_mille(share: float) -> int:
    return min(SURE, max(0, round(share * SURE)))
