"""The session opened and closed, and what the last one left."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from draws.documents import equipment_words
from draws.queries import rectifications
from draws.queries.counting import Count, counts
from draws.queries.standing import Standing
from draws.views.last_game import hour, usual_end
from draws.views.order import Order
from halls.models import Hall, Session, Shift
from halls.queries import checks, totals
from halls.queries.sessions import the_open_session
from halls.services import sessions


def open_session(order: Order, _now: Standing) -> str:
    """Open a session once the equipment has been checked, item by item where the rules ask for it."""
    checked = not _must_check(order.hall) and order.ticked("checked")
    if not order.fields.get("ends", "").strip():
        raise Refusal("session_end_missing")
    ends_at = hour(order, "ends")
    opened = sessions.open_session(hall=order.hall, checked=checked, ends_at=ends_at, **order.who)
    return _("Session %(number)s is open") % {"number": opened.number}


def close_session(order: Order, _now: Standing) -> str:
    """Close the session; the acta is sealed within moments."""
    closed = sessions.close_session(session=the_open_session(order.hall), **order.who)
    return _("Session %(number)s is closed: its acta is being sealed") % {"number": closed.number}


def _must_check(hall: Hall) -> bool:
    return bool(rulebooks.get(hall.rulebook).check_rule)


def shown(now: Standing) -> dict[str, Any]:
    """Give the terms of the open session; without one, the last with its acta and settlements."""
    if now.session is not None and now.state is not None:
        return {"granted": now.session.authorisation, "playing": now.state.playing}
    found = checks.checked(now.hall, at=timezone.now())
    check = {
        "check": found.check,
        "stands": found.stands,
        "must_check": _must_check(now.hall),
        "usual_end": usual_end(now.hall),
        "in_the_way": [
            (equipment_words.item(*one.item), one.why, equipment_words.note(one.note))
            for one in found.in_the_way
        ],
        "let_pass": [
            (equipment_words.item(*one.item), one.waived.data["reason"])
            for one in found.findings
            if one.waived is not None
        ],
    }
    closed = Session.objects.filter(hall=now.hall, closed_at__isnull=False)
    last = closed.select_related("acta").order_by("-number").first()
    if last is None:
        return check
    return check | {
        "last": last,
        "last_acta": getattr(last, "acta", None),
        "last_rectified": [
            (number, f"{last.number}/{number}")
            for number, _digest, _sealed_at in rectifications.files(last)
            if number
        ],
        "settled": _settled(last),
        "totals": totals.carried(now.hall).items(),
    }


def _settled(session: Session) -> list[tuple[Shift, Count]]:
    """Give the shifts of a session with how they were counted."""
    found = list(session.shifts.select_related("till", "cashier").order_by("number"))
    counted = counts(session, found)
    return [(shift, counted.get(shift.number, Count())) for shift in found]
