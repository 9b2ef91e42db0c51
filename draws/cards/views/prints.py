"""The pages of prints of cards: order one after a preview, watch its progress, take its file."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from bingo.rules import stock
from bingo.rules.refusal import Refusal
from bingo.rules.stock import CardRun
from draws.cards import labels as cards_labels
from draws.cards import print_queries, prints
from draws.models import Issue
from draws.record.archive.contents import file_blocks
from draws.record.archive.views import streamed
from draws.refusals import text as refusals_text
from draws.web import listing
from draws.web.forms import WHOLE, CommandForm, for_roles, print_of
from draws.web.listing import Column, FilterChoice
from draws.web.page_classes import READERS, WRITERS, Context, Page, PageRequest, Success, reading
from halls.models import Person

STOP = 286  # htmx takes the answer and asks no more

COLUMNS = (
    Column("ordered", gettext_lazy("Ordered"), ("ordered_at",)),
    Column("issue", gettext_lazy("Issue"), ("issue__identification",)),
    Column("cards", gettext_lazy("Cards"), ("first",), number=True),
    Column("paper", gettext_lazy("Paper"), ("paper",)),
    Column("state", gettext_lazy("State"), ("state",)),
    Column("progress", gettext_lazy("Progress"), ("drawn",)),
    Column("by", gettext_lazy("By"), ("entry__by__name",)),
    Column("actions", ""),
)


def cancel(order: CommandForm, _asked: PageRequest) -> Success:
    """Stop a print that is not done yet."""
    prints.cancel(job=print_of(order), **order.who)
    return Success(_("The print is cancelled"), reverse("cards-prints"))


def prints_context(asked: PageRequest) -> Context:
    """Return the list, each print with how far it has come."""
    found = print_queries.print_job_of_hall(asked.hall)
    state = listing.chosen(asked.query, "state", cards_labels.PRINTS)
    if state:
        found = found.filter(state=state)
    if text := listing.text(asked.query):
        found = found.filter(issue__identification__icontains=text)
    choices = [FilterChoice("state", _("State"), list(cards_labels.PRINTS.items()), state)]
    shown = listing.listed(found, columns=COLUMNS, query=asked.query, choices=choices)
    standings = {job.pk: print_queries.print_progress(job) for job in shown.page}
    return {
        "tab": "prints",
        "listing": shown,
        "standings": standings,
        "under_way": any(standing.under_way for standing in standings.values()),
        "live_address": f"{reverse('cards-prints-live')}?{asked.query.urlencode()}",
    }


@reading
def live(request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the list alone, to a page that asks again and again while something is under way."""
    shown = prints_context(asked) | {
        "page_name": PRINTS_PAGE.name, "place": {}, "verb": "", "may_change": asked.may_change,
    }  # fmt: skip
    status = 200 if shown["under_way"] else STOP
    return render(request, "cards/prints_list.html", shown, status=status)


@reading
def file(request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the file of a print that is done, as it was made."""
    try:
        job = print_queries.get_print_job(asked.hall, asked.place["job"])
        place = print_queries.print_job_file(job)
    except Refusal as refusal:
        if refusal.code == "print_unknown":
            raise Http404 from None
        told = {"text": refusals_text.refusal(refusal), "code": refusal.code}
        told |= {"next_url": reverse("cards-prints"), "next_label": _("Back to the prints")}
        return render(request, "web/refusal.html", told, status=409)
    name = f"{job.issue.series.letter}-{job.issue.identification}-{job.first}-{job.last}.pdf"
    return streamed(file_blocks(place), kind="application/pdf", name=name, keep=False)


PRINTS_PAGE = Page(
    "cards-prints", "cards/prints/", "cards/prints.html", prints_context, {"cancel": cancel}
)

FILES: list[URLPattern] = [
    path("cards/prints/live/", live, name="cards-prints-live"),
    path("cards/prints/<int:job>/cards.pdf", file, name="cards-print-file"),
]


NARROWEST, WIDEST, USUAL = 200, 2_000, 900  # pixels of the picture


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody has chosen so far; what cannot be read stands at its usual."""

    first: int
    last: int
    paper: str
    code: str
    back: bool
    crop: bool

    @property
    def asked(self) -> str:
        """The choices as an address has them."""
        asked: dict[str, str | int] = {"first": self.first, "last": self.last}
        asked |= {"paper": self.paper, "code": self.code}
        boxes = {"back": self.back, "crop": self.crop}
        return urlencode(asked | {name: "on" for name, ticked in boxes.items() if ticked})


def _issue(asked: PageRequest) -> Issue:
    found = Issue.objects.select_related("series", "hall", "authorisation")
    return get_object_or_404(found, hall=asked.hall, pk=asked.place["issue"])


def _wish(fields: QueryDict, issue: Issue) -> Wish:
    paper = fields.get("paper", "")
    paper = paper if paper in stock.PAPERS else stock.PAPERS[0]
    code = fields.get("code", "")
    plain = paper == stock.ROLL
    last = min(issue.series.size, stock.MOST_CARDS)
    return Wish(
        first=_whole(fields, "first", 1),
        last=_whole(fields, "last", last),
        paper=paper,
        code=code if code in stock.CODES else stock.CODES[0],
        back=not plain and fields.get("back") == "on",
        crop=not plain and fields.get("crop") == "on",
    )


def _whole(fields: QueryDict, name: str, usual: int) -> int:
    typed = fields.get(name, "").strip()
    return int(typed) if WHOLE.fullmatch(typed) else usual


def order_print(order: CommandForm, asked: PageRequest) -> Success:
    """Order the print; the worker draws it."""
    paper = order.text("paper")
    prints.order(
        issue=_issue(asked),
        first=order.integer("first"),
        last=order.integer("last"),
        paper=paper,
        code=order.text("code"),
        back=paper != stock.ROLL and order.ticked("back"),
        crop=paper != stock.ROLL and order.ticked("crop"),
        reason=order.text("reason") if "reason" in order.fields else "",
        **order.who,
    )
    return Success(_("The print is ordered"), reverse("cards-prints"))


def look_at_print(order: CommandForm, asked: PageRequest) -> Success:
    """Show the choices without ordering anything, where no script does it."""
    issue = _issue(asked)
    address = reverse("cards-print", args=[issue.pk])
    return Success("", f"{address}?{_wish(order.fields, issue).asked}")


def print_order_context(asked: PageRequest) -> Context:
    """Return the form, and what an order of these choices would print."""
    issue = _issue(asked)
    wish = _wish(asked.fields, issue)
    shown: Context = {
        "tab": "prints",
        "issue": issue,
        "wish": wish,
        "papers": cards_labels.PAPERS.items(),
        "codes": cards_labels.CODES.items(),
        "roll": wish.paper == stock.ROLL,
        "most": stock.MOST_CARDS,
    }
    try:
        runs = print_queries.planned(issue, wish.first, wish.last)
    except Refusal as refusal:
        return shown | {"hindrance": refusals_text.refusal(refusal)}
    return shown | _plan_context(wish, runs)


def _plan_context(wish: Wish, runs: tuple[CardRun, ...]) -> Context:
    cards = sum(run.cards for run in runs)
    return {
        "cards": cards,
        "left_out": wish.last - wish.first + 1 - cards,
        "again": [run for run in runs if run.copy],
    }


@require_GET
@for_roles(*READERS)
def preview_print(request: HttpRequest, person: Person, **place: int) -> HttpResponseBase:
    """Return the first page of the choices as a picture.

    Not under the inspector's role: what another hall printed and retired of these cards counts too.
    """
    asked = PageRequest(person, place, request.GET)
    issue = _issue(asked)
    wish = _wish(asked.query, issue)
    width = max(NARROWEST, min(WIDEST, _whole(asked.query, "width", USUAL)))
    try:
        picture = print_queries.preview_print_job(
            issue=issue, first=wish.first, paper=wish.paper, code=wish.code, crop=wish.crop,
            width=width,
        )  # fmt: skip
    except Refusal as refusal:
        text = refusals_text.refusal(refusal)
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=409)
    return HttpResponse(picture, content_type="image/png")


PRINT_ORDER_PAGE = Page(
    "cards-print",
    "cards/issues/<int:issue>/print/",
    "cards/print.html",
    print_order_context,
    {"order": order_print, "look": look_at_print},
    readers=WRITERS,
)

PRINT_ORDER_FILES: list[URLPattern] = [
    path("cards/issues/<int:issue>/preview.png", preview_print, name="cards-preview"),
]
