"""The hall's complaints: the open ones first, decided here, and their slips for players (R61 j)."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.celery_app import later
from bingo.rules.complaints import DECISIONS, LONGEST
from bingo.rules.refusal import Refusal
from draws.documents import complaint_slip, complaint_words
from draws.queries import complaint_slips
from draws.queries import complaints as queries
from draws.services import complaints
from draws.views import refused
from draws.views.meant import complaint_of
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from draws.views.witnessed import witness_of
from halls.models import Person, Role
from halls.queries import policies

READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
SHOWN = 100  # decided ones


def decide(order: Order, _asked: Asked) -> Done:
    """Decide a complaint, before a second person where the hall wants one."""
    complaint = complaint_of(order)
    decided = complaints.decide(
        complaint=complaint,
        decision=order.choice("decision", DECISIONS),
        text=order.text("text", longest=LONGEST),
        witness=witness_of(order, kind=complaints.DECIDED),
        **order.who,
    )
    named = {"number": decided.number, "session": decided.session.number}
    told = _("Complaint %(number)s of session %(session)s is decided")
    return Done(told % named, reverse("complaints"))


def print_slip(order: Order, _asked: Asked) -> Done:
    """Print a complaint's slip at a till."""
    return Done(send_slip(order), reverse("complaints"))


def send_slip(order: Order) -> str:
    """Send a complaint's slip to the printer of the till that the form names, and say so.

    Raises Refusal: bad_input, unknown_complaint, no_receipt_printer.
    """
    complaint, till = complaint_of(order), order.text("till")
    if till not in policies.in_force(order.hall).printers:
        raise Refusal("no_receipt_printer", till=till[:40])
    later("draws.print_complaint", complaint=complaint.pk, till=till, asked=order.at.isoformat())
    named = {"number": complaint.number, "till": till}
    return _("The slip of complaint %(number)s is printed at %(till)s") % named


def context(asked: Asked) -> Context:
    """Give the open complaints of all sessions, and the newest decided ones."""
    policy = policies.in_force(asked.hall)
    decided = queries.of_hall(asked.hall).filter(decided_at__isnull=False)[:SHOWN]
    return {
        "open_complaints": list(queries.still_open(asked.hall)),
        "decided": [
            (one, complaint_words.DECISIONS[one.decision], queries.decided_by(one))
            for one in decided
        ],
        "decisions": complaint_words.DECISIONS,
        "two_decide": complaints.DECIDED in policy.four_eyes,
        "slip_printers": list(policy.printers),
        "longest": LONGEST,
    }


@never_cache
@require_GET
@login_required
def slip(request: HttpRequest, session: int, number: int) -> HttpResponse:
    """Give a complaint's slip as a page of paper, to whoever may read complaints."""
    person = request.user
    if not isinstance(person, Person) or not set(READERS) & set(person.roles):
        return refused.forbidden(request, READERS)
    found = queries.of_hall(person.hall).filter(session__number=session, number=number)
    content = complaint_slip.slip(complaint_slips.slip(get_object_or_404(found)))
    sent = HttpResponse(content, content_type="application/pdf")
    name = f"complaint-{person.hall.code}-{session}-{number}.pdf"
    sent["Content-Disposition"] = f'inline; filename="{name}"'
    return sent


PAGE = Page(
    "complaints",
    "complaints/",
    "complaints.html",
    context,
    {"decide": decide, "print": print_slip},
    readers=READERS,
    writers=WRITERS,
)


def urls() -> list[URLPattern]:
    """Give the addresses of the page and of the slips."""
    at = "complaints/<int:session>/<int:number>.pdf"
    return [*PAGE.urls(), path(at, slip, name="complaint-slip")]
