"""The inspector's pages: sessions, entries and actas, to read and to take away; nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.http import require_GET

from draws.documents import complaint_words, facts, words
from draws.models import Acta, Game, RectifiedActa
from draws.queries import complaints, period, record, sold, witnessed
from draws.views import rectifying, refused
from draws.views.inspection import (
    asked,
    exporting,
    halls,
    looking,
    prizes,
    remarking,
    replaying,
    searching,
    watch,
)
from halls.models import Hall, JournalEntry, Person, Session
from halls.queries import export, inspection, totals
from halls.views.console import PAGES

PER_PAGE = 100
LARGEST = 2**63 - 1  # of an entry's number


def reader(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let inspectors and hall managers read, each their own hall: PostgreSQL sees to it too."""

    @require_GET
    @login_required
    def bound(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        person = request.user
        roles = PAGES["inspector"][1]
        if not isinstance(person, Person) or not set(roles) & set(person.roles):
            return refused.forbidden(request, roles)
        hall = person.hall  # before the role is taken: whoever logs in is no inspector's business
        with inspection.reading(hall):
            return view(request, person, **arguments)

    return bound


def _streamed(hall: Hall, lines: Iterator[str]) -> Iterator[str]:
    """Read as the inspector too what is sent after the page was made."""
    with inspection.reading(hall):
        yield from lines


@reader
def sessions(request: HttpRequest, person: Person) -> HttpResponse:
    """List the hall's sessions of some days, newest first."""
    query = request.GET
    begins, ends = asked.day(query, "from"), asked.day(query, "to")
    found = period.sessions(
        person.hall,
        begins=begins,
        ends=ends,
        before=asked.number(query, "before"),
        after=asked.number(query, "after"),
    )
    context = {
        "period": found,
        "begins": begins,
        "ends": ends,
        "totals": totals.carried(person.hall).items(),
        "complaints": complaints.still_open(person.hall),
    }
    return render(request, "inspector.html", context)


@reader
def session(request: HttpRequest, person: Person, number: int) -> HttpResponse:
    """Show one session: its games, its entries, its acta."""
    shown = get_object_or_404(
        Session.objects.select_related("hall", "opened_by", "closed_by", "authorisation"),
        hall=person.hall,
        number=number,
    )
    entries = (
        JournalEntry.objects.filter(session=shown).select_related("by", "hall").order_by("number")
    )
    kind = request.GET.get("kind", "")
    game = request.GET.get("game", "")
    if kind in words.KINDS:
        entries = entries.filter(kind=kind)
    if game.isascii() and game.isdigit() and len(game) < 6:
        entries = entries.filter(game=int(game))
    since = asked.number(request.GET, "from", most=LARGEST)
    if since is not None:
        entries = entries.filter(number__gte=since)
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "session": shown,
        "games": record.games_of(shown),
        "page": page,
        "rows": [(entry, words.kind(entry.kind), facts.told(entry)) for entry in page],
        "kinds": words.KINDS,
        "kind": kind,
        "game": game,
        "since": since,
        "acta": Acta.objects.filter(session=shown).defer("pdf").first(),
        "complaints": [
            (one, complaint_words.DECISIONS.get(one.decision, ""), complaints.decided_by(one))
            for one in complaints.of_session(shown)
        ],
        **rectifying.shown(person, shown),
    }
    return render(request, "inspector_session.html", context)


@reader
def game(request: HttpRequest, person: Person, number: int, game: int) -> HttpResponse:
    """Show one game: sales, balls, claims, prizes, payments."""
    shown = get_object_or_404(
        Game.objects.select_related("session__hall", "issue__series", "first_half"),
        session__hall=person.hall,
        session__number=number,
        number=game,
    )
    context = {
        "game": shown,
        **record.details(shown),
        "halves": 2 if shown.issue.double else 1,
        "of_symbols": shown.issue.symbols,
        "second_half": Game.objects.filter(first_half=shown).first(),
        "collected": record.collected(shown),
        "runs": sold.runs(shown),
        "refunds": sold.refunds(shown),
        "witnessed": [
            (words.kind(done.entry.kind), done)
            for done in witnessed.of_game(shown.session, shown.number)
        ],
    }
    return render(request, "inspector_game.html", context)


@reader
def acta(_request: HttpRequest, person: Person, number: int) -> HttpResponseBase:
    """Give the sealed acta as it was sealed."""
    sealed = get_object_or_404(Acta, session__hall=person.hall, session__number=number)
    return _pdf(sealed, f"acta-{person.hall.code}-{number}.pdf")


@reader
def rectified(_request: HttpRequest, person: Person, number: int, part: int) -> HttpResponseBase:
    """Give a sealed acta that rectifies another, as it was sealed."""
    sealed = get_object_or_404(
        RectifiedActa,
        rectification__session__hall=person.hall,
        rectification__session__number=number,
        rectification__number=part,
    )
    return _pdf(sealed, f"acta-{person.hall.code}-{number}-{part}.pdf")


def _pdf(sealed: Acta | RectifiedActa, name: str) -> HttpResponse:
    response = HttpResponse(bytes(sealed.pdf), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@reader
def certificate(_request: HttpRequest, person: Person, number: int) -> HttpResponse:
    """Give the certificate that the acta's signature is checked against."""
    sealed = get_object_or_404(Acta, session__hall=person.hall, session__number=number)
    response = HttpResponse(sealed.certificate, content_type="application/x-pem-file")
    response["Content-Disposition"] = 'attachment; filename="certificate.pem"'
    return response


@reader
def journal(_request: HttpRequest, person: Person) -> StreamingHttpResponse:
    """Give the hall's whole journal as JSON Lines, for the stand-alone verifier."""
    lines = _streamed(person.hall, export.lines(person.hall))
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="journal-{person.hall.code}.jsonl"'
    return response


def urls() -> list[Any]:
    """Give the inspector's addresses."""
    return [
        path("inspector/", sessions, name="inspector"),
        path("inspector/<int:number>/", session, name="inspector-session"),
        path("inspector/<int:number>/<int:game>/", game, name="inspector-game"),
        path("inspector/<int:number>/acta.pdf", acta, name="acta"),
        path("inspector/<int:number>/acta-<int:part>.pdf", rectified, name="rectified-acta"),
        *rectifying.PAGE.urls(),
        path("inspector/<int:number>/certificate.pem", certificate, name="certificate"),
        path("inspector/journal.jsonl", journal, name="journal"),
        *watch.DESK.urls(),
        *searching.urls,
        *replaying.urls,
        *remarking.PAGE.urls(),
        *looking.urls,
        *exporting.urls,
        *prizes.urls,
        *halls.PAGE.urls(),
    ]
