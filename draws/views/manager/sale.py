"""The sale as it goes: tills, sellers and games of the session, and how long the cards last."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bingo.rules.session import SessionState
from draws.queries.counting import Count, counts
from draws.queries.sale_live import sale_live
from halls.models import Session

HOUR = 3600
TOLD = 3 * HOUR  # seconds; what lasts longer need not be told


def shown(session: Session, state: SessionState, *, at: datetime) -> dict[str, Any]:
    """Give the session's sale `at` this moment."""
    sale = sale_live(session, state, at=at)
    counted = counts(session, [till.shift for till in sale.tills])
    lasts = sale.pace.lasts(at) if sale.pace else None
    return {
        "sale": sale,
        "tills": [(till, counted.get(till.shift.number, Count())) for till in sale.tills],
        "per_minute": round(sale.pace.per_minute) if sale.pace else None,
        "minutes_left": None if lasts is None else -(-lasts // 60),
        "lasts_long": lasts is not None and lasts > TOLD,
    }
