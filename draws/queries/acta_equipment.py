"""What an acta tells of ball sets replaced and equipment broken down (R25, R61 k, l)."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from draws.documents import facts, words
from draws.documents.acta_values import NoteKind, NoteValues
from draws.queries import acta_game
from halls.models import JournalEntry, Session
from halls.queries import equipment


def notes(session: Session, zone: ZoneInfo) -> Iterator[NoteValues]:
    """Give what was replaced and what failed from the close of the session before to this one's."""
    matters: tuple[tuple[NoteKind, tuple[str, ...]], ...] = (
        ("ball_set", equipment.REPLACED),
        ("breakdown", equipment.BROKEN),
    )
    for kind, kinds in matters:
        for entry in equipment.told_in(session, kinds):
            yield _note(entry, kind, zone)


def _note(entry: JournalEntry, kind: NoteKind, zone: ZoneInfo) -> NoteValues:
    return NoteValues(
        kind=kind,
        text=f"{words.kind(entry.kind)}: {facts.told(entry)}",
        at=entry.at.astimezone(zone),
        by=acta_game.name_of(entry),
        game=entry.game,
    )
