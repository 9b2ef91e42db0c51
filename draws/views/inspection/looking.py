"""Who looked at what, for the inspector and the hall manager to read."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from draws.queries.period import midnight
from draws.views.inspection import admissions, asked
from draws.views.page import Asked, reading
from halls.models import Look
from halls.queries import looks

PER_PAGE = 100
LARGEST = 2**63 - 1
SEARCHES = ("inspector-search", admissions.ROUTE)
FILES = (".pdf", ".pem", ".jsonl", ".csv", ".json", ".zip")


@reading
def page(request: HttpRequest, asks: Asked) -> HttpResponse:
    """Show looks of a day or of all, the newest first."""
    query = asks.query
    day = asked.day(query, "day")
    whole = day is not None and day.year > 1 and day.year < 9999
    begins = midnight(asks.hall, day) if day is not None and whole else None
    found, older = looks.page(
        asks.hall,
        begins=begins,
        ends=begins + timedelta(days=1) if begins else None,
        before=asked.number(query, "before", most=LARGEST),
        pictures=query.get("pictures") == "on",
        per_page=PER_PAGE,
    )
    context = {
        "looks": [(look, _kind(look)) for look in found],
        "older": older,
        "day": day,
        "pictures": query.get("pictures") == "on",
    }
    return render(request, "inspection/looks.html", context)


def _kind(look: Look) -> str | Promise:
    """Say what was looked at, in a word."""
    bare = look.path.partition("?")[0]
    if look.route in SEARCHES:
        return _("Search")
    if look.method not in ("GET", "HEAD"):
        return _("Order")
    if look.route == looks.PICTURE:
        return _("Picture")
    return _("Download") if bare.endswith(FILES) else _("Page")


urls = [path("inspector/looks/", never_cache(page), name="inspector-looks")]
