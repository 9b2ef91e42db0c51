"""The issues that a game may be opened with, and those of other prices that may stand beside it."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from bingo.rules.session import SessionState
from bingo.rules.state import Phase
from bingo.rules.stock import Place
from draws.models import Game
from draws.queries import shelf
from draws.queries.shelf import Counted
from halls.models import Hall


def to_open(hall: Hall) -> QuerySet[Counted, Counted]:
    """Give the issues that may be sold from, single and double, those already begun first (R37)."""
    # Nobody counts what is left of the many that were sold to the end.
    begun = shelf.issues(hall).filter(place=Place.SHELF, last_sold__lt=F("series__size"))
    return begun.filter(left__gt=0).order_by("-last_sold", "identification")


def beside(game: Game, state: SessionState) -> QuerySet[Counted, Counted]:
    """Give the issues of other prices that may be put on sale with a game's, before it is announced.

    None where the authorisation has no several prices. They are of its format, single or double
    like it, and of another matrix than any on sale, so that no two equal cards are in the game.
    """
    found = to_open(game.session.hall)
    known = state.game
    if known is None or known.phase != Phase.PREPARED or not state.terms.get("several_prices"):
        return found.none()
    first = game.issue
    found = found.filter(series__format=first.series.format, double=first.double)
    if "faces" in state.terms:
        found = found.filter(face__in=state.terms["faces"])
    for run in known.runs:
        found = found.exclude(Q(series__letter=run.letter) & Q(series__size=run.size))
    return found.exclude(face__in=known.prices)
