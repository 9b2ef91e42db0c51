"""The list of excluded persons: the hall manager adds to it and, with a second person, takes off it."""

from __future__ import annotations

from datetime import date

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import exclusions as rules
from bingo.rules.documents import SHOWN
from draws.documents.admission_words import EXCLUSIONS
from draws.views import identity, listing
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import Exclusion
from halls.queries import documents
from halls.queries import exclusions as queries
from halls.services import exclusions
from halls.services.sessions import local_day


def add(order: Order, _asked: Asked) -> Done:
    """Put the person of a document on the list."""
    made = exclusions.add(
        hall=order.hall,
        document=identity.required(order),
        reason=order.choice("exclusion_reason", rules.REASONS),
        begins=order.day("excluded_from"),
        ends=order.day("excluded_until") if order.fields.get("excluded_until") else None,
        **order.who,
    )
    told = _("Exclusion %(number)s is on the list: the door lets them in no more")
    return Done(told % {"number": made.number}, reverse("exclusions"))


def lift(order: Order, _asked: Asked) -> Done:
    """Take somebody off the list, before a second person."""
    number = order.integer("exclusion")
    witness = witness_of(order, kind=rules.LIFTED)
    exclusions.lift(
        hall=order.hall, number=number, reason=order.text("reason"), witness=witness, **order.who
    )
    told = _("Exclusion %(number)s is lifted") % {"number": number}
    return Done(told, reverse("exclusions"))


def context(asked: Asked) -> Context:
    """Return the list, the newest first, and what its forms offer."""
    hall = asked.hall
    today = local_day(hall, timezone.now())
    shown = listing.listed(queries.listed(hall), columns=(), query=asked.query)
    present = max(documents.fingerprints(hall), default=1)
    return identity.offered(hall) | {
        "rows": [(one, EXCLUSIONS[one.reason], _state(one, today)) for one in shown.page],
        "listing": shown,
        "reasons": list(EXCLUSIONS.items()),
        "today": today,
        "shown": f":{SHOWN}",
        "present_key": present,
    }


def _state(row: Exclusion, today: date) -> str:
    if hasattr(row, "lifted"):
        return "lifted"
    if row.ends is not None and row.ends < today:
        return "over"
    return "holds" if row.begins <= today else "later"


PAGE = Page("exclusions", "exclusions/", "exclusions.html", context, {"add": add, "lift": lift})
