"""How a session ends: its till counted, then closed."""

from __future__ import annotations

from django.db.models import Sum

from halls import tills
from halls.models import CashMovement, Role, Session
from tests.support.evening import Evening


def ended(evening: Evening) -> Session:
    """Count the till, close the session, and return it."""
    shift, session = evening.shift, evening.session
    cash = CashMovement.objects.filter(shift=shift).aggregate(n=Sum("amount"))["n"]
    tills.close_shift(shift=shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    session = evening.close()
    return Session.objects.select_related("hall", "opened_by", "closed_by").get(pk=session.pk)
