"""Taking a series in from a file that another program made: judged like a stranger's."""

from __future__ import annotations

import json
import re

from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.bodies import MEBIBYTE
from bingo.rules.refusal import Refusal
from bingo.rules.series_csv import HEAD
from draws.documents.series_file_words import IN_CSV, IN_JSON
from draws.services import series
from draws.views.cards import granted
from draws.views.order import Order
from draws.views.page import WRITERS, Asked, Context, Done, Page

SHORT = re.compile(r"-?[0-9]{1,6}")  # no more of a stranger's file is said again
DEPTH = 3  # card, row, column
LARGEST = 64 * MEBIBYTE  # bytes; bingo/asgi.py lets no more in


def take_in(order: Order, _asked: Asked) -> Done:
    """Read the file, judge its cards, and publish them as a series of the hall."""
    columns = order.ticked("columns")
    text = _text(order)
    try:
        taken = series.take_in(hall=order.hall, text=text, columns=columns, **order.who)
    except Refusal as refusal:
        raise _shown(refusal, text) from None
    values = {"letter": taken.letter, "size": taken.size}
    done = _("Series %(letter)s is taken in: %(size)s cards, without a fault") % values
    return Done(done, reverse("cards-matrix", args=[taken.pk]))


def _text(order: Order) -> str:
    file = order.files.get("file")
    if file is None:
        raise Refusal("file_missing")
    try:
        text = bytes(file.read()).decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("bad_series_file", where="text") from None
    if text.startswith("\ufeff"):
        raise Refusal("bad_series_file", where="mark")
    if text.startswith("format;"):
        raise Refusal("bad_series_file", where="semicolons")
    return text


def _shown(refusal: Refusal, text: str) -> Refusal:
    """Add to the refusal of a square the number that stands there, where it is one."""
    if refusal.code != "bad_series_file":
        return refusal
    where = str(refusal.values["where"])
    found = _standing(text, where)
    return Refusal(refusal.code, where=where, found=found) if found else refusal


def _standing(text: str, where: str) -> str:
    """Give the short number at a square of the file, nothing for what is none."""
    if at := IN_JSON.fullmatch(where):
        places = [int(part) for part in at.groups() if part]
        if len(places) < DEPTH:
            return ""
        value = json.loads(text)["cards"]
        for place in places:
            value = value[place]
        return str(value) if isinstance(value, int) and SHORT.fullmatch(str(value)) else ""
    if (at := IN_CSV.fullmatch(where)) and at[2]:
        heading = where.partition(":")[2]
        lines = text.replace("\r", "").split("\n")
        column = lines[HEAD - 1].split(",").index(heading)
        found = lines[int(at[1]) - 1].split(",")[column]
        return found if SHORT.fullmatch(found) else ""
    return ""


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
