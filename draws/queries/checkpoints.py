"""A signed head as papers show it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bingo.rules import checkpoints as rules
from bingo.rules.refusal import Refusal
from draws.documents.checkpoint_values import CheckpointValues
from halls.models import Checkpoint, Session


def values(checkpoint: Checkpoint, *, note: str) -> CheckpointValues:
    """Give what a paper says of a checkpoint; `note` is what was signed of its entry."""
    entry = checkpoint.entry
    hall = entry.hall
    return CheckpointValues(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number if entry.session else None,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        number=entry.number,
        digest=_signed(note) or entry.digest,
        note=note,
    )


def _signed(note: str) -> str:
    """Give the digest that a note tells: after a rewriting the journal would tell another."""
    try:
        return rules.read(note.rpartition("\n\n")[0] + "\n").digest
    except Refusal:
        return ""


def of_session(session: Session) -> CheckpointValues | None:
    """Give the last checkpoint signed up to a session's end; None where none was."""
    found = Checkpoint.objects.filter(
        hall=session.hall_id,
        entry__hall=session.hall_id,
        entry__session__number__lte=session.number,
    )
    last = found.select_related("entry__hall", "entry__session").order_by("entry__number").last()
    return values(last, note=last.note) if last else None
