"""The page of complaints: the open ones first, decided here, and their slips for players (R61 j)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.celery_app import later
from bingo.rules.complaints import DECISIONS, LONGEST
from bingo.rules.refusal import Refusal
from bingo.slips.page import draw_page
from draws.complaints import services
from draws.complaints import slip as complaints_slip
from draws.models import UnclaimedItem
from draws.web.forms import CommandForm, complaint_of, for_roles, session_of, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success, file_response
from halls.models import Person, Role
from halls.policy import queries as policy_queries

READERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER, Role.TABLE_CHIEF)
SHOWN = 100  # decided ones


def open_owed(order: CommandForm, _asked: PageRequest) -> Success:
    """Open a complaint about a card whose money is owed, of whatever session (R30, R50)."""
    session = session_of(order)
    items = UnclaimedItem.objects.filter(game__session__hall=order.hall)
    card = order.integer("card")
    item = items.select_related("game__session").filter(pk=order.integer("item")).first()
    if item is None:
        raise Refusal("nothing_owed", card=card)
    opened = services.open_complaint(
        session=session,
        text=order.text("text", longest=LONGEST),
        game=item.game,
        issue=item.issue_id,
        card=card,
        **order.who,
    )
    told = _("Complaint %(number)s is open: print its slip for the player")
    return Success(told % {"number": opened.number}, reverse("complaints"))


def decide(order: CommandForm, _asked: PageRequest) -> Success:
    """Decide a complaint, before a second person where the hall wants one."""
    complaint = complaint_of(order)
    decided = services.decide(
        complaint=complaint,
        decision=order.choice("decision", DECISIONS),
        text=order.text("text", longest=LONGEST),
        witness=witness_of(order, kind=services.DECIDED),
        **order.who,
    )
    named = {"number": decided.number, "session": decided.session.number}
    told = _("Complaint %(number)s of session %(session)s is decided")
    return Success(told % named, reverse("complaints"))


def print_slip(order: CommandForm, _asked: PageRequest) -> Success:
    """Print a complaint's slip at a till."""
    return Success(send_slip(order), reverse("complaints"))


def send_slip(order: CommandForm) -> str:
    """Send a complaint's slip to the printer of the till that the form names, and say so.

    Raises Refusal: bad_input, unknown_complaint, no_receipt_printer.
    """
    complaint, till = complaint_of(order), order.text("till")
    if till not in policy_queries.printers(order.hall):
        raise Refusal("no_receipt_printer", till=till[:40])
    later("draws.print_complaint", complaint=complaint.pk, till=till, asked=order.at.isoformat())
    named = {"number": complaint.number, "till": till}
    return _("The slip of complaint %(number)s is printed at %(till)s") % named


def context(asked: PageRequest) -> Context:
    """Return the open complaints of all sessions, and the newest decided ones."""
    policy = policy_queries.in_force(asked.hall, timezone.now())
    decided = services.of_hall(asked.hall).filter(decided_at__isnull=False)[:SHOWN]
    return {
        "open_complaints": list(services.still_open(asked.hall)),
        "decided": [
            (one, complaints_slip.DECISIONS[one.decision], services.decided_by(one))
            for one in decided
        ],
        "decisions": complaints_slip.DECISIONS,
        "two_decide": services.DECIDED in policy.four_eyes,
        "slip_printers": list(policy.printers),
        "longest": LONGEST,
    }


@never_cache
@require_GET
@for_roles(*READERS)
def slip(_request: HttpRequest, person: Person, session: int, number: int) -> HttpResponse:
    """Return a complaint's slip as a page of paper, to whoever may read complaints."""
    found = services.of_hall(person.hall).filter(session__number=session, number=number)
    values = services.get_complaint_slip(get_object_or_404(found))
    name = f"complaint-{person.hall.code}-{session}-{number}.pdf"
    content = draw_page(complaints_slip.complaint_slip(values))
    return file_response(content, kind="application/pdf", name=name)


PAGE = Page(
    "complaints",
    "complaints/",
    "complaints/complaints.html",
    context,
    {"decide": decide, "open": open_owed, "print": print_slip},
    readers=READERS,
    writers=WRITERS,
)


def urls() -> list[URLPattern]:
    """Return the addresses of the page and of the slips."""
    at = "complaints/<int:session>/<int:number>.pdf"
    return [*PAGE.urls(), path(at, slip, name="complaint-slip")]
