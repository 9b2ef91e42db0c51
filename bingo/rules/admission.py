"""The door of a hall: who is let in, how many are inside and may be, who is refused (BOE III).

The count says how many and why, never who: a birth date is looked at and forgotten. Where identity
is asked, the register beside it knows who came by the hash of a document, for so long as it is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from bingo.rules.refusal import Refusal
from bingo.rules.signs import LONGEST_REASON, is_record

Data = dict[str, Any]

ADMITTED, LEFT, REFUSED, COUNTED = (
    "person_admitted", "person_left", "admission_refused", "inside_counted",
)  # fmt: skip
KINDS = (ADMITTED, LEFT, REFUSED, COUNTED)

FULL, MINOR, EXCLUDED, NO_DOCUMENT, CONDUCT, OTHER = (
    "full", "minor", "excluded", "no_document", "conduct", "other",
)  # fmt: skip
REASONS = (FULL, MINOR, EXCLUDED, NO_DOCUMENT, CONDUCT, OTHER)
MOST_INSIDE = 100_000  # people
OLDEST = 130  # years


@dataclass(frozen=True, slots=True)
class Doorway:
    """How many people are inside, and how many may be; None where nothing was granted."""

    inside: int = 0
    capacity: int | None = None

    @property
    def room(self) -> int | None:
        """How many more may come in, None where nothing limits it."""
        return None if self.capacity is None else max(0, self.capacity - self.inside)


def admit(
    doorway: Doorway,
    *,
    born: date | None,
    today: date,
    least_age: int,
    identity_asked: bool = False,
    identity: str | None = None,
    excluded: bool = False,
) -> Data:
    """Let one person in; `born` is their birth date where a document was looked at.

    `identity` is what the journal keeps of their document, see `documents.sealed`, where one was
    typed; it is kept only where identity is asked. `excluded` tells that the list has them.
    Raises Refusal: document_needed, minor (`age`), bad_birth_date, excluded, hall_full.
    """
    if identity_asked and identity is None:
        raise Refusal("document_needed", field="document")
    if born is not None:
        require_adult(born, today=today, least_age=least_age)
    if excluded:
        raise Refusal("excluded")
    if doorway.inside >= MOST_INSIDE or doorway.room == 0:
        raise Refusal("hall_full", capacity=doorway.capacity or MOST_INSIDE)
    told: Data = {"inside": doorway.inside + 1}
    if doorway.capacity is not None:
        told["capacity"] = doorway.capacity
    if identity is not None:
        told |= {"identity": identity} if identity_asked else {"document_checked": True}
    return told | ({"age_checked": True} if born is not None else {})


def leave(doorway: Doorway) -> Data:
    """Let one person out. Raises Refusal nobody_inside."""
    if doorway.inside == 0:
        raise Refusal("nobody_inside")
    return {"inside": doorway.inside - 1}


def refuse(doorway: Doorway, *, reason: str) -> Data:
    """Send somebody away, for one of `REASONS`. Raises Refusal unknown_reason."""
    if reason not in REASONS:
        raise Refusal("unknown_reason", reason=reason)
    return {"inside": doorway.inside, "reason": reason}


def count(doorway: Doorway, *, inside: int, reason: str) -> Data:
    """Set how many are inside to what was counted, with the reason.

    More than may be inside can be counted: what is so is written down, and nobody else is let in.
    Raises Refusal: bad_count, reason_missing, bad_text, nothing_changed.
    """
    if not 0 <= inside <= MOST_INSIDE:
        raise Refusal("bad_count", most=MOST_INSIDE)
    if not reason.strip():
        raise Refusal("reason_missing")
    if len(reason) > LONGEST_REASON or not is_record(reason):
        raise Refusal("bad_text", most=LONGEST_REASON)
    if inside == doorway.inside:
        raise Refusal("nothing_changed")
    return {"inside": inside, "before": doorway.inside, "reason": reason.strip()}


def require_adult(born: date, *, today: date, least_age: int) -> None:
    """Refuse whoever has not had that birthday yet: minor; a date nobody living has: bad_birth_date."""
    years = age(born, today=today)
    if born > today or years > OLDEST:
        raise Refusal("bad_birth_date")
    if years < least_age:
        raise Refusal("minor", age=least_age)


def age(born: date, *, today: date) -> int:
    """Return somebody's age in whole years; who was born on 29 February has their day on 1 March."""
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
