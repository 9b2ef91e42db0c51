"""The access log: who looked at what, for the inspector and the hall manager."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from draws.desks.inspector import search
from draws.office import admission
from draws.web.page_classes import PageRequest, reading
from halls import inspection
from halls.models import Look

SEARCHES = ("inspector-search", admission.ROUTE)
CHECKPOINT = "checkpoint"  # the one file whose address has no ending
PICTURES = (".jpg", ".png")


@reading
def access_log_page(request: HttpRequest, asks: PageRequest) -> HttpResponse:
    """Show looks of a day or of all, the newest first."""
    query = asks.query
    day = search.day(query, "day")
    found, older = inspection.look_page(
        asks.hall,
        begins=asks.hall.begins(day) if day else None,
        ends=asks.hall.ends(day) if day else None,
        before=search.number(query, "before", most=search.LARGEST),
        pictures=query.get("pictures") == "on",
        per_page=search.PER_PAGE,
    )
    context = {
        "looks": [(look, _kind(look)) for look in found],
        "older": older,
        "day": day,
        "pictures": query.get("pictures") == "on",
    }
    return render(request, "desks/inspector/access_log.html", context)


def _kind(look: Look) -> str | Promise:
    """Say what was looked at, in a word."""
    name = look.path.partition("?")[0].rpartition("/")[2]
    if look.route in SEARCHES:
        return gettext_lazy("Search")
    if look.method not in ("GET", "HEAD"):
        return gettext_lazy("Command")
    if look.route == inspection.PICTURE or name.endswith(PICTURES):
        return gettext_lazy("Picture")
    is_file = "." in name or look.route == CHECKPOINT
    return gettext_lazy("Download") if is_file else gettext_lazy("Page")


access_log_urls = [path("inspector/looks/", never_cache(access_log_page), name="inspector-looks")]
