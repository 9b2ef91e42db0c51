"""Removals of what a hall keeps no longer: each entry carries a note that signs all it says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from draws.verifier import notes
from draws.verifier.journals import Journal
from draws.verifier.notes import BadNote, Key
from draws.verifier.verdicts import Check, false, good, unknown


def judge(journal: Journal, keys: Sequence[Key], ended: Mapping[Key, int]) -> Iterator[Check]:
    """Check the signature of each removal; those by keys that nobody gave stay open.

    `ended` has the entry at which a key was renewed: it signs nothing after it.
    """
    signed = unsigned = 0
    for number, data in journal.removals:
        try:
            found = _signers(journal.hall, data, keys)
        except (BadNote, AttributeError) as error:
            why = str(error) if isinstance(error, BadNote) else "carries no note"
            yield false("removal", f"the removal of entry {number} {why}")
            continue
        if found and all(ended.get(key, number) < number for key in found):
            yield false(
                "removal", f"the removal of entry {number} is signed by a key renewed before"
            )
            continue
        signed += bool(found)
        unsigned += not found
    if signed:
        yield good("removal", f"{signed} removals are signed as their entries tell them")
    if unsigned:
        why = "by a key that is not known here: give --key"
        yield unknown("removal", f"{unsigned} removals are signed {why}")


def _signers(hall: str, data: dict[str, Any], keys: Sequence[Key]) -> list[Key]:
    """Give the known keys that signed a removal. Raises BadNote."""
    note = notes.read_note(data.get("note", "").encode(), notes.REMOVAL)
    said = {name: value for name, value in data.items() if name != "note"}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    right = (hall, data.get("removal"), hashlib.sha256(text.encode()).hexdigest())
    if (note.hall, note.number, note.digest) != right or note.further:
        raise BadNote("is not what was signed")
    return notes.signers(note, keys)
