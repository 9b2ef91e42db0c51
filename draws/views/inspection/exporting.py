"""A hall's record as an archive: asked for, followed while it is written, taken by whoever asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules import exports as rules
from bingo.rules.refusal import Refusal
from draws.documents import export_words, words
from draws.models import Export
from draws.models.export import UNDER_WAY
from draws.queries import exports as query
from draws.services import exports
from draws.views import refused
from draws.views.inspection import asked as asked_for
from draws.views.order import Order
from draws.views.page import READERS, Asked, Context, Done, Page, reading
from draws.views.streamed import streamed
from halls.models import Person
from halls.queries import inspection, retention

BLOCK = 256 * 1024
PER_PAGE = 20
STOP = 286  # htmx takes the answer and asks no more


def ask(order: Order, _asked: Asked) -> Done:
    """Ask for the archive of some days."""
    exports.ask(
        first=order.day("first"),
        last=order.day("last"),
        pictures=order.ticked("pictures"),
        source=order.request.META.get("REMOTE_ADDR") or "",
        **order.who,
    )
    return Done(
        _("The archive is being made: this page shows how far it is"), reverse("inspector-exports")
    )


def cancel(order: Order, _asked: Asked) -> Done:
    """Call off what one asked for."""
    exports.cancel(export=order.integer("export"), **order.who)
    return Done(_("The archive is cancelled"), reverse("inspector-exports"))


def context(asked: Asked) -> Context:
    """Give the list of the hall, one's own with what may be done; read as an inspector reads."""
    with inspection.reading(asked.hall):
        return _listed(asked)


def _listed(asked: Asked) -> Context:
    page = Paginator(query.of_hall(asked.hall), PER_PAGE).get_page(asked.query.get("page"))
    today = retention.day(asked.hall, timezone.now())
    return {
        "page": page,
        "rows": [_row(one, asked.person) for one in page],
        "under_way": any(one.state in UNDER_WAY for one in page),
        "live_address": f"{reverse('inspector-exports-live')}?{asked.query.urlencode()}",
        "first": asked_for.day(asked.query, "from") or today - timedelta(days=30),
        "last": asked_for.day(asked.query, "to") or today,
        "hours": int(rules.KEPT.total_seconds()) // 3600,
    }


def _row(export: Export, person: Person) -> Context:
    return {
        "export": export,
        "own": export.by_id == person.pk,
        "under_way": export.state in UNDER_WAY,
        "percent": rules.percent(export.written, export.files),
        "state": export_words.STATES[export.state],
        "step": export_words.STEPS.get(export.step, ""),
        "fault": export_words.fault(export.fault) if export.fault else "",
    }


@reading
def live(request: HttpRequest, asked: Asked) -> HttpResponseBase:
    """Give the list alone, to a page that asks again and again while something is under way."""
    shown = _listed(asked) | {
        "page_name": PAGE.name, "place": {}, "verb": "", "may_change": asked.may_change,
    }  # fmt: skip
    status = 200 if shown["under_way"] else STOP
    return render(request, "inspection/exports/list.html", shown, status=status)


@require_GET
@login_required
def file(request: HttpRequest, export: int) -> HttpResponseBase:
    """Give the archive to whoever asked for it, as it was written, and to nobody else."""
    person = request.user
    if not isinstance(person, Person) or not {*READERS} & {*person.roles}:
        return refused.forbidden(request, READERS)
    try:
        found = query.own(person, export)
        place = query.file(found, at=timezone.now())
        exports.taken(
            export=found, by=person, at=timezone.now(), address=request.get_full_path(),
            source=request.META.get("REMOTE_ADDR") or "",
        )  # fmt: skip
    except Refusal as refusal:
        if refusal.code == "export_unknown":
            raise Http404 from None
        return _no_file(request, words.refusal(refusal), refusal.code, 409)
    except DatabaseError:
        text = _(
            "This cannot be shown: what is looked at is written down, and that failed. Tell the hall manager."
        )
        return _no_file(request, text, "look_not_recorded", 503)
    name = f"{found.hall.code}-{found.first}-{found.last}.zip"
    return streamed(_blocks(place), kind="application/zip", name=name)


def _no_file(request: HttpRequest, text: str, code: str, status: int) -> HttpResponse:
    told = {"text": text, "code": code}
    told |= {"next_url": reverse("inspector-exports"), "next_label": _("Back to the archives")}
    return render(request, "refusal.html", told, status=status)


def _blocks(place: Path) -> Iterator[bytes]:
    with place.open("rb") as found:
        while block := found.read(BLOCK):
            yield block


PAGE = Page(
    "inspector-exports",
    "inspector/exports/",
    "inspection/exports.html",
    context,
    {"ask": ask, "cancel": cancel},
    writers=READERS,
)

urls = [
    *PAGE.urls(),
    path("inspector/exports/live/", never_cache(live), name="inspector-exports-live"),
    path("inspector/exports/<int:export>/archive.zip", never_cache(file), name="inspector-export"),
]
