"""The second person of a ball drawn by hand: it is on the ball, or it is not (R55)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.state import GameState, Phase
from bingo.rules.steps.drawing import BY_HAND
from draws.documents import symbol_names
from draws.queries import readings
from draws.queries.standing import Standing
from draws.services import readings as services
from draws.views.meant import reading_of
from draws.views.order import Order
from halls.models import Person

DENIED = "not_on_ball"


def countersign(order: Order, now: Standing) -> str:
    """Confirm the ball that the caller keyed; it is announced."""
    ball = services.countersign(reading=reading_of(order), **order.who)
    called = symbol_names.ball(ball.number, of_symbols=now.known is not None and now.known.symbols)
    return _("Ball %(number)s is confirmed") % {"number": called}


def deny(order: Order, _now: Standing) -> str:
    """Say that the number keyed is not on the ball; it is not announced."""
    services.dismiss(reading=reading_of(order), reason=DENIED, **order.who)
    return _("Not announced: the caller keys the ball again")


def shown(person: Person, now: Standing, known: GameState) -> dict[str, Any]:
    """Give the ball that waits for somebody else than whoever keyed it."""
    if now.game is None or known.phase != Phase.DRAWING or known.suspended is not None:
        return {}
    first = readings.pending(now.game).first()
    asked = first is not None and first.source == BY_HAND and first.keyed_by_id != person.pk
    return {"to_confirm": first if asked else None}
