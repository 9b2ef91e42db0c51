"""Cash brought to the tills and taken from them, and a till counted for whoever has gone."""

from __future__ import annotations

from django.utils.translation import gettext as _

from bingo import amounts
from bingo.rules.refusal import Refusal
from draws.queries.standing import Standing
from draws.views.order import Order
from draws.views.witnessed import witness_of
from halls.models import Shift
from halls.queries.sessions import the_open_session
from halls.services import tills


def close_shift(order: Order, _now: Standing) -> str:
    """Count a till whose cashier has gone."""
    shift, counted, comment = _shift(order), order.amount("counted"), order.text("comment")
    witness = witness_of(order, kind="shift_closed")
    tills.close_shift(shift=shift, counted=counted, comment=comment, witness=witness, **order.who)
    return _("%(till)s is closed") % {"till": shift.till.name}


def move_cash(order: Order, _now: Standing) -> str:
    """Bring cash to a till, or take it to the safe."""
    shift, amount, reason = _shift(order), order.amount("amount"), order.text("reason")
    signed = -amount if order.choice("direction", ("in", "out")) == "out" else amount
    witness = witness_of(order, kind="cash_moved")
    tills.move_cash(shift=shift, amount=signed, reason=reason, witness=witness, **order.who)
    moved = amounts.text(signed, currency=order.hall.currency, language=order.person.language)
    return f"{shift.till.name}: {moved}"


def _shift(order: Order) -> Shift:
    found = Shift.objects.filter(session=the_open_session(order.hall), pk=order.integer("shift"))
    shift = found.select_related("till", "session__hall").first()
    if shift is None:
        raise Refusal("shift_not_open", till="")
    return shift
