"""Whether a hall's journal is whole: numbers without gap, each digest right, the head in place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bingo.rules.chain import START, digest
from bingo.rules.refusal import Refusal
from halls.models import Hall, JournalEntry
from halls.queries import export
from halls.queries.entry import as_value


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a hall's record; `number` is the journal entry it shows at."""

    number: int
    code: str
    detail: str = ""


def checked(hall: Hall, findings: list[Finding]) -> Iterator[JournalEntry]:
    """Give a hall's entries up to the first broken one, which is added to `findings`."""
    previous, expected, at = START, 1, None
    for entry in export.entries(hall):
        fault = _fault(entry, expected, previous)
        if fault:
            findings.append(fault)
            return
        previous, expected, at = entry.digest, expected + 1, entry.at
        yield entry
    if (hall.head_number, hall.head_digest) != (expected - 1, previous):
        findings.append(Finding(expected, "entries_missing_at_end", f"head {hall.head_number}"))
    elif hall.head_at != at:
        # Days of cards and of removals count from it where the clock stands before it.
        findings.append(Finding(expected - 1, "head_differs", f"head of {hall.head_at}"))


def _fault(entry: JournalEntry, expected: int, previous: str) -> Finding | None:
    if entry.number != expected:
        return Finding(expected, "entry_missing", f"found {entry.number}")
    try:
        right = digest(previous, as_value(entry))
    except Refusal:
        return Finding(entry.number, "entry_malformed")
    return None if right == entry.digest else Finding(entry.number, "digest_wrong")
