"""An issue as the rules of the stock know it (R3, R15-R19)."""

from __future__ import annotations

from django.db.models import Q

from bingo.rules.state import Phase
from bingo.rules.stock import IssueState, Place
from draws.models import Game, Issue


def known(issue: Issue) -> IssueState:
    """Give what the rules know of an issue; whoever decides by it holds the hall's lock."""
    return IssueState(
        letter=issue.series.letter,
        identification=issue.identification,
        size=issue.series.size,
        last_sold=issue.last_sold,
        place=Place(issue.place),
        retired=tuple(issue.retirements.order_by("first").values_list("first", "last")),
        on_sale=on_sale(issue),
        double=issue.double,
        symbols=issue.symbols,
    )


def on_sale(issue: Issue) -> bool:
    """Tell whether a game that is not complete uses the issue."""
    used = Game.objects.filter(Q(issue=issue) | Q(further=issue))
    return used.exclude(phase=Phase.COMPLETE).exists()
