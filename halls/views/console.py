"""What every page's frame shows: the hall, the person's pages, the live address."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from halls.models import Hall, Person, Role
from halls.views import theme

# A person's first page is the first of these that one of their roles opens.
PAGES: Mapping[str, tuple[Promise | str, tuple[Role, ...]]] = MappingProxyType(
    {
        "manager": (_("Hall"), (Role.HALL_MANAGER,)),
        "table": (_("Table"), (Role.TABLE_CHIEF,)),
        "caller": (_("Draw"), (Role.CALLER,)),
        "till": (_("Till"), (Role.CASHIER,)),
        "inspector": (_("Records"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "watch": (_("The hall now"), (Role.INSPECTOR, Role.HALL_MANAGER)),
        "cards": (_("Cards"), (Role.HALL_MANAGER, Role.INSPECTOR)),
        "custody": (
            _("Custody"),
            (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR),
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
    }
)


def pages_of(person: Person) -> list[str]:
    """Give the names of the pages that a person's roles open."""
    return [name for name, (_label, roles) in PAGES.items() if set(roles) & set(person.roles)]


def frame(request: HttpRequest) -> dict[str, Any]:
    """Give base.html its hall, navigation and theme."""
    looks = {"theme": theme.chosen(request), "themes": theme.THEMES.items()}
    person = getattr(request, "user", None)
    if not isinstance(person, Person):
        halls = list(Hall.objects.all()[:2])
        return {"hall": halls[0] if len(halls) == 1 else None, **looks}
    pages = [_page(request, PAGES[name][0], reverse(name)) for name in pages_of(person)]
    pages.append(_page(request, _("Board"), reverse("board", args=[person.hall.code])))
    return {
        "hall": person.hall,
        "pages": pages,
        "live_url": f"/live/{person.hall.code}/",
        **looks,
    }


def _page(request: HttpRequest, label: Promise | str, url: str) -> dict[str, Any]:
    """Give an entry of the navigation: current on its page and on all that lie under it."""
    return {"label": label, "url": url, "current": request.path.startswith(url)}
