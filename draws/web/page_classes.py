"""The base of pages: who may read one, who may give it orders, and what it answers.

A page of the office is shown to whoever may read it. A role's page is shown whole, refreshed in
part, and takes orders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from bingo.rules.refusal import Refusal
from draws import trade_words
from draws.games.queries import HallState, get_hall_state
from draws.refusals import text
from draws.web import forms, fresh_proof
from draws.web.forms import CommandForm, View, for_roles
from halls import inspection
from halls.models import Hall, Person, Role
from halls.web.menu_and_theme import PAGES

READERS = (Role.HALL_MANAGER, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER,)

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Who asks, what the address names, its questions, and what a refused form had in it."""

    person: Person
    place: Mapping[str, int]
    query: QueryDict
    typed: QueryDict = field(default_factory=lambda: QueryDict(""), repr=False)
    verb: str = ""
    writers: tuple[Role, ...] = WRITERS

    @property
    def hall(self) -> Hall:
        """The person's hall."""
        return self.person.hall

    @property
    def may_change(self) -> bool:
        """Whether the person may give orders, not only read."""
        return bool(set(self.writers) & set(self.person.roles))

    @property
    def fields(self) -> QueryDict:
        """What the form holds: as it was sent and refused, else as the address asks."""
        return self.typed or self.query


@dataclass(frozen=True, slots=True)
class Success:
    """What an order came to, and the address that shows it; `warning` where more is to be done.

    `once` is what the answer itself shows, and no page after it: no browser is led on then.
    """

    text: str
    address: str
    warning: bool = False
    once: Context = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preview:
    """An order that did nothing: its page is shown again with what was typed, and what that means.

    `shown` is what the page shows besides.
    """

    shown: Context = field(default_factory=dict)


def _seat(view: View, roles: tuple[Role, ...], *, back: str) -> View:
    """Return a view of a page that `roles` may come to; no browser or proxy keeps what it shows."""
    return never_cache(sensitive_post_parameters()(for_roles(*roles, back=back)(view)))


def _read(request: HttpRequest, person: Person, verbs: Mapping[str, Any], verb: str) -> CommandForm:
    """Return the order that a form sends. Raises Refusal bad_input."""
    if verb not in verbs:
        raise Refusal("bad_input", field="verb")
    return forms.read_form(request, person)


def _refused(
    request: HttpRequest,
    refusal: Refusal,
    verb: str,
    *,
    titles: Mapping[str, Promise] = MappingProxyType({}),
) -> Context:
    """Journal a refused order and return what its page says of it."""
    forms.note_refusal(request, refusal, command=verb)
    return text.notice(refusal, title=titles.get(refusal.code))


def _label(page: str, *, address: str, name: str) -> str:
    """Return what a page calls a field of the form that sends to an address.

    Nothing where it has no label there, or several forms of rows call it each otherwise.
    """
    form = rf'<form\b[^>]*\baction="{re.escape(address)}[?"].*?</form>'
    control = rf'<(?:input|select|textarea)\b[^>]*\bname="{re.escape(name)}"[^>]*>'
    labels = set()
    for found in re.finditer(form, page, re.DOTALL):
        for one in re.findall(control, found[0]):
            id = re.search(r'\bid="([^"]+)"', one)
            of_it = id and re.search(rf'<label\b[^>]*\bfor="{id[1]}"[^>]*>([^<]+)', found[0])
            if of_it:
                labels.add(unescape(of_it[1]).strip())
    return labels.pop() if len(labels) == 1 else ""


def _by_its_label(answer: HttpResponse, address: str, refusal: Refusal) -> HttpResponse:
    """Return a refused form's page, its notice calling the field as the form beside it does."""
    name = str(refusal.values.get("field", ""))
    if name and (label := _label(answer.content.decode(), address=address, name=name)):
        told, labelled = text.refusal(refusal), text.refusal(refusal, label=label)
        answer.content = answer.content.replace(escape(told).encode(), escape(labelled).encode())
    return answer


Reading = Callable[[HttpRequest, PageRequest], HttpResponseBase]
Verb = Callable[[CommandForm, PageRequest], Success | Preview]


@dataclass(frozen=True, slots=True)
class Page:
    """`context` gives what the page shows, each verb does one thing and says what.

    Http404 where the address names nothing of the person's own hall.
    """

    name: str
    route: str
    template: str
    context: Callable[[PageRequest], Context]
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    readers: tuple[Role, ...] = READERS
    writers: tuple[Role, ...] = WRITERS

    def urls(self) -> list[URLPattern]:
        """Return the page's address, and those that its orders go to."""
        shown = path(self.route, self._view(_page, self.readers), name=self.name)
        if not self.verbs:
            return [shown]
        orders = path(
            f"{self.route}do/<slug:verb>/", self._view(_do, self.writers), name=self._orders
        )
        return [shown, orders]

    @property
    def _orders(self) -> str:
        return f"{self.name}-do"

    def _view(
        self, view: Callable[..., HttpResponse], roles: tuple[Role, ...]
    ) -> Callable[..., HttpResponseBase]:
        def bound(request: HttpRequest, person: Person, **place: Any) -> HttpResponse:
            return view(request, person, page=self, **place)

        return _seat(bound, roles, back=self.name)


def reading(view: Reading) -> Callable[..., HttpResponseBase]:
    """Let whoever may read the pages also read what belongs to them: pictures, files, jumps.

    They read as an inspector of their hall does, so that PostgreSQL sees to it too.
    """

    @require_GET
    @for_roles(*READERS)
    def bound(request: HttpRequest, person: Person, **place: int) -> HttpResponseBase:
        hall = person.hall  # before the role is taken: whoever logs in is no inspector's business
        with inspection.reading(hall):
            return view(request, PageRequest(person, place, request.GET))

    return bound


@require_GET
def _page(request: HttpRequest, person: Person, *, page: Page, **place: int) -> HttpResponse:
    return _render_page(
        request, page, PageRequest(person, place, request.GET, writers=page.writers), {}
    )


@require_http_methods(["GET", "POST"])
def _do(
    request: HttpRequest, person: Person, *, page: Page, verb: str, **place: int
) -> HttpResponse:
    """Carry out one order and go where it shows: 302 done, 409 refused with what was typed kept.

    200 where it was only tried, or where its answer alone shows what came of it. A browser that opens
    the address anew, or follows a link of the page answered there, comes to the page with what it
    asks: 302.
    """
    if request.method == "GET":
        return redirect(reverse(page.name, kwargs=place, query=request.GET))
    if (asking := fresh_proof.hold(request, person, page=page.name, verb=verb)) is not None:
        return asking
    asked = PageRequest(person, place, request.GET, request.POST, verb, page.writers)
    try:
        order = _read(request, person, page.verbs, verb)
        done = page.verbs[verb](order, asked)
    except Refusal as refusal:
        told = {
            "notice": _refused(request, refusal, verb),
            "wrong": refusal.values.get("field", ""),
        }
        shown = _render_page(request, page, asked, told, status=409)
        return _by_its_label(shown, request.path, refusal)
    if isinstance(done, Preview):
        return _render_page(request, page, asked, done.shown)
    if done.once:
        page_after = PageRequest(person, place, request.GET, writers=page.writers)
        return _render_page(request, page, page_after, done.once)
    if done.text:
        tell = messages.warning if done.warning else messages.success
        tell(request, done.text)
    return redirect(done.address)


def _render_page(
    request: HttpRequest, page: Page, asked: PageRequest, told: Context, *, status: int = 200
) -> HttpResponse:
    shown = {
        "page_name": page.name,
        "place": asked.place,
        "verb": asked.verb,
        "typed": asked.typed,
        "key": uuid4(),
        "may_change": asked.may_change,
    }
    return render(request, page.template, shown | page.context(asked) | told, status=status)


DeskVerb = Callable[[CommandForm, HallState], "str | Notice"]


@dataclass(frozen=True, slots=True)
class Notice:
    """What an order came to, when it is no plain success: a warning, say."""

    text: str
    kind: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """One role's page: `context` gives what it shows, each verb does one thing and says what.

    `titles` are what stands above a refusal, by its code, where it is not that nothing was done.
    """

    name: str
    context: Callable[[Person, HallState], Context]
    verbs: Mapping[str, DeskVerb]
    titles: Mapping[str, Promise] = field(default_factory=dict)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that may sit here."""
        return PAGES[self.name][1]

    def urls(self) -> list[URLPattern]:
        """Return the page, its live part, and the address orders go to."""
        return [
            path(f"{self.name}/", self._view(_desk_page), name=self.name),
            path(f"{self.name}/live/", self._view(_live), name=f"{self.name}-live"),
            path(f"{self.name}/do/<slug:verb>/", self._view(_desk_do), name=f"{self.name}-do"),
        ]

    def _view(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
        def bound(request: HttpRequest, person: Person, **arguments: str) -> HttpResponse:
            return view(request, person, desk=self, **arguments)

        return _seat(bound, self.roles, back=self.name)


@require_GET
def _desk_page(request: HttpRequest, person: Person, *, desk: Desk) -> HttpResponse:
    return render(request, f"desks/{desk.name}.html", _context(desk, person))


@require_GET
def _live(request: HttpRequest, person: Person, *, desk: Desk) -> HttpResponse:
    return render(request, f"desks/{desk.name}_live.html", _context(desk, person))


@require_http_methods(["GET", "POST"])
def _desk_do(request: HttpRequest, person: Person, *, desk: Desk, verb: str) -> HttpResponse:
    """Carry out one order and show the desk as it stands after it: 200 done, 409 refused.

    A browser that opens the address anew comes to the desk: 302.
    """
    if request.method == "GET":
        return redirect(desk.name)
    notice: Context
    refused = None
    if (asking := fresh_proof.hold(request, person, page=desk.name, verb=verb)) is not None:
        return asking
    try:
        order = _read(request, person, desk.verbs, verb)
        done = desk.verbs[verb](order, get_hall_state(person.hall.code))
        told = done if isinstance(done, Notice) else Notice(done, "ok")
        notice = {"kind": told.kind, "title": told.text, "text": told.more}
    except Refusal as refusal:
        refused = refusal
        notice = _refused(request, refusal, verb, titles=desk.titles)
    part = "_live" if request.headers.get("HX-Request") else ""
    shown = _context(desk, person) | {"notice": notice}
    status = 409 if notice.get("code") else 200
    answer = render(request, f"desks/{desk.name}{part}.html", shown, status=status)
    return _by_its_label(answer, request.path, refused) if refused else answer


def _phase(now: HallState) -> trade_words.Text:
    known = now.game_state
    if known is None:
        return trade_words.PHASES["open" if now.session else now.phase]
    return trade_words.PHASES[known.shown_phase]


def desk_place(now: HallState) -> str:
    """Name where a hall stands, as live.js does from a board: session, game, phase, issues.

    While it stays there and cards are sold, only numbers change.
    """
    session = str(now.session.number) if now.session else ""
    if now.game_state is None:
        return f"{session}//none"
    issues = (str(run.issue) for run in now.game_state.runs)
    return "/".join((session, str(now.game_state.number), now.phase, *issues))


def _context(desk: Desk, person: Person) -> Context:
    now = get_hall_state(person.hall.code)
    now.hall.written_currency = person.hall.written_currency  # known from the login
    shown = {
        "now": now,
        "key": uuid4(),
        "desk": desk.name,
        "place": desk_place(now),
        "phase_text": _phase(now),
    }
    return shown | desk.context(person, now)


def file_response(
    content: bytes | str, *, kind: str, name: str, keep: bool = False
) -> HttpResponse:
    """Answer with a file of that media type and name: to look at, or to keep."""
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(keep, name) or ""
    return response
