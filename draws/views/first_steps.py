"""From a new hall to its first session: what is done, what is next, and where."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.pdf.fault import SealError
from bingo.rules import staff
from bingo.rules.first_steps import Step, following
from bingo.rules.refusal import Refusal
from draws.documents import first_words, seal_words, staff_words
from draws.queries import first_steps as queries
from draws.queries import seals
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Hall, Role
from halls.queries.sessions import had_an_evening
from halls.queries.staff import members


def make_key(order: Order, _asked: Asked) -> Done:
    """Make the key that seals the hall's actas, where it has none. Raises Refusal seal_key_not_made."""
    try:
        seals.signing_key(order.hall, at=order.at)
    except SealError as error:
        raise Refusal("seal_key_not_made", why=str(seal_words.fault(error.code))) from error
    return Done(_("The key of the seal is made"), reverse("first-steps"))


def context(asked: Asked) -> Context:
    """Give every step, what is next, and how many are done."""
    hall = asked.hall
    found = queries.of(hall, at=timezone.now())
    after = following(found)
    return {
        "steps": [_row(hall, one, is_next=one == after) for one in found],
        "next": _row(hall, after, is_next=True) if after else None,
        "done": sum(one.done for one in found),
        "all": len(found),
    }


def progress(hall: Hall) -> Context:
    """Give what the manager's page shows of it: nothing once all is done, or the first evening over.

    In a session nobody is shown it: the page is asked for every second then.
    """
    if hall.is_training or had_an_evening(hall):
        return {}
    found = queries.of(hall, at=timezone.now())
    after = following(found)
    if after is None:
        return {}
    return {
        "first_steps": {
            "name": first_words.STEPS[after.name].name,
            "opens": after.name == "session",
            "done": sum(one.done for one in found),
            "all": len(found),
        }
    }


def _row(hall: Hall, step: Step, *, is_next: bool) -> dict[str, Any]:
    words = first_words.STEPS[step.name]
    address, leads = first_words.ELSEWHERE.get((step.name, step.why), (words.address, words.leads))
    return {
        "step": step,
        "words": words,
        "address": reverse(address) if address else "",
        "leads": leads,
        "said": first_words.FURTHER.get((step.name, step.why), ""),
        "told": _told(hall, step),
        "is_next": is_next,
    }


def _told(hall: Hall, step: Step) -> str:
    """Give what stands there now, where it can be said in a few words."""
    match step.name:
        case "hall":
            return f"{hall.name} · {hall.licence}"
        case "rulebook":
            return f"{hall.rulebook} · {hall.currency} · {hall.time_zone}"
        case "staff" if not step.done:
            lacking = staff_words.roles(staff.missing(members(hall)))
            return _("Still missing: %(roles)s") % {"roles": lacking}
    return ""


PAGE = Page(
    "first-steps",
    "first-steps/",
    "first_steps.html",
    context,
    {"make-key": make_key},
    readers=(Role.HALL_MANAGER,),
)
