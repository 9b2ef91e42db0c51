"""A page of the office: shown to whoever may read it, taking orders from whoever may give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.views import order, refused
from draws.views.order import Order
from halls.models import Hall, Person, Role
from halls.queries import inspection

READERS = (Role.HALL_MANAGER, Role.INSPECTOR)
WRITERS = (Role.HALL_MANAGER,)

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
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
class Done:
    """What an order came to, and the address that shows it; `warning` where more is to be done."""

    text: str
    address: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """An order that did nothing: its page is shown again with what was typed, and what that means."""


Reading = Callable[[HttpRequest, Asked], HttpResponseBase]
Verb = Callable[[Order, Asked], Done | Tried]


@dataclass(frozen=True, slots=True)
class Page:
    """`context` gives what the page shows, each verb does one thing and says what.

    Http404 where the address names nothing of the person's own hall.
    """

    name: str
    route: str
    template: str
    context: Callable[[Asked], Context]
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    readers: tuple[Role, ...] = READERS
    writers: tuple[Role, ...] = WRITERS

    def urls(self) -> list[URLPattern]:
        """Give the page's address, and those that its orders go to."""
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
    ) -> Callable[..., HttpResponse]:
        @never_cache
        @sensitive_post_parameters()
        def bound(request: HttpRequest, **place: Any) -> HttpResponse:
            person = request.user
            if not person.is_authenticated:
                # Back to the page, not to the address that an order was sent to.
                named = {name: value for name, value in place.items() if name != "verb"}
                return redirect_to_login(reverse(self.name, kwargs=named))
            if not isinstance(person, Person) or not set(roles) & set(person.roles):
                return refused.forbidden(request, roles)
            return view(request, self, person, **place)

        return bound


def reading(view: Reading) -> Callable[..., HttpResponseBase]:
    """Let whoever may read the pages also read what belongs to them: pictures, files, jumps.

    They read as an inspector of their hall does, so that PostgreSQL sees to it too.
    """

    @require_GET
    @login_required
    def bound(request: HttpRequest, **place: int) -> HttpResponseBase:
        person = request.user
        if not isinstance(person, Person) or not set(READERS) & set(person.roles):
            return refused.forbidden(request, READERS)
        hall = person.hall  # before the role is taken: whoever logs in is no inspector's business
        with inspection.reading(hall):
            return view(request, Asked(person, place, request.GET))

    return bound


@require_GET
def _page(request: HttpRequest, page: Page, person: Person, **place: int) -> HttpResponse:
    return _shown(request, page, Asked(person, place, request.GET, writers=page.writers), {})


@require_POST
def _do(request: HttpRequest, page: Page, person: Person, verb: str, **place: int) -> HttpResponse:
    """Carry out one order and go where it shows: 302 done, 409 refused with what was typed kept.

    200 where it was only tried.
    """
    asked = Asked(person, place, request.GET, request.POST, verb, page.writers)
    try:
        done = _carried_out(request, page, asked)
    except Refusal as refusal:
        if refused.done_before(request, person, refusal):
            messages.success(request, _("Done"))
            return redirect(reverse(page.name, kwargs=place))
        refused.note(request, refusal, command=verb)
        notice = {
            "kind": "error",
            "title": _("Not done"),
            "text": words.refusal(refusal, form=asked.verb),
        }
        told = {"notice": notice | {"code": refusal.code}, "wrong": refusal.values.get("field", "")}
        return _shown(request, page, asked, told, status=409)
    if isinstance(done, Tried):
        return _shown(request, page, asked, {})
    if done.text:
        tell = messages.warning if done.warning else messages.success
        tell(request, done.text)
    return redirect(done.address)


def _carried_out(request: HttpRequest, page: Page, asked: Asked) -> Done | Tried:
    if asked.verb not in page.verbs:
        raise Refusal("bad_input", field="verb")
    return page.verbs[asked.verb](order.read(request, asked.person), asked)


def _shown(
    request: HttpRequest, page: Page, asked: Asked, told: Context, *, status: int = 200
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
