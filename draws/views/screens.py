"""The wall's screens: which there are, what each is called and shows; the hall manager sets it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Role, WallRole, WallScreen
from halls.queries import screens as queries
from halls.services import screens

LONGEST_NAME = 40


def name(order: Order, _asked: Asked) -> Done:
    """Give a screen its name and role."""
    called = order.text("name", longest=LONGEST_NAME)
    if not called:
        raise Refusal("bad_input", field="name", wanted="text", most=LONGEST_NAME)
    role = WallRole(order.choice("role", tuple(WallRole.values)))
    made = screens.name(order.hall, order.integer("screen"), name=called, role=role)
    told = _("%(screen)s shows: %(role)s")
    return _done(told % {"screen": made, "role": WallRole(made.role).label})


def find(order: Order, _asked: Asked) -> Done:
    """Let a screen show its name for ten seconds."""
    shown = screens.point(order.hall, order.integer("screen"), at=order.at)
    return _done(_("%(screen)s shows its name for ten seconds") % {"screen": shown})


def remove(order: Order, _asked: Asked) -> Done:
    """Take a screen off the list."""
    gone = screens.remove(order.hall, order.integer("screen"))
    return _done(_("%(screen)s is off the list") % {"screen": gone})


def _done(text: str) -> Done:
    return Done(text, reverse("screens"))


def context(asked: Asked) -> Context:
    """Give the hall's screens and the roles there are."""
    now = timezone.now()
    return {
        "rows": [
            _row(one, queries.is_connected(one, at=now)) for one in queries.listed(asked.hall)
        ],
        "roles": WallRole.choices,
        "board": reverse("board", args=[asked.hall.code]),
        "longest": LONGEST_NAME,
    }


def _row(screen: WallScreen, connected: bool) -> dict[str, Any]:
    """Give a screen and since when it is there, or since when it is not."""
    since = screen.connected_at if connected else screen.seen_at
    return {"screen": screen, "connected": connected, "since": since}


PAGE = Page(
    "screens",
    "screens/",
    "screens.html",
    context,
    {"name": name, "find": find, "remove": remove},
    readers=(Role.HALL_MANAGER,),
)
