"""The hall manager's page: open and close the session, bring cash, count what others left."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo import amounts
from bingo.rules.refusal import Refusal
from bingo.rules.session import SessionState
from draws.documents import words
from draws.queries import stock
from draws.queries.standing import Standing
from draws.views import table
from draws.views.desk import Desk
from draws.views.order import Order
from halls.models import Person, Session, Shift
from halls.queries.sessions import the_open_session
from halls.services import sessions, tills

SHOWN = 20  # issues beside the orders; the rest is in the stock


def open_session(order: Order, _now: Standing) -> str:
    """Open a session once the equipment has been checked."""
    opened = sessions.open_session(hall=order.hall, checked=order.ticked("checked"), **order.who)
    return _("Session %(number)s is open") % {"number": opened.number}


def close_session(order: Order, _now: Standing) -> str:
    """Close the session; the acta is sealed within moments."""
    closed = sessions.close_session(session=the_open_session(order.hall), **order.who)
    return _("Session %(number)s is closed: its acta is being sealed") % {"number": closed.number}


def _shift(order: Order) -> Shift:
    found = Shift.objects.filter(session=the_open_session(order.hall), pk=order.integer("shift"))
    shift = found.select_related("till", "session__hall").first()
    if shift is None:
        raise Refusal("shift_not_open", till="")
    return shift


def close_shift(order: Order, _now: Standing) -> str:
    """Count a till whose cashier has gone."""
    shift = _shift(order)
    counted = order.amount("counted")
    tills.close_shift(shift=shift, counted=counted, comment=order.text("comment"), **order.who)
    return _("%(till)s is closed") % {"till": shift.till.name}


def move_cash(order: Order, _now: Standing) -> str:
    """Bring cash to a till, or take it to the safe."""
    shift = _shift(order)
    amount = order.amount("amount")
    signed = -amount if order.choice("direction", ("in", "out")) == "out" else amount
    tills.move_cash(shift=shift, amount=signed, reason=order.text("reason"), **order.who)
    moved = amounts.text(signed, currency=order.hall.currency, language=order.person.language)
    return f"{shift.till.name}: {moved}"


def context(_person: Person, now: Standing) -> dict[str, Any]:
    """Give what the hall manager sees."""
    last = (
        Session.objects.filter(hall=now.hall, closed_at__isnull=False).order_by("-number").first()
    )
    issues = list(stock.ready(now.hall)[: table.OFFERED])
    shown: dict[str, Any] = {
        "issues": issues,
        "shelf": issues[:SHOWN],
        "more_issues": len(issues) > SHOWN,
        "granted": now.session.authorisation if now.session else None,
        "categories": words.CATEGORIES,
        "last": last,
        "last_acta": getattr(last, "acta", None) if last else None,
    }
    if now.session is None or now.state is None:
        return shown
    shifts = (
        Shift.objects.filter(session=now.session)
        .select_related("till", "cashier")
        .order_by("number")
    )
    return shown | {
        "shifts": [(shift, _cash(now.state, shift)) for shift in shifts],
        "games": now.session.games.select_related("issue__series").order_by("-number"),
        "playing": now.state.playing,
    }


def _cash(state: SessionState, shift: Shift) -> int:
    return next((one.cash for one in state.shifts if one.shift == shift.number), 0)


DESK = Desk(
    name="manager",
    context=context,
    verbs={
        "open-session": open_session,
        "close-session": close_session,
        "open-game": table.open_game,
        "open-second": table.open_second,
        "move-cash": move_cash,
        "close-till": close_shift,
        "note": table.note,
    },
)
