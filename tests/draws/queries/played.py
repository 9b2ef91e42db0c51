"""Evenings brought to their end by the services: what actas and records are read from."""

from __future__ import annotations

from django.db.models import Sum

from draws.services import games
from halls.models import CashMovement, Role, Session
from halls.services import sessions, tills
from tests.draws.services.commands import first_half, paid
from tests.draws.views.evening import FLOAT, STAGES, Evening


def completed(evening: Evening) -> Evening:
    """Play the game to its end and complete its entry."""
    evening.reach("paying")
    paid(evening)
    games.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return evening


def both_halves() -> Evening:
    """Play both games of double cards; card 1 wins both, and is paid after the second (R45)."""
    evening = Evening()
    first_half(evening)
    games.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    evening.stage = STAGES.index("closed")
    manager = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=2 * FLOAT, reason="cofre", **manager)
    return completed(evening)


def ended(evening: Evening) -> Session:
    """Count the till, close the session, and give it."""
    shift, session = evening.shift, evening.session
    cash = CashMovement.objects.filter(shift=shift).aggregate(n=Sum("amount"))["n"]
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    return Session.objects.select_related("hall", "opened_by", "closed_by").get(pk=session.pk)
