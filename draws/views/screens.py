"""The wall's screens: which there are, what each is called and shows; the hall manager sets it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.documents import photograph
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page
from halls.models import Role, WallRole, WallScreen
from halls.queries import screens as queries
from halls.services import screens, wall_pictures

LONGEST_NAME, LONGEST_PICTURE_NAME = 40, 80
LARGEST = photograph.LARGEST_FILE + 100_000  # bytes of a form with a picture and little else


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


def add_picture(order: Order, _asked: Asked) -> Done:
    """Let the wall show a picture between games."""
    file = order.files.get("picture")
    if file is None:
        raise Refusal("wall_picture_missing")
    if file.size > photograph.LARGEST_FILE:
        raise Refusal("photograph_too_large", most=photograph.LARGEST_FILE // 1_000_000)
    jpeg = _jpeg(bytes(file.read()))
    named = Path(file.name or "").stem[:LONGEST_PICTURE_NAME] or _("Picture")
    made = wall_pictures.add(order.hall, name=named, jpeg=jpeg, at=order.at)
    return _done(_("The wall shows %(picture)s between games") % {"picture": made})


def _jpeg(file: bytes) -> bytes:
    try:
        return photograph.prepared(
            file, largest=wall_pictures.LARGEST, longest=photograph.WALL, drawn=True
        )
    except Refusal as refusal:
        unfit = refusal.code == "not_a_photograph"
        raise (Refusal("not_a_wall_picture") if unfit else refusal) from None


def remove_picture(order: Order, _asked: Asked) -> Done:
    """Show a picture no more."""
    gone = wall_pictures.remove(order.hall, order.integer("picture"))
    return _done(_("The wall shows %(picture)s no more") % {"picture": gone})


def picture_address() -> str:
    """Give the path that a picture for the wall is sent to."""
    return reverse("screens-do", args=["add-picture"])


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
        "pictures": list(asked.hall.wall_pictures.order_by("pk").defer("jpeg")),
        "most": wall_pictures.MOST,
        "hall_code": asked.hall.code,
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
    {
        "name": name,
        "find": find,
        "remove": remove,
        "add-picture": add_picture,
        "remove-picture": remove_picture,
    },
    readers=(Role.HALL_MANAGER,),
)
