"""The page of a sealed acta: acknowledged or remarked on by the inspector, answered by the hall."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules.signs import LONGEST_REASON
from draws.documents import facts, words
from draws.models import Acta
from draws.queries import rectifications
from draws.queries import remarks as queries
from draws.services import remarks
from draws.views.order import LONGEST, Order
from draws.views.page import Asked, Done, Page
from halls.models import Role, Session

DIGEST = 64


def acknowledge(order: Order, asked: Asked) -> Done:
    """Acknowledge the acta that the page showed."""
    acta = order.text("acta", longest=DIGEST)
    remarks.acknowledge(session=_session(asked), acta=acta, **order.who)
    return Done(_("The acta is acknowledged"), _here(asked))


def remark(order: Order, asked: Asked) -> Done:
    """Remark on the newest acta that the page showed."""
    text, acta = order.text("text", longest=LONGEST), order.text("acta", longest=DIGEST)
    remarks.remark(session=_session(asked), text=text, acta=acta, **order.who)
    return Done(_("The remark is recorded: the hall manager sees it"), _here(asked))


def answer(order: Order, asked: Asked) -> Done:
    """Answer a remark."""
    remarks.answer(
        session=_session(asked),
        remark=order.integer("remark"),
        text=order.text("text", longest=LONGEST),
        **order.who,
    )
    return Done(_("The answer is recorded: the inspector sees it"), _here(asked))


def context(asked: Asked) -> dict[str, Any]:
    """Give the actas of a session and all that was said of them; 404 where the session is not sealed."""
    session = _session(asked)
    if not Acta.objects.filter(session=session).exists():
        raise Http404
    said = queries.of(session)
    answers = {one.data["remark"]: one for one in said if one.kind == remarks.ANSWERED}
    roles = asked.person.roles
    known = {one.data["acta"] for one in said if one.kind == remarks.ACKNOWLEDGED}
    files = [
        (number, digest, sealed_at, digest in known)
        for number, digest, sealed_at in rectifications.files(session)
    ]
    return {
        "session": session,
        "files": files,
        "newest": files[-1][1],
        "said": [
            (one, words.kind(one.kind), facts.told(one), answers.get(one.number))
            for one in said
            if one.kind != remarks.ANSWERED
        ],
        "acknowledged": files[-1][3],
        "may_remark": Role.INSPECTOR in roles,
        "may_answer": Role.HALL_MANAGER in roles,
        "longest": LONGEST_REASON,
    }


def _session(asked: Asked) -> Session:
    return get_object_or_404(
        Session.objects.select_related("hall"), hall=asked.hall, number=asked.place["number"]
    )


def _here(asked: Asked) -> str:
    return reverse("inspector-acta", kwargs=dict(asked.place))


PAGE = Page(
    name="inspector-acta",
    route="inspector/<int:number>/acta/",
    template="inspection/acta.html",
    context=context,
    verbs={"acknowledge": acknowledge, "remark": remark, "answer": answer},
    writers=(Role.INSPECTOR, Role.HALL_MANAGER),
)
