"""Ordering a print: which cards on which paper, seen beforehand as they will be."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from bingo.rules import prints as rules
from bingo.rules.prints import Run
from bingo.rules.refusal import Refusal
from draws.documents import stock_words, words
from draws.models import Issue
from draws.queries import prints as query
from draws.services import prints
from draws.views.order import WHOLE, Order
from draws.views.page import WRITERS, Asked, Context, Done, Page, reading

NARROWEST, WIDEST, USUAL = 200, 2_000, 900  # pixels of the picture
PER_PAGE = 6


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


def _issue(asked: Asked) -> Issue:
    found = Issue.objects.select_related("series", "hall", "authorisation")
    return get_object_or_404(found, hall=asked.hall, pk=asked.place["issue"])


def _wish(fields: QueryDict, issue: Issue) -> Wish:
    paper = fields.get("paper", "")
    paper = paper if paper in rules.PAPERS else rules.PAPERS[0]
    code = fields.get("code", "")
    plain = paper == rules.ROLL
    last = min(issue.series.size, rules.MOST_CARDS)
    return Wish(
        first=_whole(fields, "first", 1),
        last=_whole(fields, "last", last),
        paper=paper,
        code=code if code in rules.CODES else rules.CODES[0],
        back=not plain and fields.get("back") == "on",
        crop=not plain and fields.get("crop") == "on",
    )


def _whole(fields: QueryDict, name: str, usual: int) -> int:
    typed = fields.get(name, "").strip()
    return int(typed) if WHOLE.fullmatch(typed) else usual


def order(order: Order, asked: Asked) -> Done:
    """Order the print; the worker draws it."""
    paper = order.text("paper")
    prints.order(
        issue=_issue(asked),
        first=order.integer("first"),
        last=order.integer("last"),
        paper=paper,
        code=order.text("code"),
        back=paper != rules.ROLL and order.ticked("back"),
        crop=paper != rules.ROLL and order.ticked("crop"),
        reason=order.text("reason") if "reason" in order.fields else "",
        **order.who,
    )
    return Done(_("The print is ordered"), reverse("cards-prints"))


def look(order: Order, asked: Asked) -> Done:
    """Show the choices without ordering anything, where no script does it."""
    issue = _issue(asked)
    address = reverse("cards-print", args=[issue.pk])
    return Done("", f"{address}?{_wish(order.fields, issue).asked}")


def context(asked: Asked) -> Context:
    """Give the form, and what an order of these choices would print."""
    issue = _issue(asked)
    wish = _wish(asked.fields, issue)
    shown: Context = {
        "tab": "prints",
        "issue": issue,
        "wish": wish,
        "papers": stock_words.PAPERS.items(),
        "codes": stock_words.CODES.items(),
        "roll": wish.paper == rules.ROLL,
        "most": rules.MOST_CARDS,
    }
    try:
        runs = query.planned(issue, wish.first, wish.last)
    except Refusal as refusal:
        return shown | {"hindrance": words.refusal(refusal)}
    return shown | _told(wish, runs)


def _told(wish: Wish, runs: tuple[Run, ...]) -> Context:
    cards = sum(run.cards for run in runs)
    return {
        "cards": cards,
        "left_out": wish.last - wish.first + 1 - cards,
        "again": [run for run in runs if run.copy],
    }


@reading
def preview(_request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the first page of the choices as a picture."""
    issue = _issue(asked)
    wish = _wish(asked.query, issue)
    width = max(NARROWEST, min(WIDEST, _whole(asked.query, "width", USUAL)))
    try:
        picture = query.preview(
            issue=issue, first=wish.first, paper=wish.paper, code=wish.code, crop=wish.crop,
            width=width,
        )  # fmt: skip
    except Refusal as refusal:
        text = words.refusal(refusal)
        return HttpResponse(text, content_type="text/plain; charset=utf-8", status=409)
    response = HttpResponse(picture, content_type="image/png")
    response["Cache-Control"] = "private, no-cache"
    return response


PAGE = Page(
    "cards-print",
    "cards/issues/<int:issue>/print/",
    "cards/print.html",
    context,
    {"order": order, "look": look},
    readers=WRITERS,
)

FILES: list[URLPattern] = [
    path("cards/issues/<int:issue>/preview.png", preview, name="cards-preview"),
]
