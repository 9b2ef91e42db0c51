"""The second issue opened from the till, by whoever is also table chief or hall manager (R38)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.sales import Run
from bingo.rules.state import GameState, Phase
from draws.models import Issue
from draws.queries import stock
from draws.queries.standing import Standing
from draws.services import games
from draws.views.meant import issue_of
from draws.views.order import Order
from draws.views.till import seat
from draws.views.witnessed import witness_of
from halls import permissions
from halls.models import Person

KIND = "second_issue_opened"


def open_second(order: Order, _now: Standing) -> str:
    """Put a second issue on sale in the game."""
    _shift, game = seat.shift_and_game(order)
    issue = issue_of(order)
    witness = witness_of(order, kind=KIND)
    games.open_second_issue(game=game, issue=issue, witness=witness, **order.who)
    return _("Issue %(issue)s is on sale too: the caller announces it") % {
        "issue": issue.identification
    }


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give the issue that could follow at each price, to those who may open it."""
    known = now.known
    if known is None or known.phase != Phase.SELLING:
        return {"seconds": []}
    if not set(permissions.COMMANDS[KIND]) & set(person.roles):
        return {"seconds": []}
    return {"seconds": [found for face in known.prices if (found := _after(known, face))]}


def _after(known: GameState, face: int) -> dict[str, Any] | None:
    """Give what may follow the one issue of a price: its cards end before the first one sold."""
    runs: tuple[Run, ...] = known.runs_at(face)
    if len(runs) != 1 or runs[0].first == 1:
        return None
    first = Issue.objects.select_related("series", "hall").get(pk=runs[0].issue)
    fresh = stock.fresh_like(first).first()
    return {"issue": fresh, "last": runs[0].first - 1, "after": first} if fresh else None
