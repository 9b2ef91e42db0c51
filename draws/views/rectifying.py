"""The actas of a session in their order, and the page on which a sealed one is rectified (R58)."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.rectifying import LONGEST_CORRECTION, RECTIFIED
from bingo.rules.signs import LONGEST_REASON
from draws.documents import seal_words
from draws.models import Acta
from draws.queries import rectifications, unsealed
from draws.services.rectifying import rectify as record
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import Person, Session


def shown(person: Person, session: Session) -> dict[str, Any]:
    """Give the rectifications of a session, what is not sealed of it, and whether one may be made."""
    found = unsealed.of_session(session, at=timezone.now())
    sealed = rectifications.last(session)[1] is not None
    return {
        "rectifications": list(rectifications.of(session)),
        "unsealed": [(one, seal_words.fault(one.code)) for one in found],
        "may_rectify": sealed and bool(set(WRITERS) & set(person.roles)),
    }


def rectify(order: Order, asked: Asked) -> Done:
    """Rectify the last acta of the session, before a second person."""
    session = _session(asked)
    witness = witness_of(order, kind=RECTIFIED)
    made = record(
        session=session,
        reason=order.text("reason"),
        what=order.text("what"),
        witness=witness,
        **order.who,
    )
    text = _("Rectification %(number)s is recorded: its acta is being sealed")
    return Done(text % {"number": made.number}, reverse("inspector-session", args=[session.number]))


def context(asked: Asked) -> Context:
    """Give the session, its actas so far and the limits of the form."""
    session = _session(asked)
    return {
        "session": session,
        "acta": Acta.objects.filter(session=session).defer("pdf").first(),
        "longest": LONGEST_REASON,
        "longest_correction": LONGEST_CORRECTION,
        **shown(asked.person, session),
    }


def _session(asked: Asked) -> Session:
    found = Session.objects.select_related("hall")
    return get_object_or_404(found, hall=asked.hall, number=asked.place["number"])


PAGE = Page(
    "rectify",
    "inspector/<int:number>/rectify/",
    "rectify.html",
    context,
    {"rectify": rectify},
    readers=WRITERS,
)
