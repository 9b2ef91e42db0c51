"""Complaints, substitutions, breakdowns and occurrences, for the acta (R61 j-m)."""

from datetime import datetime
from typing import Any
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
    issue: int | None = None,
    card: int | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Note something for the acta, with the decision taken, if any, and the card it is about.

    `issue` is the row's number of the card's issue. Raises Refusal: not_allowed, unknown_category,
    text_missing, issue_not_on_sale, no_such_card.
    """
    about: dict[str, Any] = {} if card is None else {"issue": issue, "card": card}
    return journal.record(
        session, "note_recorded", by=by, at=at, key=key,
        category=category, text=text, decision=decision, **about,
    ).entry  # fmt: skip
