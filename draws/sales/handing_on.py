"""Sold cards are handed on: a player who leaves gives them to another, without money (R56)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.games import queries as games_queries
from draws.games.progress import step
from draws.models import Game, Issue
from halls import permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import JournalEntry, Person


@transaction.atomic
def transfer(
    *,
    game: Game,
    issue: Issue,
    first: int,
    last: int,
    player: str,
    to: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Hand cards first..last of a player, named when they were sold, on to another (R35, R56).

    Raises Refusal: not_allowed, not_sold, not_the_players, same_player, player_missing,
    player_not_named, over_receivers_limit, wrong_phase.
    """
    permissions.require(by, "cards_transferred", hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    told: dict[str, Any] = {
        "issue": issue.pk,
        "first": first,
        "last": last,
        "player": player,
        "to": to,
    }
    if not journal_services.earlier(hall, kind="cards_transferred", by=by, key=key, inputs=told):
        other = games_queries.first_of_another(game, issue, first, last, player=player)
        if other is not None:
            raise Refusal("not_the_players", card=other, player=player)
    return step(game, "cards_transferred", by=by, at=at, key=key, **told).entry
