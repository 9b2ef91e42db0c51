"""A published matrix: its cards a page at a time, the way to any one of them, and its files."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.models import Series
from draws.queries import matrix, scanned, series_file
from draws.views.order import WHOLE
from draws.views.page import Asked, Context, Page, reading
from draws.views.streamed import streamed

PER_PAGE = 24
ISSUES = 20  # shown beside the cards; the rest is in the stock


def series_of(asked: Asked) -> Series:
    """Give the series that the address names. Raises Http404."""
    return get_object_or_404(Series, hall=asked.hall, pk=asked.place["series"])


def context(asked: Asked) -> Context:
    """Give a page of cards and what is known of the whole."""
    series = series_of(asked)
    page = Paginator(range(1, series.size + 1), PER_PAGE).get_page(asked.query.get("page"))
    issues = matrix.issues(series, most=ISSUES + 1)
    return {
        "tab": "series",
        "series": series,
        "page": page,
        "cards": matrix.between(series, page[0], page[-1]),
        "issues": issues[:ISSUES],
        "more_issues": len(issues) > ISSUES,
        "strips": formats.get(series.format).strip > 1,
    }


@reading
def find(request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Go to the card of a number, or of the code that a scanner read, whichever series has it."""
    series = series_of(asked)
    try:
        there, number = _meant(asked, series)
    except Refusal as refusal:
        messages.error(request, words.refusal(refusal))
        return redirect("cards-matrix", series.pk)
    return redirect("cards-card", there, number)


def _meant(asked: Asked, series: Series) -> tuple[int, int]:
    """Give series and card of what was typed. Raises Refusal."""
    typed = asked.query.get("card", "").strip()
    if scanned.is_code(typed):
        issue, number = scanned.card_of(asked.hall, typed)
        return issue.series_id, number
    number = int(typed) if WHOLE.fullmatch(typed) else 0
    if not 1 <= number <= series.size:
        raise Refusal("no_such_card", card=typed[:20])
    return series.pk, number


@reading
def as_json(_request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the published document: the SHA-256 of this file is the series' own."""
    series = series_of(asked)
    name = _name(series, "json")
    return streamed(series_file.canonical(series), kind="application/json", name=name)


@reading
def as_csv(_request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the cards as a table for other programs."""
    series = series_of(asked)
    name = _name(series, "csv")
    return streamed(series_file.table(series), kind="text/csv; charset=utf-8", name=name)


def _name(series: Series, ending: str) -> str:
    return f"{series.format}-{series.letter}-v{series.version}.{ending}"


PAGE = Page("cards-matrix", "cards/series/<int:series>/", "cards/matrix.html", context)

FILES: list[URLPattern] = [
    path(f"{PAGE.route}find/", find, name="cards-find"),
    path(f"{PAGE.route}series.json", as_json, name="cards-json"),
    path(f"{PAGE.route}series.csv", as_csv, name="cards-csv"),
]
