"""The page of figures of the card of 75: the named ones, the hall's own, and a new one (R73 b, R76)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from bingo.rules import patterns
from bingo.rules.formats import SEVENTY_FIVE, Cell
from bingo.rules.patterns import CLEAR, MARKED
from draws.cards import hall_patterns
from draws.cards import labels as cards_labels
from draws.cards.labels import Text
from draws.models import Issue, Pattern
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.models import Hall


@dataclass(frozen=True, slots=True)
class FigureTile:
    """A figure with its name; `drawing` is five rows of X and . joined by a stroke."""

    name: Text
    drawing: str
    cells: frozenset[Cell]


def figures_named() -> list[FigureTile]:
    """Return the figures that every hall has."""
    return [
        FigureTile(cards_labels.PATTERN_NAMES[one.code], drawn(one.cells), one.cells)
        for one in patterns.GALLERY
    ]


def figures_own(hall: Hall) -> list[FigureTile]:
    """Return the figures that a hall has drawn itself, the newest first."""
    found = Pattern.objects.filter(hall=hall).order_by("-pk")
    return [
        FigureTile(one.name, one.drawing, patterns.read(one.drawing.split("/"))) for one in found
    ]


def every(hall: Hall) -> list[FigureTile]:
    """Return the hall's own figures, then the named ones."""
    return figures_own(hall) + figures_named()


def to_play(hall: Hall, issues: Iterable[Issue]) -> list[FigureTile]:
    """Return every figure, behind those that issues bear and that nobody of the hall has drawn.

    Such issues come from another hall; each figure has the name of its issue (R76).
    """
    found = every(hall)
    known = {one.drawing for one in found}
    borne: list[FigureTile] = []
    for issue in issues:
        if issue.figure and known.isdisjoint(ways := patterns.drawings(issue.figure.split("/"))):
            cells = patterns.read(issue.figure.split("/"))
            borne.append(FigureTile(str(issue), issue.figure, cells))
            known.update(ways)
    return borne + found


def drawn(marked: frozenset[Cell]) -> str:
    """Return cells as they are stored and sent."""
    return "/".join(patterns.draw(marked))


def save(order: CommandForm, _asked: PageRequest) -> Success:
    """Keep a figure under its name."""
    saved = hall_patterns.save(
        hall=order.hall,
        name=order.text("name"),
        drawing=_drawing(order.fields),
        **order.who,
    )
    text = _("Pattern “%(name)s” is saved") % {"name": saved.name}
    return Success(text, reverse("cards-patterns"))


def _drawing(fields: QueryDict) -> list[str]:
    """Return the rows as the script drew them, else as the boxes are ticked."""
    if drawn := fields.get("drawing", ""):
        return drawn.split("/")
    return [
        "".join(
            MARKED if fields.get(f"cell-{row}-{column}") == "on" else CLEAR for column in _COLUMNS
        )
        for row in _ROWS
    ]


_ROWS, _COLUMNS = range(SEVENTY_FIVE.rows), range(SEVENTY_FIVE.columns)


def context(asked: PageRequest) -> Context:
    """Return the gallery, and the editor with what was drawn or with the figure it begins from."""
    own, named = figures_own(asked.hall), figures_named()
    return {
        "tab": "patterns",
        "own": own,
        "named": named,
        "pattern_cells": _begun(asked, own + named),
    }


def _begun(asked: PageRequest, known: list[FigureTile]) -> frozenset[Cell]:
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
