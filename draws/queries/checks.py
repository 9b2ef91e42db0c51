"""Cards looked at before: what the chief is told when one comes again (R43)."""

from __future__ import annotations

from draws.models import ClaimCheck, Game
from halls.models import JournalEntry, Session


def before(game: Game, entry: JournalEntry) -> ClaimCheck | None:
    """Give the last check of the same card for the same prize before this one, in this game."""
    data = entry.data
    same = ClaimCheck.objects.filter(
        game=game, combination=data["combination"], issue=data["issue"], card=data["card"]
    )
    return same.filter(entry__number__lt=entry.number).select_related("entry").last()


def looked_at(session: Session, game: int) -> JournalEntry | None:
    """Give the last card checked in a game since somebody last called, until the window closes."""
    of_game = JournalEntry.objects.filter(session=session, game=game)
    last = of_game.filter(kind__in=["claim_called", "claim_checked", "window_closed"]).last()
    return last if last and last.kind == "claim_checked" else None
