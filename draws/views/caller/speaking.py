"""What the caller's page lets its voice say: the state that it shows, and no other (R31)."""

from __future__ import annotations

from typing import Any

from bingo.rules import formats
from bingo.rules.combinations import BINGO, LINE
from bingo.rules.state import GameState
from draws.queries.standing import Standing


def shown(now: Standing, known: GameState) -> dict[str, Any]:
    """Give the game, its phase, its last ball with the letter, and what the hall is asked for."""
    number = known.balls[-1] if known.balls else ""
    asked = [name for name in (LINE, BINGO) if name in known.asked]
    return {
        "said": {
            "game": now.game.pk if now.game else "",
            "phase": known.phase,
            "balls": len(known.balls),
            "number": number,
            "letter": _letter(known.format, number) if number else "",
            "asked": " ".join(asked),
        }
    }


def _letter(format: int, number: int) -> str:
    played = formats.get(format)
    if not played.letters:
        return ""
    return played.letters[(number - 1) // (len(played.numbers) // len(played.letters))]
