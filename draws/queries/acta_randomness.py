"""What the acta says of a game's RNG, read from the journal."""

from __future__ import annotations

from collections.abc import Mapping

from bingo.rules.steps.drawing import RNG
from draws.documents.acta_values import RandomnessValues
from draws.models import Game
from halls.models import JournalEntry


def values(game: Game, kept: Mapping[str, JournalEntry]) -> RandomnessValues | None:
    """Give commitment, head and opening; `kept` has the game's entries by kind."""
    if game.commitment is None:
        return None
    opening = kept["entry_completed"].data.get("opening") or {"seed": "", "nonce": ""}
    announced = kept.get("draw_announced")
    return RandomnessValues(
        hall=game.session.hall.code,
        commitment=game.commitment,
        head=announced.digest if announced else "",
        seed=opening["seed"],
        nonce=opening["nonce"],
        drawn=game.balls.filter(source=RNG).count(),
    )
