"""One ball set: put in use, its balls called and replaced, inspected, retired; and all that happened to it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.equipment import EXTRACTORS, LONGEST_NAME, MOMENTS, Standing
from draws.documents import equipment_words, facts, words
from draws.queries import alarms, certificates
from draws.views import listing
from draws.views.equipment import meant
from draws.views.equipment.roles import READERS, WRITERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import BallSet, Role
from halls.queries import equipment
from halls.services import ball_sets
from halls.services.equipment import call_balls, record_approval


def use(order: Order, asked: Asked) -> Done:
    """Put the set in use."""
    found = meant.set_of(asked)
    ball_sets.use(ball_set=found, extractor=meant.extractor_of(order), **order.who)
    return _done(found, _("Ball set %(ball_set)s is in use") % {"ball_set": found})


def approve(order: Order, asked: Asked) -> Done:
    """Record the approval of the set's model (R20)."""
    found = meant.set_of(asked)
    record_approval(of=found, **meant.approval_of(order), **order.who)
    return _done(
        found, _("The approval of ball set %(ball_set)s is recorded") % {"ball_set": found}
    )


def keep(order: Order, asked: Asked) -> Done:
    """Take the set out of use."""
    found = meant.set_of(asked)
    ball_sets.keep(ball_set=found, reason=order.text("reason"), **order.who)
    return _done(found, _("Ball set %(ball_set)s is out of use") % {"ball_set": found})


def retire(order: Order, asked: Asked) -> Done:
    """Have done with the set."""
    order.require_sure()
    found = meant.set_of(asked)
    ball_sets.retire(ball_set=found, reason=order.text("reason"), **order.who)
    return _done(found, _("Ball set %(ball_set)s is retired") % {"ball_set": found})


def replace_ball(order: Order, asked: Asked) -> Done:
    """Replace one ball."""
    found, number = meant.set_of(asked), order.integer("number")
    ball_sets.replace_ball(
        ball_set=found,
        number=number,
        reason=order.text("reason"),
        old=order.text("old", longest=LONGEST_NAME),
        new=order.text("new", longest=LONGEST_NAME),
        **order.who,
    )
    return _done(found, _("Ball %(number)s is replaced") % {"number": number})


def inspect(order: Order, asked: Asked) -> Done:
    """Write down an inspection."""
    found = meant.set_of(asked)
    fit = order.choice("found", ("fit", "unfit")) == "fit"
    ball_sets.inspect(ball_set=found, fit=fit, note=order.text("note"), **order.who)
    if fit:
        return _done(found, _("The inspection is noted: the set is fit for use"))
    return _done(found, _("The inspection is noted: no game begins with this set"), warning=True)


def call(order: Order, asked: Asked) -> Done:
    """Write down a roll call made by hand (R23)."""
    found = meant.set_of(asked)
    missing = set(meant.numbers(order, "missing"))
    whole = formats.get(found.format).numbers
    entry = call_balls(
        ball_set=found,
        when=order.choice("when", MOMENTS),
        seen=[*(n for n in whole if n not in missing), *meant.numbers(order, "foreign")],
        **order.who,
    )
    if entry.data["missing"] or entry.data["foreign"]:
        return _done(found, _("The roll call is noted: look for what is amiss"), warning=True)
    return _done(found, _("The roll call is noted: every ball is there"))


def _done(found: BallSet, text: str, *, warning: bool = False) -> Done:
    return Done(text, reverse("equipment-set", args=[found.pk]), warning=warning)


def context(asked: Asked) -> Context:
    """Give the set, how worn and how fair it is, and its history."""
    found = meant.set_of(asked)
    history = listing.listed(equipment.history(found), columns=(), query=asked.query)
    return {
        "tab": "balls",
        "set": found,
        "wear": found.wear,
        "standing": equipment_words.STANDINGS[found.standing],
        "marks": equipment_words.numbers(found.marks),
        "extractors": equipment.devices(asked.hall).filter(kind__in=EXTRACTORS),
        "approved": found.is_approved(
            timezone.localdate(timezone.now(), ZoneInfo(asked.hall.time_zone))
        ),
        "moment": asked.query.get("when", "") if asked.query.get("when") in MOMENTS else "",
        "moments": equipment_words.MOMENTS.items(),
        "retired": found.standing == Standing.RETIRED,
        "in_use": found.standing == Standing.IN_USE,
        "history": [(one, words.kind(one.kind), facts.told(one)) for one in history.page],
        "listing": history,
        "fairness": alarms.weighed([found])[found.pk],
        "held_by": certificates.of_set(found),
        "may_register": Role.HALL_MANAGER in asked.person.roles,
        "longest": LONGEST_NAME,
    }


PAGE = Page(
    "equipment-set",
    "equipment/sets/<int:ball_set>/",
    "equipment/ball_set.html",
    context,
    {
        "use": use,
        "keep": keep,
        "approve": approve,
        "retire": retire,
        "replace-ball": replace_ball,
        "inspect": inspect,
        "call": call,
    },
    readers=READERS,
    writers=WRITERS,
)
