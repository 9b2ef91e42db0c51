"""What the caller's voice says: a ball, in 75 its letter first (R77), and what wins (R31, R54).

It says only the state that the page shows, in the languages that the hall may speak.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language_info

from bingo.rules import formats
from bingo.rules.patterns import BINGO, COLUMN, CORNERS, LINE
from bingo.rules.session_state import GameState
from draws.boards import announcements, voice_clips
from draws.games.queries import HallState


def tongues(now: HallState) -> dict[str, Any]:
    """Return the languages that the hall may speak: the law's own first, then those granted (R54)."""
    terms = now.state.terms if now.state else {}
    rulebook = terms.get("rulebook", now.hall.rulebook)
    known = announcements.voices(
        rulebook, currency=now.hall.written_currency, also=terms.get("languages") or ()
    )
    found = [one.language for one in known if one.language in voice_clips.LANGUAGES]
    return {"tongues": [(code, get_language_info(code)["name_local"]) for code in found]}


def voice_context(now: HallState) -> dict[str, Any]:
    """Return what the voice says of the hall: its last game, and the game's balls and questions."""
    known, said = now.game_state, {"ending": now.state.ending.last_game if now.state else ""}
    if known is not None:
        said |= {
            "game": now.game.pk if now.game else "",
            "phase": known.phase.value,
            "opening": voice_clips.draw(known.rulebook),
            "balls": " ".join(_ball(known, number) for number in known.balls),
            "wins": " ".join(wins(known)),
            "asked": " ".join(one.name for one in known.won if one.name in known.asked),
        }
    return {"said": said}


def wins(known: GameState) -> list[str]:
    """Return the clips that say with the sale what wins the prizes besides the whole card."""
    format = formats.get_format(known.format)
    clips = {
        LINE: voice_clips.line_wins(format, known.counts),
        COLUMN: voice_clips.wins(COLUMN),
        CORNERS: voice_clips.wins(CORNERS),
        BINGO: voice_clips.FIGURE,
    }
    said = (one.name for one in known.won if one.name != BINGO or known.pattern)
    return [clips[name] for name in said]


def _ball(known: GameState, number: int) -> str:
    """Return the clips of a ball: in 75 its letter stands before the number; of 30 it may be a symbol."""
    if known.symbols:
        return voice_clips.symbol(number)
    played = formats.get_format(known.format)
    if not played.letters:
        return str(number)
    letter = played.letters[(number - 1) // (len(played.numbers) // len(played.letters))]
    return f"letter_{letter.lower()}+{number}"
