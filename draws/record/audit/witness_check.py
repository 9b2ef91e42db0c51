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
class WitnessComparison:
    """What differs from what a witness has seen, and the same in words."""

    findings: list[Finding]
    words: str


def compare(hall: Hall, witness: Witness, *, now: datetime) -> WitnessComparison:
    """Return how the answer of a witness compares with the journal."""
    name = witness.key.name
    try:
        seen = witnesses.latest(hall, witness)
    except Refusal as refused:
        return _difference(hall.head_number, "witness_away", f"{name}: {refused.values['cause']}")
    if seen is None:
        return _difference(
            hall.head_number, "witness_knows_nothing", f"{name} has seen no checkpoint"
        )
    head = seen.head
    if head.hall != hall.code or not witnesses.fits(hall, head):
        said = f"{name} saw entry {head.number} as {head.digest}: the history was rewritten"
        return _difference(head.number, "witness_differs", said)
    if abs(now.timestamp() - seen.at) > FRESH:
        at = datetime.fromtimestamp(seen.at, UTC).isoformat()
        return _difference(head.number, "witness_stale", f"{name}: its answer is of {at}")
    return WitnessComparison([], f"as {name} has seen it up to entry {head.number}")


def _difference(number: int, code: str, said: str) -> WitnessComparison:
    return WitnessComparison([Finding(number, code, said)], f"witness: {said}")
