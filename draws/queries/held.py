"""Whose the cards of a game are, where players are named: by its sales and what was handed on."""

from __future__ import annotations

from bingo.rules import holdings
from draws.models import Game, Issue, Sale
from halls.models import JournalEntry


def first_of_another(game: Game, issue: Issue, first: int, last: int, *, player: str) -> int | None:
    """Give the lowest sold card of first..last that is not a player's own, None where all are.

    Double cards are sold in their first game, and may be handed on in both (R15). Cards that were
    sold to nobody by name are nobody's own; unsold ones are not looked at.
    """
    sales = Sale.objects.filter(game=game.first_half_id or game.pk, issue=issue).order_by("first")
    numbers = [game.number - 1, game.number] if game.first_half_id else [game.number]
    handed = JournalEntry.objects.filter(
        session=game.session, game__in=numbers, kind="cards_transferred", data__issue=issue.pk
    )
    return holdings.first_of_another(
        (first, last),
        player=player,
        sold=[((sale.first, sale.last), sale.player) for sale in sales],
        handed=[
            ((data["first"], data["last"]), data["to"])
            for data in handed.order_by("number").values_list("data", flat=True)
        ],
    )
