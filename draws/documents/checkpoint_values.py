"""What a slip of paper and an acta say of a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from bingo.rules import checkpoints as rules


@dataclass(frozen=True, slots=True)
class CheckpointValues:
    """A signed head; `session` and `game` are None where the entry is of none, `at` is local."""

    hall: str
    licence: str
    language: str
    currency: str
    session: int | None
    game: int | None
    at: datetime
    number: int
    digest: str
    note: str


def place(values: CheckpointValues) -> str:
    """Name the session, and the game where it is of one; empty where it is of none."""
    if values.session is None:
        return ""
    if values.game is None:
        return _("Session %(session)s") % {"session": values.session}
    told = {"session": values.session, "game": values.game}
    return _("Session %(session)s, game %(game)s") % told


def entry(values: CheckpointValues) -> str:
    """Name the journal's entry."""
    return _("Journal entry %(number)s") % {"number": values.number}


def short(values: CheckpointValues) -> str:
    """Give the beginning of the digest as it is compared by eye."""
    return rules.short(values.digest)
