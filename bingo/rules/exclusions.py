"""Who may not come in: the list of excluded persons, each known by the hash of a document (BOE III)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.signs import LONGEST_REASON, is_record

Data = dict[str, Any]

ADDED, LIFTED = "exclusion_added", "exclusion_lifted"
OWN_REQUEST, AUTHORITY, HALL = "own_request", "authority", "hall"
REASONS = (OWN_REQUEST, AUTHORITY, HALL)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One exclusion, from its first day to its last, both of them; without a last until it is lifted."""

    number: int
    document: str
    reason: str
    begins: date
    ends: date | None = None
    lifted: bool = False

    def holds(self, on: date) -> bool:
        """Tell whether it keeps somebody out on a day of the hall's."""
        return not self.lifted and self.begins <= on <= (self.ends or on)


def add(
    known: Iterable[Exclusion],
    *,
    number: int,
    document: str,
    key: int,
    reason: str,
    begins: date,
    ends: date | None,
    today: date,
) -> Data:
    """Put somebody on the list as its next exclusion; `known` are those of the same document.

    `key` is the version of the key that the hash was made with. Raises Refusal:
    unknown_exclusion_reason, exclusion_ends_before, exclusion_over, already_excluded (`number`).
    """
    if reason not in REASONS:
        raise Refusal("unknown_exclusion_reason", reason=reason)
    if ends is not None and ends < begins:
        raise Refusal("exclusion_ends_before", field="excluded_until")
    if ends is not None and ends < today:
        raise Refusal("exclusion_over", field="excluded_until")
    for one in known:
        apart = (one.ends and one.ends < begins) or (ends and ends < one.begins)
        if one.reason == reason and not one.lifted and not apart:
            raise Refusal("already_excluded", number=one.number)
    told: Data = {
        "exclusion": number, "document": document, "key": key, "reason": reason,
        "begins": begins.isoformat(),
    }  # fmt: skip
    return told | ({"ends": ends.isoformat()} if ends else {})


def lift(known: Exclusion, *, reason: str, witness: str | None) -> Data:
    """Take somebody off the list, by two persons and for a reason.

    Raises Refusal: exclusion_lifted, reason_missing, bad_text, second_person_needed.
    """
    if known.lifted:
        raise Refusal("exclusion_lifted", number=known.number)
    if not reason.strip():
        raise Refusal("reason_missing")
    if not is_record(reason):
        raise Refusal("bad_text", most=LONGEST_REASON)
    if not witness:
        raise Refusal("second_person_needed", command=LIFTED)
    return {"exclusion": known.number, "reason": reason.strip(), "witness": witness}
