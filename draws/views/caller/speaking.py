"""What the caller's page lets its voice say: the state that it shows, and no other (R31, R54)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language_info

from bingo import voice
from bingo.rules import formats
from bingo.rules.combinations import BINGO, COLUMN, CORNERS, LINE
from bingo.rules.state import GameState
from draws.documents import voices
from draws.queries.standing import Standing


def tongues(now: Standing) -> dict[str, Any]:
    """Give the languages that the hall may speak: the law's own first, then those granted (R54)."""
    terms = now.state.terms if now.state else {}
    rulebook = terms.get("rulebook", now.hall.rulebook)
    known = voices.voices(rulebook, currency=now.hall.currency, also=terms.get("languages") or ())
    found = [one.language for one in known if one.language in voice.LANGUAGES]
    return {"tongues": [(code, get_language_info(code)["name_local"]) for code in found]}


def shown(now: Standing) -> dict[str, Any]:
    """Give what the voice says of the hall: its last game, and the game's balls and questions."""
    known, said = now.known, {"ending": now.state.ending.last_game if now.state else ""}
    if known is not None:
        said |= {
            "game": now.game.pk if now.game else "",
            "phase": known.phase.value,
            "opening": voice.draw(known.rulebook),
            "balls": " ".join(_ball(known, number) for number in known.balls),
            "wins": " ".join(wins(known)),
            "asked": " ".join(one.name for one in known.won if one.name in known.asked),
        }
    return {"said": said}


def wins(known: GameState) -> list[str]:
    """Return the clips that say with the sale what wins the prizes besides the whole card."""
    format = formats.get(known.format)
    clips = {
        LINE: voice.line_wins(format, known.counts),
        COLUMN: voice.wins(COLUMN),
        CORNERS: voice.wins(CORNERS),
        BINGO: voice.FIGURE,
    }
    said = (one.name for one in known.won if one.name != BINGO or known.pattern)
    return [clips[name] for name in said]


def _ball(known: GameState, number: int) -> str:
    """Give the clips of a ball: in 75 its letter stands before the number; of 30 it may be a symbol."""
    if known.symbols:
        return voice.symbol(number)
    played = formats.get(known.format)
    if not played.letters:
        return str(number)
    letter = played.letters[(number - 1) // (len(played.numbers) // len(played.letters))]
    return f"letter_{letter.lower()}+{number}"
