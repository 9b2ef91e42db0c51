"""Prints of cards: how far each has come, its file when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bingo.rules.refusal import Refusal
from draws.documents import stock_words, words
from draws.queries import prints as query
from draws.services import prints
from draws.views import listing
from draws.views.listing import Choice, Column
from draws.views.meant import print_of
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page, reading
from draws.views.streamed import streamed

BLOCK = 256 * 1024
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


def cancel(order: Order, _asked: Asked) -> Done:
    """Stop a print that is not done yet."""
    prints.cancel(job=print_of(order), **order.who)
    return Done(_("The print is cancelled"), reverse("cards-prints"))


def context(asked: Asked) -> Context:
    """Give the list, each print with how far it has come."""
    found = query.of_hall(asked.hall)
    state = listing.chosen(asked.query, "state", stock_words.PRINTS)
    if state:
        found = found.filter(state=state)
    if text := listing.text(asked.query):
        found = found.filter(issue__identification__icontains=text)
    choices = [Choice("state", _("State"), list(stock_words.PRINTS.items()), state)]
    shown = listing.listed(found, columns=COLUMNS, query=asked.query, choices=choices)
    standings = {job.pk: query.standing(job) for job in shown.page}
    return {
        "tab": "prints",
        "listing": shown,
        "standings": standings,
        "under_way": any(standing.under_way for standing in standings.values()),
        "live_address": f"{reverse('cards-prints-live')}?{asked.query.urlencode()}",
    }


@reading
def live(request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the list alone, to a page that asks again and again while something is under way."""
    shown = context(asked) | {
        "page_name": PAGE.name, "place": {}, "verb": "", "may_change": asked.may_change,
    }  # fmt: skip
    status = 200 if shown["under_way"] else STOP
    return render(request, "cards/prints_list.html", shown, status=status)


@reading
def file(request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the file of a print that is done, as it was made."""
    try:
        job = query.get(asked.hall, asked.place["job"])
        place = query.file(job)
    except Refusal as refusal:
        if refusal.code == "print_unknown":
            raise Http404 from None
        told = {"text": words.refusal(refusal), "code": refusal.code}
        told |= {"next_url": reverse("cards-prints"), "next_label": _("Back to the prints")}
        return render(request, "refusal.html", told, status=409)
    name = f"{job.issue.series.letter}-{job.issue.identification}-{job.first}-{job.last}.pdf"
    return streamed(_blocks(place), kind="application/pdf", name=name, keep=False)


def _blocks(place: Path) -> Iterator[bytes]:
    with place.open("rb") as found:
        while block := found.read(BLOCK):
            yield block


PAGE = Page("cards-prints", "cards/prints/", "cards/prints.html", context, {"cancel": cancel})

FILES: list[URLPattern] = [
    path("cards/prints/live/", live, name="cards-prints-live"),
    path("cards/prints/<int:job>/cards.pdf", file, name="cards-print-file"),
]
