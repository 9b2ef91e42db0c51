"""How a session ends: its till counted, then closed."""

from __future__ import annotations

from django.db.models import Sum

from halls.models import CashMovement, Role, Session
from halls.services import sessions, tills
from tests.draws.views.evening import Evening


def ended(evening: Evening) -> Session:
    """Count the till, close the session, and give it."""
    shift, session = evening.shift, evening.session
    cash = CashMovement.objects.filter(shift=shift).aggregate(n=Sum("amount"))["n"]
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    return Session.objects.select_related("hall", "opened_by", "closed_by").get(pk=session.pk)
