"""Taking a series in from a file that another program made: judged like a stranger's."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.bodies import MEBIBYTE
from bingo.rules.refusal import Refusal
from draws.services import series
from draws.views.cards import granted
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page

LARGEST = 64 * MEBIBYTE  # bytes; bingo/asgi.py lets no more in


def take_in(order: Order, _asked: Asked) -> Done:
    """Read the file, judge its cards, and publish them as a series of the hall."""
    columns = order.ticked("columns")
    taken = series.take_in(hall=order.hall, text=_text(order), columns=columns, **order.who)
    values = {"letter": taken.letter, "size": taken.size}
    text = _("Series %(letter)s is taken in: %(size)s cards, without a fault") % values
    return Done(text, reverse("cards-matrix", args=[taken.pk]))


def _text(order: Order) -> str:
    file = order.files.get("file")
    if file is None:
        raise Refusal("file_missing")
    try:
        return bytes(file.read()).decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("bad_series_file", where="document") from None


def context(asked: Asked) -> Context:
    """Give the form."""
    return {
        "tab": "series",
        "granted": granted.today(asked.hall),
        "rulebook": asked.hall.rulebook,
        "largest": LARGEST // MEBIBYTE,
    }


PAGE = Page(
    "cards-take-in",
    "cards/series/take-in/",
    "cards/take_in.html",
    context,
    {"take-in": take_in},
    readers=WRITERS,
)


def address() -> str:
    """Give the address that takes the file, the one that needs more than a form does."""
    return reverse(f"{PAGE.name}-do", kwargs={"verb": "take-in"})
