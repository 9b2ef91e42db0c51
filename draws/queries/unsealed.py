"""What should be sealed and is not: the alarm of the manager's and the inspector's pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from draws.models import Rectification, SealFault
from halls.models import Hall, Session

# Sealing takes a second or two; what nobody has sealed by then, nobody seals, whatever the reason.
PATIENCE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A session whose acta, or the acta of its rectification, is not sealed though it should be.

    `code` says why, empty where nobody could write it down.
    """

    session: Session
    rectification: Rectification | None
    since: datetime
    code: str = ""
    attempts: int = 0
    next_at: datetime | None = None

    @property
    def number(self) -> int:
        """The number of the rectification, 0 for the acta itself."""
        return self.rectification.number if self.rectification else 0


def of_hall(hall: Hall, *, at: datetime) -> list[Unsealed]:
    """Give what a hall has not sealed and should have, the oldest first."""
    return _alarming(Session.objects.filter(hall=hall), at=at)


def of_session(session: Session, *, at: datetime) -> list[Unsealed]:
    """Give the same of one session."""
    return _alarming(Session.objects.filter(pk=session.pk), at=at)


def waiting(*, at: datetime) -> tuple[list[Session], list[Rectification]]:
    """Give what is to be sealed now: sessions and rectifications, but those whose next try is later."""
    later = SealFault.objects.filter(next_at__gt=at)
    sessions = Session.objects.filter(closed_at__isnull=False, acta__isnull=True)
    held = later.filter(rectification=None).values("session")
    rectified = Rectification.objects.filter(acta__isnull=True)
    put_off = later.exclude(rectification=None).values("rectification")
    return (
        list(sessions.exclude(pk__in=held).select_related("hall", "opened_by", "closed_by")),
        list(rectified.exclude(pk__in=put_off).select_related("session__hall", "entry__by")),
    )


def _alarming(sessions: QuerySet[Session], *, at: datetime) -> list[Unsealed]:
    closed = list(sessions.filter(closed_at__isnull=False, acta__isnull=True).order_by("number"))
    parts = Rectification.objects.filter(session__in=sessions, acta__isnull=True)
    rectified = list(parts.select_related("session").order_by("session__number", "number"))
    if not closed and not rectified:
        return []
    faults = {
        (fault.session_id, fault.rectification_id): fault
        for fault in SealFault.objects.filter(session__in=sessions)
    }
    found = [_unsealed(one, None, one.closed_at or at, faults) for one in closed]
    found += [_unsealed(one.session, one, one.at, faults) for one in rectified]
    return [one for one in found if one.attempts or at - one.since > PATIENCE]


def _unsealed(
    session: Session,
    rectification: Rectification | None,
    since: datetime,
    faults: dict[tuple[int, int | None], SealFault],
) -> Unsealed:
    fault = faults.get((session.pk, rectification.pk if rectification else None))
    if fault is None:
        return Unsealed(session, rectification, since)
    return Unsealed(session, rectification, since, fault.code, fault.attempts, fault.next_at)
