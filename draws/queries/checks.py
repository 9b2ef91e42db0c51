"""Cards looked at before: what the chief is told when one comes again (R43)."""

from __future__ import annotations

from draws.models import ClaimCheck, Game
from halls.models import JournalEntry


def before(game: Game, entry: JournalEntry) -> ClaimCheck | None:
    """Give the last check of the same card for the same prize before this one, in this game."""
    data = entry.data
    same = ClaimCheck.objects.filter(
        game=game, combination=data["combination"], issue=data["issue"], card=data["card"]
    )
    return same.filter(entry__number__lt=entry.number).select_related("entry").last()
