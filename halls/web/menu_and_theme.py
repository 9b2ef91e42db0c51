"""The frame of every page: the hall, the person's pages, the live address, the browser's settings.

A browser keeps whether pages are dark or light, and whether letters are keys by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from bingo.rules import rulebooks
from bingo.rules import sign_in_and_pins as rules_sign_in
from bingo.rules import staff as rules_staff
from halls import setup, training
from halls.journal.queries import had_an_evening
from halls.models import Person, Role
from halls.web.middleware import cookie_name

Choices = Mapping[str, Promise | str]

YEAR = 365 * 24 * 3600
# Without a choice all pages of a person are as their desk: dark in the hall, light in the office.
DARK = frozenset({"till", "caller", "table", "seller", "assistant"})
THEMES: Choices = MappingProxyType(
    {
        "": gettext_lazy("As my desk has it"),
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
    kept = request.COOKIES.get(cookie_name(name), "")
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
            cookie_name(name),
            asked,
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie(cookie_name(name), samesite="Lax")


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
        "sign-ins": (gettext_lazy("Sign-in"), (Role.HALL_MANAGER, Role.INSPECTOR)),
    }
)


# Whoever has many pages finds those that belong together under one name.
MANY = 10
GROUPS: tuple[tuple[Promise | str, tuple[str, ...]], ...] = (
    (gettext_lazy("Cards and custody"), ("cards", "custody")),
    (gettext_lazy("Records and cases"), ("inspector", "complaints", "unclaimed")),
    (gettext_lazy("Equipment and screens"), ("equipment", "cameras", "screens")),
    (gettext_lazy("Rules and staff"), ("policy", "jackpot", "staff", "sign-ins")),
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
        halls = list(setup.own_halls()[:2])
        return {"hall": halls[0] if len(halls) == 1 else None, **looks}
    return {
        "hall": person.hall,
        # Parts of a page that are fetched again and again show none of them.
        "pages": SimpleLazyObject(lambda: _pages(request, person)),
        "live_url": f"/live/{person.hall.code}/console/",
        "idle": _idle(request),
        # Of the real hall wherever one is: training has no sign-in of its own.
        "account_url": "/account/",
        "lock_url": "/sign-in/lock/",
        # A law whose rules the acta does not name has none of the numbers in brackets.
        "rules_unnumbered": not rulebooks.get(person.hall.rulebook).acta_rule,
        "asks_why": set(person.roles) != {Role.INSPECTOR},
        **_practice(request, person),
        **looks,
        "theme": looks["theme"] or own_theme(person),
    }


def _idle(request: HttpRequest) -> int | None:
    """Return the seconds after which this page is covered, None where nobody is logged in by a login."""
    own = getattr(request, "signed_in", None)
    if not isinstance(own, Person):
        return None
    return int(rules_sign_in.lasting(own.roles).idle.total_seconds())


def own_theme(person: Person) -> str:
    """Return how all pages of a person are drawn who has not chosen: as their first one is."""
    return "dark" if next(iter(pages_of(person)), "") in DARK else "light"


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
        "partner_password": training.partner_password(person.hall),
        "leave_url": f"/{back}/" if back else "/",
    }


def _pages(request: HttpRequest, person: Person) -> list[dict[str, Any]]:
    practising = person.hall.is_training
    names = [one for one in pages_of(person) if not (practising and one in rules_staff.REAL_ONLY)]
    found = {name: _page(request, PAGES[name][0], reverse(name)) for name in names}
    pages = _grouped(found) if len(found) > MANY else list(found.values())
    if Role.HALL_MANAGER in person.roles and not practising and not had_an_evening(person.hall):
        pages.insert(0, _page(request, gettext_lazy("First steps"), reverse("first-steps")))
    pages.append(_page(request, gettext_lazy("Board"), reverse("board", args=[person.hall.code])))
    return pages


def _grouped(found: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return pages by themselves, then those of each group in the place of their first."""
    grouped = {name: number for number, (_label, names) in enumerate(GROUPS) for name in names}
    entries: list[dict[str, Any]] = []
    opened: dict[int, dict[str, Any]] = {}
    for name, page in found.items():
        number = grouped.get(name)
        if number is None:
            entries.append(page)
            continue
        if number not in opened:
            opened[number] = {"label": GROUPS[number][0], "pages": [], "current": False}
            entries.append(opened[number])
        opened[number]["pages"].append(page)
        opened[number]["current"] |= page["current"]
    return entries


def _page(request: HttpRequest, label: Promise | str, url: str) -> dict[str, Any]:
    """Return an entry of the navigation: current on its page and on all that lie under it."""
    return {"label": label, "url": url, "current": request.path.startswith(url)}
