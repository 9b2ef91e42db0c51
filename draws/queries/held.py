"""Whose the cards of a game are, where players are named: by its sales and what was handed on."""

from __future__ import annotations

from bingo.rules import stretches
from bingo.rules.stretches import Stretches
from draws.models import Game, Issue, Sale
from halls.models import JournalEntry


def first_of_another(game: Game, issue: Issue, first: int, last: int, *, player: str) -> int | None:
    """Give the lowest sold card of first..last that is not a player's own, None where all are.

    Cards that were sold to nobody by name are nobody's own; unsold ones are not looked at.
    """
    sold: Stretches = ()
    own: Stretches = ()
    for sale in Sale.objects.filter(game=game, issue=issue).order_by("first"):
        part = ((sale.first, sale.last),)
        sold += part
        own += part if sale.player == player else ()
    handed = JournalEntry.objects.filter(
        session=game.session, game=game.number, kind="cards_transferred", data__issue=issue.pk
    )
    for data in handed.order_by("number").values_list("data", flat=True):
        part = ((data["first"], data["last"]),)
        own = tuple(stretches.difference(own, part))
        if data["to"] == player:
            own = tuple(sorted((*own, *part)))
    asked = stretches.difference(((first, last),), stretches.difference(((first, last),), sold))
    left = stretches.difference(asked, own)
    return left[0][0] if left else None
