"""The figures of the card of 75 that a hall can choose: the named ones and its own (R73 b, R76)."""

from __future__ import annotations

from dataclasses import dataclass

from bingo.rules import patterns
from bingo.rules.formats import Cell
from draws.documents import pattern_names
from draws.documents.stock_words import Text
from draws.models import Pattern
from halls.models import Hall


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its name; `drawing` is five rows of X and . joined by a stroke."""

    name: Text
    drawing: str
    cells: frozenset[Cell]


def named() -> list[Figure]:
    """Give the figures that every hall has."""
    return [
        Figure(pattern_names.NAMES[one.code], drawn(one.cells), one.cells)
        for one in patterns.GALLERY
    ]


def own(hall: Hall) -> list[Figure]:
    """Give the figures that a hall has drawn itself, the newest first."""
    found = Pattern.objects.filter(hall=hall).order_by("-pk")
    return [Figure(one.name, one.drawing, patterns.read(one.drawing.split("/"))) for one in found]


def every(hall: Hall) -> list[Figure]:
    """Give the hall's own figures, then the named ones."""
    return own(hall) + named()


def drawn(marked: frozenset[Cell]) -> str:
    """Give cells as they are stored and sent."""
    return "/".join(patterns.draw(marked))
