"""The pages of sealed actas: rectified by the hall, remarked on by the inspector, answered (R58).

Also the actas of a session in their order.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.actas_after_sealing import LONGEST_CORRECTION, RECTIFIED
from bingo.rules.texts import LONGEST_REASON
from draws import trade_words
from draws.models import Acta
from draws.record import journal_text, rectifications, seal_queries
from draws.record.rectifications import rectify as record
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import WRITERS, Context, Page, PageRequest, Success
from halls.models import Person, Role, Session
from halls.web.fields import LONGEST


def rectifications_of(person: Person, session: Session) -> dict[str, Any]:
    """Return the rectifications of a session, what is not sealed of it, and whether one may be made."""
    found = seal_queries.unsealed_of_session(session, at=timezone.now())
    sealed = rectifications.last(session)[1] is not None
    return {
        "rectifications": list(rectifications.of(session)),
        "unsealed": [(one, seal_queries.seal_fault(one.code)) for one in found],
        "may_rectify": sealed and bool(set(WRITERS) & set(person.roles)),
    }


def rectify(order: CommandForm, asked: PageRequest) -> Success:
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
    return Success(
        text % {"number": made.number}, reverse("inspector-session", args=[session.number])
    )


def rectifying_context(asked: PageRequest) -> Context:
    """Return the session, its actas so far and the limits of the form."""
    session = _session(asked)
    return {
        "session": session,
        "acta": Acta.objects.filter(session=session).defer("pdf").first(),
        "longest": LONGEST_REASON,
        "longest_correction": LONGEST_CORRECTION,
        **rectifications_of(asked.person, session),
    }


RECTIFYING_PAGE = Page(
    "rectify",
    "inspector/<int:number>/rectify/",
    "record/rectify.html",
    rectifying_context,
    {"rectify": rectify},
    readers=WRITERS,
)


DIGEST = 64


def acknowledge(order: CommandForm, asked: PageRequest) -> Success:
    """Acknowledge the acta that the page showed."""
    acta = order.text("acta", longest=DIGEST)
    rectifications.acknowledge(session=_session(asked), acta=acta, **order.who)
    return Success(_("The acta is acknowledged"), _here(asked))


def remark(order: CommandForm, asked: PageRequest) -> Success:
    """Remark on the newest acta that the page showed."""
    text, acta = order.text("text", longest=LONGEST), order.text("acta", longest=DIGEST)
    rectifications.remark(session=_session(asked), text=text, acta=acta, **order.who)
    return Success(_("The remark is recorded: the hall manager sees it"), _here(asked))


def answer(order: CommandForm, asked: PageRequest) -> Success:
    """Answer a remark."""
    rectifications.answer(
        session=_session(asked),
        remark=order.integer("remark"),
        text=order.text("text", longest=LONGEST),
        **order.who,
    )
    return Success(_("The answer is recorded: the inspector sees it"), _here(asked))


def remarking_context(asked: PageRequest) -> dict[str, Any]:
    """Return the actas of a session and all that was said of them; 404 where the session is not sealed."""
    session = _session(asked)
    if not Acta.objects.filter(session=session).exists():
        raise Http404
    said = rectifications.remarks_of(session)
    answers = {one.data["remark"]: one for one in said if one.kind == rectifications.ANSWERED}
    roles = asked.person.roles
    known = {one.data["acta"] for one in said if one.kind == rectifications.ACKNOWLEDGED}
    files = [
        (number, digest, sealed_at, digest in known)
        for number, digest, sealed_at in rectifications.files(session)
    ]
    return {
        "session": session,
        "files": files,
        "newest": files[-1][1],
        "said": [
            (
                one,
                trade_words.kind(one.kind),
                journal_text.describe_entry(one),
                answers.get(one.number),
            )
            for one in said
            if one.kind != rectifications.ANSWERED
        ],
        "acknowledged": files[-1][3],
        "may_remark": Role.INSPECTOR in roles,
        "may_answer": Role.HALL_MANAGER in roles,
        "longest": LONGEST_REASON,
    }


def _session(asked: PageRequest) -> Session:
    found = Session.objects.select_related("hall")
    return get_object_or_404(found, hall=asked.hall, number=asked.place["number"])


def _here(asked: PageRequest) -> str:
    return reverse("inspector-acta", kwargs=dict(asked.place))


REMARKING_PAGE = Page(
    name="inspector-acta",
    route="inspector/<int:number>/acta/",
    template="desks/inspector/acta.html",
    context=remarking_context,
    verbs={"acknowledge": acknowledge, "remark": remark, "answer": answer},
    writers=(Role.INSPECTOR, Role.HALL_MANAGER),
)
