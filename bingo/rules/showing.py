"""The called card itself, photographed and shown to the hall beside the system's own (R43, BOE II)."""

from __future__ import annotations

from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.state import Phase

Data = dict[str, Any]
STILL = (Phase.STOPPED, Phase.WINDOW)  # the draw stands still while cards are looked at


def show(
    *, phase: Phase, check: int, last: int | None, issue: int, card: int, picture: str
) -> Data:
    """Show the picture of a card that is being checked.

    `check` and `last` are the numbers of the entries of its check and of the game's last one,
    `picture` the SHA-256 of its JPEG. Raises Refusal card_not_looked_at.
    """
    if phase not in STILL or check != last:
        raise Refusal("card_not_looked_at")
    return {"check": check, "issue": issue, "card": card, "picture": picture}
