"""What each person's browser keeps: dark or light, and whether letters are keys by themselves.

What every page's frame shows: the hall, the person's pages, the live address.

Pages speak a person's language and tell the time of their hall.

Every look of an inspector is written down before it is given, or it is not given.

Training has addresses of its own: /training/caller/ is the caller's desk where nothing is real.

The address decides, not the browser's cookie: a page of the one hall never gives an order in the
other, whatever was opened beside it or comes back by the browser's own buttons.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.storage.fallback import FallbackStorage
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils import timezone, translation
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bingo.rules import staff as rules_staff
from halls import inspection, training
from halls.journal.queries import had_an_evening
from halls.models import Hall, Person, Role

Choices = Mapping[str, Promise | str]

YEAR = 365 * 24 * 3600
# Without a choice each page has its own: dark at the desks of the hall, light in the office.
THEMES: Choices = MappingProxyType(
    {
        "": gettext_lazy("As each page has it"),
        "machine": gettext_lazy("As the machine has it"),
        "dark": gettext_lazy("Dark colours"),
        "light": gettext_lazy("Light colours"),
    }
)
# A screen reader and a voice that types need the letters for themselves (WCAG 2.1.4).
LETTERS: Choices = MappingProxyType(
    {
        "": gettext_lazy("Letters are keys by themselves"),
        "alt": gettext_lazy("Letters are keys only with Alt"),
    }
)
# What is kept, each in a cookie of this name.
KEPT: Mapping[str, Choices] = MappingProxyType({"theme": THEMES, "letters": LETTERS})


def chosen(request: HttpRequest, name: str = "theme") -> str:
    """Return what this browser keeps, empty for nothing; `name` is one of KEPT."""
    kept = request.COOKIES.get(name, "")
    return kept if kept in KEPT[name] else ""


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep a choice and go back to the page; what is none of them is forgotten."""
    back = request.POST.get("next", "")
    local = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    answer = HttpResponseRedirect(back if local else "/")
    for name, choices in KEPT.items():
        if name in request.POST:
            _keep(answer, name, request.POST[name], choices)
    return answer


def _keep(answer: HttpResponse, name: str, asked: str, choices: Choices) -> None:
    if asked and asked in choices:
        answer.set_cookie(
            name,
            asked,
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie(name, samesite="Lax")


# A person's first page is the first of these that one of their roles opens.
PAGES: Mapping[str, tuple[Promise | str, tuple[Role, ...]]] = MappingProxyType(
    {
        "manager": (gettext_lazy("Hall"), (Role.HALL_MANAGER,)),
        "table": (gettext_lazy("Table"), (Role.TABLE_CHIEF,)),
        "caller": (gettext_lazy("Draw"), (Role.CALLER,)),
        "till": (gettext_lazy("Till"), (Role.CASHIER,)),
        "seller": (gettext_lazy("Cards in hand"), (Role.SELLER,)),
        "door": (gettext_lazy("Door"), (Role.DOOR, Role.HALL_MANAGER)),
        "assistant": (gettext_lazy("Floor"), (Role.FLOOR_ASSISTANT,)),
        "inspector": (gettext_lazy("Records"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "watch": (gettext_lazy("The hall now"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "cards": (gettext_lazy("Cards"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "custody": (
            gettext_lazy("Custody"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "unclaimed": (
            gettext_lazy("Unclaimed money"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CASHIER, Role.INSPECTOR),
        ),
        "complaints": (
            gettext_lazy("Complaints"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "equipment": (
            gettext_lazy("Equipment"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "cameras": (
            gettext_lazy("Cameras"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER, Role.INSPECTOR),
        ),
        "screens": (gettext_lazy("Screens"), (Role.HALL_MANAGER,)),
        "policy": (gettext_lazy("Rules"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "jackpot": (gettext_lazy("Jackpots"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "staff": (gettext_lazy("Staff"), (Role.HALL_MANAGER, Role.INSPECTOR)),
    }
)


def pages_of(person: Person) -> list[str]:
    """Return the names of the pages that a person's roles open."""
    return [name for name, (_label, roles) in PAGES.items() if set(roles) & set(person.roles)]


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return base.html its hall, navigation and theme."""
    looks = {
        "theme": chosen(request),
        "themes": THEMES.items(),
        "letters": chosen(request, "letters"),
        "letter_choices": LETTERS.items(),
    }
    person = getattr(request, "user", None)
    if not isinstance(person, Person):
        halls = list(Hall.objects.filter(trains=None)[:2])
        return {"hall": halls[0] if len(halls) == 1 else None, **looks}
    return {
        "hall": person.hall,
        # Parts of a page that are fetched again and again show none of them.
        "pages": SimpleLazyObject(lambda: _pages(request, person)),
        "live_url": f"/live/{person.hall.code}/",
        **_practice(request, person),
        **looks,
    }


def _practice(request: HttpRequest, person: Person) -> dict[str, Any]:
    """Return the way into training or out of it, to the same page where it is a person's there."""
    desk = request.path_info.split("/")[1]
    if not person.hall.is_training:
        staff = bool(rules_staff.roles(person.roles))
        return {"may_practise": staff, "desk_name": desk if desk in PAGES else ""}
    own = person.practises
    back = desk if own and desk in pages_of(own) else ""
    return {
        "training": True,
        "partner_name": training.partner_name(person.hall),
        "partner_password": training.PARTNER,
        "leave_url": f"/{back}/" if back else "/",
    }


def _pages(request: HttpRequest, person: Person) -> list[dict[str, Any]]:
    practising = person.hall.is_training
    names = [one for one in pages_of(person) if not (practising and one in rules_staff.REAL_ONLY)]
    pages = [_page(request, PAGES[name][0], reverse(name)) for name in names]
    if Role.HALL_MANAGER in person.roles and not practising and not had_an_evening(person.hall):
        pages.insert(0, _page(request, gettext_lazy("First steps"), reverse("first-steps")))
    pages.append(_page(request, gettext_lazy("Board"), reverse("board", args=[person.hall.code])))
    return pages


def _page(request: HttpRequest, label: Promise | str, url: str) -> dict[str, Any]:
    """Return an entry of the navigation: current on its page and on all that lie under it."""
    return {"label": label, "url": url, "current": request.path.startswith(url)}


class PlaceMiddleware:
    """Uses a person's own language, unless a cookie says otherwise, and their hall's clock."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's language and at the hall's hour."""
        person = request.user
        if not person.is_authenticated:
            return self._get_response(request)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(ZoneInfo(person.hall.time_zone)):
            return self._get_response(request)


log_look = logging.getLogger(__name__)


class LookMiddleware:
    """Writes down each page, file, search and order of a person who is an inspector."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on: what is asked for is known once its view is found."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Write the look down; 503 where that fails, whatever was asked for."""
        person = request.user
        if not isinstance(person, Person) or Role.INSPECTOR not in person.roles:
            return None
        match = request.resolver_match
        try:
            inspection.record_look(
                person,
                at=timezone.now(),
                method=request.method or "",
                route=(match.view_name if match else "") or "",
                path=request.get_full_path(),
                source=request.META.get("REMOTE_ADDR") or "",
            )
        except DatabaseError as error:
            log_look.warning("a look of %s is not written down: %s", person, type(error).__name__)
            text = _(
                "This cannot be shown: what is looked at is written down, and that failed. Tell the hall manager."
            )
            context = {"text": text, "code": "look_not_recorded"}
            return render(request, "web/refusal.html", context, status=503)
        return None


PREFIX = "/training"
DOORS = ("/login/", "/logout/")  # who somebody is, is one thing in both halls
OPEN = "/board/"

Answer = Callable[[HttpRequest], HttpResponse]


class TrainingMiddleware:
    """Answers what lies under PREFIX as the training hall's account of whoever is logged in."""

    def __init__(self, get_response: Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the hall that the address names."""
        if not request.path_info.startswith(f"{PREFIX}/"):
            _require_real(request)
            return self._get_response(request)
        inner = request.path_info.removeprefix(PREFIX)
        if inner in DOORS:
            request.path_info = inner
            return self._get_response(request)
        person = request.user
        if inner.split("/")[1] in rules_staff.REAL_ONLY:
            return redirect(f"{PREFIX}{reverse('practise')}")
        if isinstance(person, Person):
            if person.password_given:
                return redirect("own-password")
            account = training.seat(person)
            if account is None:
                return redirect("practise")
            request.user = account
        elif not inner.startswith(OPEN):
            return redirect_to_login(request.get_full_path(), reverse("login"))
        request.path_info = inner
        with _prefixed():
            return self._get_response(request)


class HallMessages(FallbackStorage):
    """What an order came to, told on the next page: of the same hall, not of a tab beside it."""

    def __init__(self, request: HttpRequest, *arguments: Any, **named: Any) -> None:
        super().__init__(request, *arguments, **named)
        if request.path.startswith(f"{PREFIX}/"):
            for storage in self.storages:
                storage.cookie_name, storage.session_key = "training_messages", "_training_messages"


def _require_real(request: HttpRequest) -> None:
    """Let nobody be an account of a training hall where things are real; none logs in, all the same."""
    person = request.user
    if isinstance(person, Person) and person.hall.is_training:
        request.user = AnonymousUser()


@contextmanager
def _prefixed() -> Iterator[None]:
    """Let every address that is made meanwhile be one of training."""
    before = get_script_prefix()
    set_script_prefix(f"{PREFIX}/")
    try:
        yield
    finally:
        set_script_prefix(before)
