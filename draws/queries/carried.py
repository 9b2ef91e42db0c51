"""What the smallest coin left over of a session's prizes, game by game, as the journal tells (R6)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from draws.documents.carried_words import NOTHING, Carried
from halls.models import JournalEntry, Session

KINDS = ("sale_closed", "second_half_opened", "window_closed", "game_voided")


def of_games(session: Session) -> dict[int, Carried]:
    """Give it by the number of the game; a void game leaves over nothing and was brought nothing."""
    told: dict[int, Carried] = defaultdict(lambda: NOTHING)
    entries = JournalEntry.objects.filter(session=session, kind__in=KINDS).order_by("number")
    for entry in entries:
        game = entry.game or 0
        told[game] = _after(told[game], entry)
    return {game: carried for game, carried in told.items() if carried != NOTHING}


def _after(known: Carried, entry: JournalEntry) -> Carried:
    match entry.kind:
        case "game_voided":
            return NOTHING
        case "window_closed":
            left = entry.data.get("carried", {})
            return replace(
                known,
                to_jackpot=known.to_jackpot + left.get("jackpot", 0),
                to_fund=known.to_fund + left.get("fund", 0),
            )
        case _:
            return replace(known, brought=entry.data["prizes"].get("brought", 0))
