"""The page of exports: a hall's record as an archive, asked for, followed, taken by whoever asked.

A file is sent while it is made: the server holds one block of it, not all. Also its words: how far
it is, what is written, what it failed of.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import timedelta

from asgiref.sync import sync_to_async
from django.core.paginator import Paginator
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo import catalogues
from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws.models import Export
from draws.models.record import UNDER_WAY
from draws.record.archive import contents, queue
from draws.refusals import text as refusals_text
from draws.web import listing
from draws.web.forms import CommandForm, for_roles
from draws.web.page_classes import READERS, Context, Page, PageRequest, Success, reading
from halls import inspection
from halls.models import Person


def streamed(
    blocks: Iterator[bytes], *, kind: str, name: str, keep: bool = True
) -> StreamingHttpResponse:
    """Answer with a file made of `blocks`, of that media type and name: to keep, or to look at."""
    response = StreamingHttpResponse(_one_by_one(blocks), content_type=kind)
    response["Content-Disposition"] = content_disposition_header(keep, name) or ""
    return response


async def _one_by_one(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Make each block in the thread that may use the database, when it is wanted."""
    following = sync_to_async(lambda: next(blocks, None))
    while (block := await following()) is not None:
        yield block


Text = Promise | str

_WORDS = catalogues.words_beside(__file__)
STATES: Mapping[str, Text] = _WORDS["states"]
STEPS: Mapping[str, Text] = _WORDS["steps"]


def export_fault(code: str) -> Text:
    """Say what an archive failed of."""
    return refusals_text.EXPORT_FAULTS.get(code) or refusals_text.REFUSALS.get(code) or code


PER_PAGE = 20
STOP = 286  # htmx takes the answer and asks no more


def ask_export(order: CommandForm, _asked: PageRequest) -> Success:
    """Ask for the archive of some days."""
    queue.ask_export(
        first=order.day("first"),
        last=order.day("last"),
        pictures=order.ticked("pictures"),
        source=order.request.META.get("REMOTE_ADDR") or "",
        **order.who,
    )
    return Success(
        _("The archive is being made: this page shows how far it is"), reverse("inspector-exports")
    )


def cancel_export(order: CommandForm, _asked: PageRequest) -> Success:
    """Call off what one asked for."""
    queue.cancel_export(export=order.integer("export"), **order.who)
    return Success(_("The archive is cancelled"), reverse("inspector-exports"))


def export_context(asked: PageRequest) -> Context:
    """Return the list of the hall, one's own with what may be done; read as an inspector reads."""
    with inspection.reading(asked.hall):
        return _listed(asked)


def _listed(asked: PageRequest) -> Context:
    page = Paginator(queue.export_list_of_hall(asked.hall), PER_PAGE).get_page(
        asked.query.get("page")
    )
    today = asked.hall.day(timezone.now())
    return {
        "page": page,
        "rows": [_row(one, asked.person) for one in page],
        "under_way": any(one.state in UNDER_WAY for one in page),
        "live_address": f"{reverse('inspector-exports-live')}?{asked.query.urlencode()}",
        "first": listing.day(asked.query, "from") or today - timedelta(days=30),
        "last": listing.day(asked.query, "to") or today,
        "hours": int(actas_after_sealing.KEPT.total_seconds()) // 3600,
    }


def _row(export: Export, person: Person) -> Context:
    return {
        "export": export,
        "own": export.by_id == person.pk,
        "under_way": export.state in UNDER_WAY,
        "percent": actas_after_sealing.percent(export.written, export.files),
        "state": STATES[export.state],
        "step": STEPS.get(export.step, ""),
        "fault": export_fault(export.fault) if export.fault else "",
    }


@reading
def live(request: HttpRequest, asked: PageRequest) -> HttpResponseBase:
    """Return the list alone, to a page that asks again and again while something is under way."""
    shown = _listed(asked) | {
        "page_name": PAGE.name, "place": {}, "verb": "", "may_change": asked.may_change,
    }  # fmt: skip
    status = 200 if shown["under_way"] else STOP
    return render(request, "record/archive/list.html", shown, status=status)


@require_GET
@for_roles(*READERS)
def export_file(request: HttpRequest, person: Person, export: int) -> HttpResponseBase:
    """Return the archive to whoever asked for it, as it was written, and to nobody else."""
    try:
        found = queue.own(person, export)
        place = queue.export_list_file(found, at=timezone.now())
        queue.record_export_taken(
            export=found, by=person, at=timezone.now(), address=request.get_full_path(),
            source=request.META.get("REMOTE_ADDR") or "",
        )  # fmt: skip
    except Refusal as refusal:
        if refusal.code == "export_unknown":
            raise Http404 from None
        return _no_file(request, refusals_text.refusal(refusal), refusal.code, 409)
    except DatabaseError:
        text = _(
            "This cannot be shown: what is looked at is written down, and that failed. Tell the hall manager."
        )
        return _no_file(request, text, "look_not_recorded", 503)
    name = f"{found.hall.code}-{found.first}-{found.last}.zip"
    return streamed(contents.file_blocks(place), kind="application/zip", name=name)


def _no_file(request: HttpRequest, text: str, code: str, status: int) -> HttpResponse:
    told = {"text": text, "code": code}
    told |= {"next_url": reverse("inspector-exports"), "next_label": _("Back to the archives")}
    return render(request, "web/refusal.html", told, status=status)


PAGE = Page(
    "inspector-exports",
    "inspector/exports/",
    "record/archive/exports.html",
    export_context,
    {"ask": ask_export, "cancel": cancel_export},
    writers=READERS,
)

export_urls = [
    *PAGE.urls(),
    path("inspector/exports/live/", never_cache(live), name="inspector-exports-live"),
    path(
        "inspector/exports/<int:export>/archive.zip",
        never_cache(export_file),
        name="inspector-export",
    ),
]
