"""What the regulator has said of actas, and which remarks wait for the hall's answer."""

from __future__ import annotations

from halls.models import Hall, JournalEntry, Session
from halls.models.journal import OF_AN_ACTA


def of(session: Session) -> list[JournalEntry]:
    """Give all that was said of a session's acta, in order."""
    found = JournalEntry.objects.filter(session=session, kind__in=OF_AN_ACTA)
    return list(found.select_related("by", "hall").order_by("number"))


def unanswered(hall: Hall) -> list[JournalEntry]:
    """Give the remarks that nobody of the hall has answered yet, the oldest first."""
    of_hall = JournalEntry.objects.filter(hall=hall)
    remarks = of_hall.filter(kind="acta_remarked").select_related("by", "hall", "session")
    found = list(remarks.order_by("number"))
    if not found:
        return []
    answers = of_hall.filter(kind="remark_answered").values_list("data__remark", flat=True)
    answered = set(answers)
    return [remark for remark in found if remark.number not in answered]
