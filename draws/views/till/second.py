"""The second issue offered at the till to whoever is also table chief or hall manager (R38)."""

from __future__ import annotations

from typing import Any

from bingo.rules.state import GameState, Phase
from draws.queries.seconds import seconds
from draws.queries.standing import Standing
from halls import permissions
from halls.models import Hall, Person

KIND = "second_issue_opened"


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give the issue that could follow at each price, to those who may open it."""
    known = now.known
    if known is None or known.phase != Phase.SELLING:
        return {"seconds": []}
    if not set(permissions.COMMANDS[KIND]) & set(person.roles):
        return {"seconds": []}
    offered = (_offered(now.hall, known, face) for face in known.prices)
    return {"seconds": [one for one in offered if one]}


def _offered(hall: Hall, known: GameState, face: int) -> dict[str, Any] | None:
    ready = seconds(hall, known, face).ready
    if not ready:
        return None
    run = known.runs_at(face)[0]
    return {"second": ready[0], "after": f"{run.letter} {run.identification}"}
