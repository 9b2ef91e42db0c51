"""Where a game's balls are to come from, and the hall manager's decision that it is not the RNG."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.models import Game
from draws.services.games import open_half, step
from halls.models import Person, Role, Session


@transaction.atomic
def decide(
    *, game: Game, source: str, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Let a game be drawn by camera or by hand because the RNG fails, or by the RNG after all.

    Raises Refusal: not_allowed but to the hall manager, unknown_source, source_open,
    source_unchanged, source_not_possible, reason_missing, wrong_phase.
    """
    require_manager(by)
    step(game, "source_changed", by=by, at=at, key=key, source=source, reason=reason)


@transaction.atomic
def open_second_half(
    *, session: Session, source: str, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> Game:
    """Open the second game of double cards (R15), drawn by camera or by hand because the RNG fails.

    Raises Refusal: not_allowed but to the hall manager, no_second_half, or what `decide` refuses.
    """
    require_manager(by)
    game, repeated = open_half(session, None, by=by, at=at, key=key)
    if not repeated:
        step(game, "source_changed", by=by, at=at, key=None, source=source, reason=reason)
    return game


def require_manager(by: Person) -> None:
    """Leave it to the hall manager to set aside what the hall has decided: not_allowed."""
    if Role.HALL_MANAGER not in by.roles:
        raise Refusal("not_allowed", roles=[Role.HALL_MANAGER.value])
