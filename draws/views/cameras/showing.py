"""Balls shown to a camera one by one, each named with one key; in the end measured, or called."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.rules.refusal import Refusal
from draws.documents import camera_words, draw_words
from draws.models import Certificate, Enrolment
from draws.queries import certificates
from draws.queries import enrolments as queries
from draws.queries.certificates import Held
from draws.services import certifying, enrolments
from draws.views.cameras import meant
from draws.views.cameras.roles import READERS, SHOWERS
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import JournalEntry
from halls.queries import equipment

POSES = 3  # pictures of a ball that are enough to be sure of it


def name(order: Order, asked: Asked) -> Done:
    """Say which ball it is: the number typed, or the one proposed where none is."""
    showing = meant.showing_of(asked)
    if not order.fields.get("stay"):
        return Done("", _here(asked))
    typed = order.optional_integer("number")
    number = typed if typed is not None else order.optional_integer("guess")
    if number is None:
        raise Refusal("bad_input", field="number", wanted="whole")
    enrolments.name(enrolment=showing, stay=order.integer("stay"), number=number, by=order.person)
    return Done("", _here(asked))


def dismiss(order: Order, asked: Asked) -> Done:
    """Throw the pictures of something that was no ball out."""
    stay = order.integer("stay")
    enrolments.dismiss(enrolment=meant.showing_of(asked), stay=stay, by=order.person)
    return Done("", _here(asked))


def give_up(order: Order, asked: Asked) -> Done:
    """End it without a result."""
    showing = meant.showing_of(asked)
    enrolments.give_up(enrolment=showing, by=order.person, at=order.at)
    told = _("Given up: nothing was written down")
    return Done(told, reverse("cameras-one", args=[showing.camera_id]), warning=True)


def certify(order: Order, asked: Asked) -> Done:
    """Measure the reader on what was shown, and write it down."""
    certifying.finish(enrolment=meant.showing_of(asked), **order.who)
    return Done(_("The set is enrolled and the reader measured"), _here(asked))


def call(order: Order, asked: Asked) -> Done:
    """End the roll call (R23)."""
    showing = meant.showing_of(asked)
    progress = queries.progress(showing)
    entry = enrolments.call(enrolment=showing, **order.who)
    agreeing = ngettext(
        "The reader was sure of %(right)s of %(n)s ball.",
        "The reader was sure of %(right)s of %(n)s balls.",
        progress.named,
    ) % {"right": progress.agreeing, "n": progress.named}
    if entry.data["missing"] or entry.data["foreign"]:
        told = _("The roll call is noted: look for what is amiss")
        return Done(f"{told}. {agreeing}", _here(asked), warning=True)
    told = _("The roll call is noted: every ball is there")
    return Done(f"{told}. {agreeing}", _here(asked))


def _here(asked: Asked) -> str:
    return reverse("cameras-showing", args=[asked.place["enrolment"]])


def context(asked: Asked) -> Context:
    """Give how far it has come, the ball that waits for its name, and the result once there is one."""
    showing = meant.showing_of(asked)
    progress = queries.progress(showing)
    waits = progress.waiting[0] if progress.waiting else None
    calls = queries.is_roll_call(showing)
    code = queries.trouble(showing, at=timezone.now())
    return {
        "showing": showing,
        "progress": progress,
        "waits": waits,
        "behind": max(0, len(progress.waiting) - 1),
        "doubt": draw_words.reason(waits.reason) if waits and waits.reason else "",
        "whole": len(progress.counts),
        "next": next(iter(progress.missing), None),
        "calls": calls,
        "poses": POSES,
        "purpose": camera_words.PURPOSES[showing.purpose],
        "trouble": camera_words.trouble(code) if code and not showing.ended_at else "",
        "held": _held(showing),
        "called": _called(asked, showing.ended_at) if calls and showing.ended_at else None,
    }


def _held(showing: Enrolment) -> Held | None:
    found = Certificate.objects.filter(enrolment=showing).first()
    return certificates.held(found) if found else None


def _called(asked: Asked, at: datetime) -> JournalEntry | None:
    return equipment.roll_calls(asked.hall).filter(at=at).first()


PAGE = Page(
    "cameras-showing",
    "cameras/shown/<int:enrolment>/",
    "cameras/showing.html",
    context,
    {"name": name, "dismiss": dismiss, "give-up": give_up, "certify": certify, "call": call},
    readers=READERS,
    writers=SHOWERS,
)
