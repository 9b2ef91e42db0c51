"""What the caller's page lets its voice say: the state that it shows, and no other (R31, R54)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language_info

from bingo import voice
from bingo.rules import formats
from bingo.rules.combinations import BINGO, LINE
from bingo.rules.state import GameState
from draws.queries.standing import Standing


def tongues(now: Standing) -> dict[str, Any]:
    """Give the languages that the hall may speak: its own first, then those granted (R54)."""
    granted = (now.state.terms.get("languages") if now.state else None) or []
    spoken = [code for code in (now.hall.language, *granted) if code in voice.LANGUAGES]
    found = spoken or voice.LANGUAGES[:1]
    return {"tongues": [(code, get_language_info(code)["name_local"]) for code in found]}


def shown(now: Standing, known: GameState) -> dict[str, Any]:
    """Give the game, its phase, its balls as they are said, and what the hall is asked for."""
    return {
        "said": {
            "game": now.game.pk if now.game else "",
            "phase": known.phase.value,
            "balls": " ".join(_ball(known.format, number) for number in known.balls),
            "asked": " ".join(name for name in (LINE, BINGO) if name in known.asked),
        }
    }


def _ball(format: int, number: int) -> str:
    """Give the clips of a ball: in 75 its letter stands before the number."""
    played = formats.get(format)
    if not played.letters:
        return str(number)
    letter = played.letters[(number - 1) // (len(played.numbers) // len(played.letters))]
    return f"letter_{letter.lower()}+{number}"
