"""Hold a hall's journal against the last head that a witness elsewhere has seen.

Whoever owns the hall's machine writes its database, keys and files anew, but not the witness's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from bingo.rules.refusal import Refusal
from halls.checkpoints import witnesses
from halls.checkpoints.witnesses import Witness
from halls.journal.queries import Finding
from halls.models import Hall

FRESH = 600  # seconds: an older answer may have been kept from before a rewriting


@dataclass(frozen=True, slots=True)
class Held:
    """What was found, and the same in words."""

    findings: list[Finding]
    words: str


def hold(hall: Hall, witness: Witness, *, now: datetime) -> Held:
    """Ask a witness, and hold its answer against the journal."""
    name = witness.key.name
    try:
        seen = witnesses.latest(hall, witness)
    except Refusal as refused:
        return _held(hall.head_number, "witness_away", f"{name}: {refused.values['cause']}")
    if seen is None:
        return _held(hall.head_number, "witness_knows_nothing", f"{name} has seen no checkpoint")
    head = seen.head
    if head.hall != hall.code or not witnesses.fits(hall, head):
        said = f"{name} saw entry {head.number} as {head.digest}: the history was rewritten"
        return _held(head.number, "witness_differs", said)
    if abs(now.timestamp() - seen.at) > FRESH:
        at = datetime.fromtimestamp(seen.at, UTC).isoformat()
        return _held(head.number, "witness_stale", f"{name}: its answer is of {at}")
    return Held([], f"as {name} has seen it up to entry {head.number}")


def _held(number: int, code: str, said: str) -> Held:
    return Held([Finding(number, code, said)], f"witness: {said}")
