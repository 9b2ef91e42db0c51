"""The player's slip of a complaint, read from its row and its journal entry (R61 j)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from draws.documents.complaint_values import ComplaintSlip
from draws.models import Complaint
from draws.queries import complaints


def slip(complaint: Complaint) -> ComplaintSlip:
    """Give the values of a complaint's slip, as it stands."""
    entry, hall = complaint.entry, complaint.session.hall
    # A ball recalled since is no longer what was there: then only its place is told.
    ball = complaints.ball_of(complaint.game, complaint.ball)
    same = ball is not None and ball.at <= complaint.opened_at
    return ComplaintSlip(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=complaint.session.number,
        complaint=complaint.number,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        taken_by=entry.by.name if entry.by else "",
        game=complaint.game.number if complaint.game else None,
        ball=complaint.ball,
        number=ball.number if ball and same else None,
        card=f"{complaint.issue} · {complaint.card}" if complaint.card is not None else "",
        picture=complaint.picture,
        text=complaint.text,
        decision=complaint.decision,
        reason=complaint.reason,
        decided_by=complaints.decided_by(complaint),
        entry=entry.number,
        digest=entry.digest,
    )
