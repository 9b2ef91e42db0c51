"""What every page's frame shows: the hall, the person's pages, the live address."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from bingo.rules import training as rules
from halls.models import Hall, Person, Role
from halls.queries.sessions import had_an_evening
from halls.services import training
from halls.views import theme

# A person's first page is the first of these that one of their roles opens.
PAGES: Mapping[str, tuple[Promise | str, tuple[Role, ...]]] = MappingProxyType(
    {
        "manager": (_("Hall"), (Role.HALL_MANAGER,)),
        "table": (_("Table"), (Role.TABLE_CHIEF,)),
        "caller": (_("Draw"), (Role.CALLER,)),
        "till": (_("Till"), (Role.CASHIER,)),
        "seller": (_("Cards in hand"), (Role.SELLER,)),
        "door": (_("Door"), (Role.DOOR, Role.HALL_MANAGER)),
        "assistant": (_("Floor"), (Role.FLOOR_ASSISTANT,)),
        "inspector": (_("Records"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "watch": (_("The hall now"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "cards": (_("Cards"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "custody": (
            _("Custody"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "unclaimed": (
            _("Unclaimed money"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CASHIER, Role.INSPECTOR),
        ),
        "complaints": (
            _("Complaints"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "equipment": (
            _("Equipment"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
        ),
        "cameras": (
            _("Cameras"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER, Role.INSPECTOR),
        ),
        "screens": (_("Screens"), (Role.HALL_MANAGER,)),
        "policy": (_("Rules"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "jackpot": (_("Jackpots"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "staff": (_("Staff"), (Role.HALL_MANAGER, Role.INSPECTOR)),
    }
)


def pages_of(person: Person) -> list[str]:
    """Give the names of the pages that a person's roles open."""
    return [name for name, (_label, roles) in PAGES.items() if set(roles) & set(person.roles)]


def frame(request: HttpRequest) -> dict[str, Any]:
    """Give base.html its hall, navigation and theme."""
    looks = {
        "theme": theme.chosen(request),
        "themes": theme.THEMES.items(),
        "letters": theme.chosen(request, "letters"),
        "letter_choices": theme.LETTERS.items(),
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
    """Give the way into training or out of it, to the same page where it is a person's there."""
    desk = request.path_info.split("/")[1]
    if not person.hall.is_training:
        staff = bool(rules.roles(person.roles))
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
    names = [one for one in pages_of(person) if not (practising and one in rules.REAL_ONLY)]
    pages = [_page(request, PAGES[name][0], reverse(name)) for name in names]
    if Role.HALL_MANAGER in person.roles and not practising and not had_an_evening(person.hall):
        pages.insert(0, _page(request, _("First steps"), reverse("first-steps")))
    pages.append(_page(request, _("Board"), reverse("board", args=[person.hall.code])))
    return pages


def _page(request: HttpRequest, label: Promise | str, url: str) -> dict[str, Any]:
    """Give an entry of the navigation: current on its page and on all that lie under it."""
    return {"label": label, "url": url, "current": request.path.startswith(url)}
