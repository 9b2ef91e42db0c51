"""The tills of the hall: one more, one out of use, one taken back."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import tills as rules
from bingo.rules.halls import MOST_TILLS
from draws.documents import facts
from draws.views import listing
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import JournalEntry
from halls.queries import tills as queries
from halls.services import till_list


def add(order: Order, _asked: Asked) -> Done:
    """Add a till."""
    return _changed(order, rules.ADDED, _("%(till)s is added: a cashier can open it"))


def retire(order: Order, _asked: Asked) -> Done:
    """Take a till out of use."""
    return _changed(order, rules.RETIRED, _("%(till)s is out of use, and stays in the record"))


def restore(order: Order, _asked: Asked) -> Done:
    """Take a till back into use."""
    return _changed(order, rules.RESTORED, _("%(till)s is in use again"))


def _changed(order: Order, change: str, told: str) -> Done:
    made = till_list.change_tills(
        hall=order.hall, change=change, till=order.text("till"), **order.who
    )
    return Done(told % {"till": made.name}, reverse("tills"))


def context(asked: Asked) -> Context:
    """Give every till, those in use first, and what was changed before."""
    found = JournalEntry.objects.filter(hall=asked.hall, kind=rules.CHANGED)
    history = listing.listed(
        found.select_related("by", "hall").order_by("-number"), columns=(), query=asked.query
    )
    known = queries.known(asked.hall)
    in_use = sum(one.in_use for one in known.values())
    return {
        "tills": sorted(known.items(), key=lambda each: (not each[1].in_use, each[0])),
        "may_add": in_use < MOST_TILLS,
        "alone": in_use == 1,
        "most": MOST_TILLS,
        "history": [(one, facts.told(one)) for one in history.page],
        "listing": history,
    }


PAGE = Page(
    "tills", "tills/", "tills.html", context, {"add": add, "retire": retire, "restore": restore}
)
