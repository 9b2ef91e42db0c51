"""Complaints, substitutions, breakdowns and occurrences, for the acta (R61 j-m)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from halls.models import JournalEntry, Person, Session
from halls.services import journal


@transaction.atomic
def record(
    *,
    session: Session,
    category: str,
    text: str,
    decision: str,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Note something for the acta, with the decision taken, if any.

    Raises Refusal: not_allowed, unknown_category, text_missing.
    """
    return journal.record(
        session, "note_recorded", by=by, at=at, key=key,
        category=category, text=text, decision=decision,
    ).entry  # fmt: skip
