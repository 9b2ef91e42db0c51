"""The page of an enrolment: balls shown to a camera one by one, each named with one key.

In the end the set is measured, or called.
"""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole
from bingo.rules.refusal import Refusal
from draws.balls import camera_certificate, enrolment_queries, enrolments_and_roll_calls
from draws.balls import labels as balls_labels
from draws.balls.enrolment_queries import CertificateState
from draws.balls.views import cameras
from draws.balls.views.cameras import READERS, SHOWERS
from draws.models import Certificate, Enrolment
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.equipment import queries as equipment_queries
from halls.models import JournalEntry

POSES = 3  # pictures of a ball that are enough to be sure of it


def showing_name(order: CommandForm, asked: PageRequest) -> Success:
    """Say which ball it is: the number typed, or the one proposed where none is."""
    showing = cameras.showing_of(asked)
    if not order.fields.get("stay"):
        return Success("", _here(asked))
    typed = order.optional_integer("number")
    number = typed if typed is not None else order.optional_integer("guess")
    if number is None:
        raise Refusal("bad_input", field="number", wanted="whole")
    enrolments_and_roll_calls.name(
        enrolment=showing, stay=order.integer("stay"), number=number, by=order.person
    )
    return Success("", _here(asked))


def dismiss_showing(order: CommandForm, asked: PageRequest) -> Success:
    """Throw the pictures of something that was no ball out."""
    stay = order.integer("stay")
    enrolments_and_roll_calls.dismiss(
        enrolment=cameras.showing_of(asked), stay=stay, by=order.person
    )
    return Success("", _here(asked))


def give_up(order: CommandForm, asked: PageRequest) -> Success:
    """End it without a result."""
    showing = cameras.showing_of(asked)
    enrolments_and_roll_calls.give_up(enrolment=showing, by=order.person, at=order.at)
    told = _("Given up: nothing was written down")
    return Success(told, reverse("cameras-one", args=[showing.camera_id]), warning=True)


def certify(order: CommandForm, asked: PageRequest) -> Success:
    """Measure the reader on what was shown, and write it down."""
    made = enrolments_and_roll_calls.finish_certification(
        enrolment=cameras.showing_of(asked), **order.who
    )
    told, prints = _("The set is enrolled and the reader measured"), made.found["zeros"]
    if prints in (None, made.ball_set.zeros):
        return Success(told, _here(asked))
    amiss = camera_certificate.zeros_words(prints, registered=made.ball_set.zeros)
    return Success(f"{told}. {amiss}", _here(asked), warning=True)


def call_showing(order: CommandForm, asked: PageRequest) -> Success:
    """End the roll call (R23)."""
    showing = cameras.showing_of(asked)
    progress = enrolment_queries.progress(showing)
    entry = enrolments_and_roll_calls.call(enrolment=showing, **order.who)
    agreeing = ngettext(
        "The reader was sure of %(right)s of %(n)s ball.",
        "The reader was sure of %(right)s of %(n)s balls.",
        progress.named,
    ) % {"right": Whole(progress.agreeing), "n": Whole(progress.named)}
    if entry.data["missing"] or entry.data["foreign"]:
        told = _("The roll call is noted: look for what is amiss")
        return Success(f"{told}. {agreeing}", _here(asked), warning=True)
    told = _("The roll call is noted: every ball is there")
    return Success(f"{told}. {agreeing}", _here(asked))


def _here(asked: PageRequest) -> str:
    return reverse("cameras-showing", args=[asked.place["enrolment"]])


def showing_context(asked: PageRequest) -> Context:
    """Return how far it has come, the ball that waits for its name, and the result once there is one."""
    showing = cameras.showing_of(asked)
    progress = enrolment_queries.progress(showing)
    waits = progress.waiting[0] if progress.waiting else None
    calls = enrolment_queries.is_roll_call(showing)
    code = enrolment_queries.trouble(showing, at=timezone.now())
    return {
        "showing": showing,
        "progress": progress,
        "waits": waits,
        "behind": max(0, len(progress.waiting) - 1),
        "doubt": balls_labels.draw_reason(waits.reason) if waits and waits.reason else "",
        "whole": len(progress.counts),
        "next": next(iter(progress.missing), None),
        "calls": calls,
        "poses": POSES,
        "purpose": balls_labels.PURPOSES[showing.purpose],
        "trouble": balls_labels.trouble(code) if code and not showing.ended_at else "",
        "held": _held(showing),
        "called": _called(asked, showing.ended_at) if calls and showing.ended_at else None,
    }


def _held(showing: Enrolment) -> CertificateState | None:
    found = Certificate.objects.filter(enrolment=showing).first()
    return enrolment_queries.get_certificate_state(found) if found else None


def _called(asked: PageRequest, at: datetime) -> JournalEntry | None:
    return equipment_queries.roll_calls(asked.hall).filter(at=at).first()


PAGE = Page(
    "cameras-showing",
    "cameras/shown/<int:enrolment>/",
    "balls/ball_showing.html",
    showing_context,
    {
        "name": showing_name,
        "dismiss": dismiss_showing,
        "give-up": give_up,
        "certify": certify,
        "call": call_showing,
    },
    readers=READERS,
    writers=SHOWERS,
)
