"""The called card itself, put before the table's camera for the whole hall (R43, BOE II)."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules.refusal import Refusal
from draws.documents import photograph
from draws.queries.standing import Standing
from draws.services import pictures
from draws.services import showing as services
from draws.views.meant import game_of
from draws.views.order import Order

LARGEST = photograph.LARGEST_FILE + 100_000  # bytes of a form with a photograph and little else


def address() -> str:
    """Give the path that a photograph is sent to."""
    return reverse("table-do", args=["show"])


def show(order: Order, _now: Standing) -> str:
    """Show the photograph that was taken or chosen beside the system's own card."""
    file = order.files.get("photograph")
    if file is None:
        raise Refusal("photograph_missing")
    if file.size > photograph.LARGEST_FILE:
        raise Refusal("photograph_too_large", most=photograph.LARGEST_FILE // 1_000_000)
    picture = photograph.prepared(bytes(file.read()), largest=pictures.LARGEST)
    shown = services.show(
        game=game_of(order), check=order.integer("check"), picture=picture, **order.who
    )
    return _("The hall sees card %(card)s") % {"card": shown.claim.card}
