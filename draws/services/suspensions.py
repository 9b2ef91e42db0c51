"""A game held by a fault before its first ball, and resumed (R55)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from draws.models import Game
from draws.services import readings, waiting
from draws.services.games import step
from halls.models import Person


@transaction.atomic
def suspend(*, game: Game, reason: str, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Hold a game before its first ball; unmended after fifteen minutes it is voided (R55).

    Raises Refusal: not_allowed, suspended, fault_after_first_ball, reason_missing, wrong_phase.
    """
    if not step(game, "game_suspended", by=by, at=at, key=key, reason=reason).repeated:
        waiting.end_wait(game, reason=waiting.NOT_AWAITED, by=by, at=at)


@transaction.atomic
def resume(*, game: Game, decision: str, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Go on with a game that was held; `decision` says what was done about the fault.

    Raises Refusal: not_allowed, not_suspended, text_missing, wrong_phase.
    """
    if not step(game, "game_resumed", by=by, at=at, key=key, decision=decision).repeated:
        readings.go_on(game=game, at=at)
