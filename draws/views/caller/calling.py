"""The draw that another caller calls: told on this console, and taken over with one key."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.calling import DRAWN
from bingo.rules.state import GameState
from draws.queries.calling import calling
from draws.queries.standing import Standing
from draws.services import calling as services
from draws.views.meant import game_of
from draws.views.order import Order
from halls.models import Person


def take_over(order: Order, _now: Standing) -> str:
    """Go on with the draw in place of whoever calls it."""
    services.take_over(game=game_of(order), caller=order.text("caller"), **order.who)
    return _("You call this draw now")


def shown(person: Person, now: Standing, known: GameState) -> dict[str, Any]:
    """Give who else calls the draw, and whether it was taken over from this person."""
    if now.game is None or known.phase not in DRAWN:
        return {}
    found = calling(now.game)
    if found is None or found.by.pk == person.pk:
        return {}
    return {"other": found, "lost": found.after == person.username}
