"""The door's page, for a desk or a telephone: in and out with one key each, who is refused and why."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from uuid import uuid5
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo.rules import admission as rules
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from draws.documents.admission_words import REASONS
from draws.queries.standing import Standing
from draws.views import identity
from draws.views.desk import Desk
from draws.views.order import Order
from halls.models import Hall, Person, Role
from halls.queries import admission as queries
from halls.queries import exclusions
from halls.services import admission
from halls.services.sessions import local_day

# What sends somebody away while they ask to come in, and the reason that is written down for it.
SENT_AWAY = {"hall_full": rules.FULL, "minor": rules.MINOR, "excluded": rules.EXCLUDED}
NOT_IN = gettext_lazy("Do not let them in")
KEY_AWAY = gettext_lazy("Nobody can be let in yet")


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Return how many are inside and may be, what the door counted today, and what it asks for."""
    hall, at = now.hall, timezone.now()
    asked = admission.identity_asked(hall, at)
    listed = exclusions.keeps_anybody_out(hall, on=local_day(hall, at))
    return (
        of_hall(hall)
        | identity.offered(hall)
        | {
            "identity_asked": asked,
            "count_only": not asked,
            "document_taken": asked or listed,
            "may_exclude": Role.HALL_MANAGER in person.roles,
            "least_age": rulebooks.get(now.hall.rulebook).least_age,
            "reasons": [(one, REASONS[one]) for one in rules.REASONS if one != rules.FULL],
        }
    )


def of_hall(hall: Hall) -> dict[str, Any]:
    """Return a hall's door as pages show it: since the session opened, or since midnight without one."""
    at = timezone.now()
    session = hall.sessions.filter(closed_at__isnull=True).first()
    zone = ZoneInfo(hall.time_zone)
    midnight = datetime.combine(at.astimezone(zone).date(), time.min, zone)
    day = queries.since(hall, min(session.opened_at, midnight) if session else midnight)
    return {
        "door": queries.doorway(hall, capacity=admission.capacity(hall, at)),
        "day": day,
        "refused": [(REASONS[reason], n) for reason, n in day.refused.items()],
    }


def admit(order: Order, _now: Standing) -> str:
    """Let one person in; whom the rules send away is written down."""
    born = order.day("born") if order.fields.get("born") else None
    document = identity.read(order)
    try:
        entry = admission.admit(hall=order.hall, born=born, document=document, **order.who)
    except Refusal as refusal:
        if refusal.code in SENT_AWAY:
            reason = SENT_AWAY[refusal.code]
            # A key of its own, the same whenever the order is sent again.
            who = order.who | {"key": uuid5(order.key, reason)}
            admission.refuse(hall=order.hall, reason=reason, **who)
        raise
    return _("In: %(inside)s inside") % {"inside": entry.data["inside"]}


def leave(order: Order, _now: Standing) -> str:
    """Let one person out."""
    entry = admission.leave(hall=order.hall, **order.who)
    return _("Out: %(inside)s inside") % {"inside": entry.data["inside"]}


def refuse(order: Order, _now: Standing) -> str:
    """Write down that somebody was sent away."""
    reason = order.choice("reason", rules.REASONS)
    admission.refuse(hall=order.hall, reason=reason, **order.who)
    return _("Noted: refused, %(reason)s") % {"reason": REASONS[reason]}


def count(order: Order, _now: Standing) -> str:
    """Set the count to how many were counted."""
    inside = order.integer("inside")
    admission.count(hall=order.hall, inside=inside, reason=order.text("reason"), **order.who)
    return _("Counted: %(inside)s inside") % {"inside": inside}


DESK = Desk(
    name="door",
    context=context,
    verbs={"admit": admit, "leave": leave, "refuse": refuse, "count": count},
    titles={
        **dict.fromkeys(SENT_AWAY, NOT_IN),
        **dict.fromkeys(("document_key_missing", "document_key_differs"), KEY_AWAY),
    },
)
