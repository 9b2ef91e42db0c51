"""Who calls the draw of a game, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from draws.models import Game
from halls.models import JournalEntry, Person

TAKEN_OVER = "draw_taken_over"
BEGINNINGS = ("draw_announced", TAKEN_OVER)


@dataclass(frozen=True, slots=True)
class Calling:
    """The caller of a draw; `after` is the user name of whom it was taken over from, or empty."""

    by: Person
    since: datetime
    after: str = ""


def calling(game: Game) -> Calling | None:
    """Give who calls the draw of a game; None before it is announced."""
    begun = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind__in=BEGINNINGS
    )
    entry = begun.select_related("by").order_by("number").last()
    if entry is None or entry.by is None:
        return None
    return Calling(entry.by, entry.at, entry.data.get("caller", ""))
