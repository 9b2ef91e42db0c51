"""The hall that a jackpot's money is moved to: any of the same money and rule book (rule 23)."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from bingo.rules.refusal import Refusal
from draws.views.order import Order
from halls.models import Hall


def halls(hall: Hall) -> QuerySet[Hall]:
    """Give the halls that this one's jackpot may be moved to, itself among them."""
    same = Hall.objects.filter(currency=hall.currency, rulebook=hall.rulebook)
    there = Q(pk=hall.pk) if hall.is_training else Q(trains=None)
    return same.filter(there).order_by("name")


def hall(order: Order) -> Hall:
    """Give the hall that was chosen. Raises Refusal bad_input."""
    found = halls(order.hall).filter(code=order.text("to")).first()
    if found is None:
        raise Refusal("bad_input", field="to", wanted="choice")
    return found
