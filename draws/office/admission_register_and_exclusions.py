"""The pages of admission: the list of excluded persons, and the register of admissions.

The hall manager adds to the list and, with a second person, takes off it. The page of the register
has counts for the manager, refusals and look-ups for the inspector; the journal has each refusal
for both.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import admission
from bingo.rules.admission import SHOWN
from bingo.rules.refusal import Refusal
from draws.web import forms as web_forms
from draws.web import listing
from draws.web.forms import CommandForm, FormFields, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Preview, Success
from halls import inspection
from halls.admission import documents as admission_documents
from halls.admission import queries as admission_queries
from halls.admission import services as admission_services
from halls.admission.queries import EXCLUSIONS, REASONS
from halls.models import Exclusion, Role, Session


def add_exclusion(order: CommandForm, _asked: PageRequest) -> Success:
    """Put the person of a document on the list."""
    made = admission_services.add_exclusion(
        hall=order.hall,
        document=web_forms.required(order),
        reason=order.choice("exclusion_reason", admission.EXCLUSION_REASONS),
        begins=order.day("excluded_from"),
        ends=order.day("excluded_until") if order.fields.get("excluded_until") else None,
        **order.who,
    )
    told = _("Exclusion %(number)s is on the list: the door lets them in no more")
    return Success(told % {"number": made.number}, reverse("exclusions"))


def lift(order: CommandForm, _asked: PageRequest) -> Success:
    """Take somebody off the list, before a second person."""
    number = order.integer("exclusion")
    witness = witness_of(order, kind=admission.LIFTED)
    admission_services.lift(
        hall=order.hall, number=number, reason=order.text("reason"), witness=witness, **order.who
    )
    told = _("Exclusion %(number)s is lifted") % {"number": number}
    return Success(told, reverse("exclusions"))


def exclusion_context(asked: PageRequest) -> Context:
    """Return the list, the newest first, and what its forms offer."""
    hall = asked.hall
    today = hall.day(timezone.now())
    shown = listing.listed(admission_queries.exclusion_listed(hall), columns=(), query=asked.query)
    present = max(admission_documents.fingerprints(hall), default=1)
    return web_forms.offered(hall) | {
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


EXCLUSION_PAGE = Page(
    "exclusions",
    "exclusions/",
    "admission/exclusions.html",
    exclusion_context,
    {"add": add_exclusion, "lift": lift},
)


MONTH = timedelta(days=31)
ROUTE = "admissions-look-up"


def look_up(order: CommandForm, _asked: PageRequest) -> Preview:
    """Search the register for one person; that somebody did is on record before it is answered."""
    begins, ends = _period(order)
    hashes = admission_documents.hashes(order.hall, web_forms.required(order))
    named = hashes[0].document[:SHOWN] if hashes else ""
    request = order.request
    inspection.record_look(
        order.person,
        at=order.at,
        method="POST",
        route=ROUTE,
        path=f"{request.path}?document={named}&from={begins}&to={ends}",
        source=request.META.get("REMOTE_ADDR") or "",
    )
    days = {"begins": order.hall.begins(begins), "ends": order.hall.ends(ends)}
    visits = list(admission_queries.visits(order.hall, hashes, **days))
    answer = {"visits": visits, "document": named, "begins": begins, "ends": ends}
    return Preview({"answer": answer})


def _period(typed: FormFields) -> tuple[date, date]:
    begins, ends = typed.day("from"), typed.day("to")
    if ends < begins:
        raise Refusal("bad_period")
    return begins, ends


def admission_context(asked: PageRequest) -> Context:
    """Return what the door counted by session, and one of them by hour."""
    hall = asked.hall
    found = Session.objects.filter(hall=hall).select_related("hall").order_by("-number")
    shown = listing.listed(found, columns=(), query=asked.query)
    number = listing.number(asked.query, "session")
    chosen = found.filter(number=number).first() if number else found.first()
    inspects = Role.INSPECTOR in asked.person.roles
    today = hall.day(timezone.now())
    return web_forms.offered(hall) | {
        "sessions": [
            (one, _words(one.refused)) for one in admission_queries.by_session(shown.page)
        ],
        "listing": shown,
        "chosen": chosen,
        "hours": admission_queries.by_hour(chosen) if chosen else [],
        "refusals": [(one, REASONS[one.reason]) for one in admission_queries.refusals(chosen)]
        if chosen and inspects
        else [],
        "inspects": inspects,
        "identity_asked": admission_services.identity_asked(hall, timezone.now()),
        "from": (today - MONTH).isoformat(),
        "to": today.isoformat(),
        "answer": None,
    }


def _words(refused: dict[str, int]) -> list[tuple[Any, int]]:
    return [(REASONS[reason], refused[reason]) for reason in REASONS if reason in refused]


ADMISSION_PAGE = Page(
    "admissions",
    "inspector/admissions/",
    "admission/admissions.html",
    admission_context,
    {"look-up": look_up},
    writers=(Role.INSPECTOR,),
)
