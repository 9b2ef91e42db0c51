"""A game held by a fault before its first ball: suspended, its fifteen minutes, resumed (R55)."""

from __future__ import annotations

from datetime import datetime
from math import ceil
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.state import GameState, Phase
from bingo.rules.steps.suspending import PATIENCE
from draws.queries.standing import Standing, suspension
from draws.services import suspensions
from draws.views.meant import game_of
from draws.views.order import Order

BEFORE_THE_FIRST = (Phase.SELLING, Phase.CLOSED, Phase.DRAWING)


def suspend(order: Order, _now: Standing) -> str:
    """Hold the game until the fault is mended."""
    suspensions.suspend(game=game_of(order), reason=order.text("reason"), **order.who)
    return _("The game is suspended: mend the fault within 15 minutes")


def resume_game(order: Order, _now: Standing) -> str:
    """Go on with the game that was held."""
    suspensions.resume(game=game_of(order), decision=order.text("decision"), **order.who)
    return _("The game goes on")


def shown(now: Standing, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Give whether the game may be held, and of a held one what is left of its time, in seconds."""
    held = suspension(now)
    if held is None:
        return {"may_suspend": known.phase in BEFORE_THE_FIRST and not known.extracted}
    left = max(0, ceil(PATIENCE - max(0.0, (at - held.at).total_seconds())))
    return {
        "held": held,
        "held_left": left,
        "held_clock": f"{left // 60}:{left % 60:02}",
        "overdue": left == 0,
    }
