"""A role's page: shown whole, refreshed in part, and taking orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.queries.standing import Standing, standing
from draws.views import order, refused
from draws.views.order import Order
from halls.models import Person, Role
from halls.views.console import PAGES

Verb = Callable[[Order, Standing], "str | Told"]
Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
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
    context: Callable[[Person, Standing], Context]
    verbs: Mapping[str, Verb]
    titles: Mapping[str, Promise] = field(default_factory=dict)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that may sit here."""
        return PAGES[self.name][1]

    def urls(self) -> list[URLPattern]:
        """Give the page, its live part, and the address orders go to."""
        return [
            path(f"{self.name}/", self._view(_page), name=self.name),
            path(f"{self.name}/live/", self._view(_live), name=f"{self.name}-live"),
            path(f"{self.name}/do/<slug:verb>/", self._view(_do), name=f"{self.name}-do"),
        ]

    def _view(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @never_cache
        @sensitive_post_parameters()
        def bound(request: HttpRequest, **arguments: str) -> HttpResponse:
            person = request.user
            if not person.is_authenticated:
                # Back to the page, not to the address that an order was sent to.
                return redirect_to_login(reverse(self.name))
            if not isinstance(person, Person) or not set(self.roles) & set(person.roles):
                return refused.forbidden(request, self.roles)
            return view(request, self, person, **arguments)

        return bound


@require_GET
def _page(request: HttpRequest, desk: Desk, person: Person) -> HttpResponse:
    return render(request, f"{desk.name}.html", _context(desk, person))


@require_GET
def _live(request: HttpRequest, desk: Desk, person: Person) -> HttpResponse:
    return render(request, f"{desk.name}_live.html", _context(desk, person))


@require_POST
def _do(request: HttpRequest, desk: Desk, person: Person, verb: str) -> HttpResponse:
    """Carry out one order and show the desk as it stands after it: 200 done, 409 refused."""
    notice: Context
    try:
        done = _carried_out(request, desk, person, verb)
        told = done if isinstance(done, Told) else Told(done, "ok")
        notice, status = {"kind": told.kind, "title": told.text, "text": told.more}, 200
    except Refusal as refusal:
        if refused.done_before(request, person, refusal):
            return _shown(request, desk, person, {"kind": "ok", "title": _("Done")}, status=200)
        refused.note(request, refusal, command=verb)
        title = desk.titles.get(refusal.code, _("Not done"))
        notice = {"kind": "error", "title": title, "text": words.refusal(refusal)}
        notice["code"], status = refusal.code, 409
    return _shown(request, desk, person, notice, status=status)


def _shown(
    request: HttpRequest, desk: Desk, person: Person, notice: Context, *, status: int
) -> HttpResponse:
    part = "_live" if request.headers.get("HX-Request") else ""
    shown = _context(desk, person) | {"notice": notice}
    return render(request, f"{desk.name}{part}.html", shown, status=status)


def _carried_out(request: HttpRequest, desk: Desk, person: Person, verb: str) -> str | Told:
    if verb not in desk.verbs:
        raise Refusal("bad_input", field="verb")
    return desk.verbs[verb](order.read(request, person), standing(person.hall.code))


def _phase(now: Standing) -> str:
    return "open" if now.session and now.known is None else now.phase


def place(now: Standing) -> str:
    """Name where a hall stands, as live.js does from a board: session, game, phase, issues.

    While it stays there and cards are sold, only numbers change.
    """
    session = str(now.session.number) if now.session else ""
    if now.known is None:
        return f"{session}//none"
    issues = (str(run.issue) for run in now.known.runs)
    return "/".join((session, str(now.known.number), now.phase, *issues))


def _context(desk: Desk, person: Person) -> Context:
    now = standing(person.hall.code)
    shown = {
        "now": now,
        "key": uuid4(),
        "desk": desk.name,
        "place": place(now),
        "phase_text": words.phase(_phase(now)),
    }
    return shown | desk.context(person, now)
