"""The figures of the card of 75: the named ones, the hall's own, and the drawing of a new one."""

from __future__ import annotations

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules.formats import SEVENTY_FIVE, Cell
from bingo.rules.patterns import CLEAR, MARKED
from draws.services import patterns
from draws.views.cards import figures
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page

LONGEST_NAME = 40  # as Pattern keeps it


def save(order: Order, _asked: Asked) -> Done:
    """Keep a figure under its name."""
    saved = patterns.save(
        hall=order.hall,
        name=order.text("name"),
        drawing=_drawing(order.fields),
        **order.who,
    )
    text = _("Pattern “%(name)s” is saved") % {"name": saved.name}
    return Done(text, reverse("cards-patterns"))


def _drawing(fields: QueryDict) -> list[str]:
    """Give the rows as the script drew them, else as the boxes are ticked."""
    if drawn := fields.get("drawing", ""):
        return drawn.split("/")
    return [
        "".join(
            MARKED if fields.get(f"cell-{row}-{column}") == "on" else CLEAR for column in _COLUMNS
        )
        for row in _ROWS
    ]


_ROWS, _COLUMNS = range(SEVENTY_FIVE.rows), range(SEVENTY_FIVE.columns)


def context(asked: Asked) -> Context:
    """Give the gallery, and the editor with what was drawn or with the figure it begins from."""
    own, named = figures.own(asked.hall), figures.named()
    return {
        "tab": "patterns",
        "own": own,
        "named": named,
        "pattern_cells": _begun(asked, own + named),
        "pattern_name": asked.typed.get("name", ""),
    }


def _begun(asked: Asked, known: list[figures.Figure]) -> frozenset[Cell]:
    if asked.typed:
        drawn = _drawing(asked.typed)
        return frozenset(
            (row, column)
            for row, line in enumerate(drawn[: len(_ROWS)])
            for column, sign in enumerate(line[: len(_COLUMNS)])
            if sign == MARKED
        )
    wanted = asked.query.get("from", "")
    return next((one.cells for one in known if one.drawing == wanted), frozenset())


PAGE = Page("cards-patterns", "cards/patterns/", "cards/patterns.html", context, {"save": save})
