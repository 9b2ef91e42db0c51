"""What an acta tells of the door: how many came, and how many were sent away and why (BOE III)."""

from __future__ import annotations

from bingo.rules.admission import REASONS
from draws.documents.acta_session_values import AdmissionValues, SentAwayValues
from halls.models import Session
from halls.queries import admission


def values(session: Session) -> AdmissionValues | None:
    """Return what the door counted while the session was open, None where it counted nothing."""
    day = admission.in_session(session)
    if not (day.admitted or day.left or day.most or day.refused):
        return None
    return AdmissionValues(
        admitted=day.admitted,
        left=day.left,
        most=day.most,
        refused=tuple(
            SentAwayValues(reason, day.refused[reason])
            for reason in REASONS
            if reason in day.refused
        ),
    )
