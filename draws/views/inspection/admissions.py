"""The register of admissions: counts for the manager, refusals and look-ups for the inspector."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from bingo.rules.documents import SHOWN
from bingo.rules.refusal import Refusal
from draws.documents.admission_words import REASONS
from draws.queries.period import midnight
from draws.views import identity, listing
from draws.views.inspection import asked as asked_for
from draws.views.order import Fields, Order
from draws.views.page import Asked, Context, Page, Tried
from halls.models import Role, Session
from halls.queries import admission as queries
from halls.queries import documents
from halls.services import admission, looks
from halls.services.sessions import local_day

MONTH = timedelta(days=31)
LOOK_UP = "look-up"
ROUTE = "admissions-look-up"


def look_up(order: Order, _asked: Asked) -> Tried:
    """Search the register for one person; that somebody did is on record before it is answered."""
    begins, ends = _period(order)
    found = documents.hashes(order.hall, identity.required(order))
    named = found[0].document[:SHOWN] if found else ""
    request = order.request
    looks.record(
        order.person,
        at=order.at,
        method="POST",
        route=ROUTE,
        path=f"{request.path}?document={named}&from={begins}&to={ends}",
        source=request.META.get("REMOTE_ADDR") or "",
    )
    return Tried()


def _period(typed: Fields) -> tuple[date, date]:
    begins, ends = typed.day("from"), typed.day("to")
    if ends < begins or begins.year == 1 or ends.year == 9999:
        raise Refusal("bad_input", field="to", wanted="day")
    return begins, ends


def context(asked: Asked) -> Context:
    """Return what the door counted by session, one of them by hour, and what was looked up."""
    hall = asked.hall
    found = Session.objects.filter(hall=hall).select_related("hall").order_by("-number")
    shown = listing.listed(found, columns=(), query=asked.query)
    number = asked_for.number(asked.query, "session")
    chosen = found.filter(number=number).first() if number else found.first()
    inspects = Role.INSPECTOR in asked.person.roles
    today = local_day(hall, timezone.now())
    return identity.offered(hall) | {
        "sessions": [(one, _words(one.refused)) for one in queries.by_session(shown.page)],
        "listing": shown,
        "chosen": chosen,
        "hours": queries.by_hour(chosen) if chosen else [],
        "refusals": [(one, REASONS[one.reason]) for one in queries.refusals(chosen)]
        if chosen and inspects
        else [],
        "inspects": inspects,
        "identity_asked": admission.identity_asked(hall, timezone.now()),
        "from": asked.typed.get("from", (today - MONTH).isoformat()),
        "to": asked.typed.get("to", today.isoformat()),
        "answer": _answer(asked),
    }


def _words(refused: dict[str, int]) -> list[tuple[Any, int]]:
    return [(REASONS[reason], refused[reason]) for reason in REASONS if reason in refused]


def _answer(asked: Asked) -> dict[str, Any] | None:
    """Return what the register says of the person looked up, None where nothing was, or not well."""
    if asked.verb != LOOK_UP:
        return None
    typed = Fields(asked.person, asked.typed)
    try:
        begins, ends = _period(typed)
        hashes = documents.hashes(asked.hall, identity.required(typed))
    except Refusal:
        return None
    days = {
        "begins": midnight(asked.hall, begins),
        "ends": midnight(asked.hall, ends + timedelta(days=1)),
    }
    return {
        "visits": list(queries.visits(asked.hall, hashes, **days)),
        "document": hashes[0].document[:SHOWN] if hashes else "",
        "begins": begins,
        "ends": ends,
    }


PAGE = Page(
    "admissions",
    "inspector/admissions/",
    "inspection/admissions.html",
    context,
    {LOOK_UP: look_up},
    writers=(Role.INSPECTOR,),
)
