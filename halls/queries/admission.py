"""How a hall's door stands: how many are inside and may be, and what became of those who came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import TruncHour

from bingo.rules import admission as rules
from bingo.rules.admission import Doorway
from halls.models import Admission, Hall, Session, Visit
from halls.queries.documents import Hashed


@dataclass(frozen=True, slots=True)
class Day:
    """What the door counted since a moment: who came and left, the most inside, refusals by reason."""

    admitted: int
    left: int
    most: int
    refused: dict[str, int]


def last(hall: Hall) -> Admission | None:
    """Return the newest thing that happened at a hall's door."""
    return Admission.objects.filter(hall=hall).order_by("-number").first()


def inside(hall: Hall) -> int:
    """Return how many people are inside."""
    newest = last(hall)
    return newest.inside if newest else 0


def doorway(hall: Hall, *, capacity: int | None) -> Doorway:
    """Return a hall's door as the rules know it."""
    return Doorway(inside(hall), capacity)


def since(hall: Hall, begins: datetime) -> Day:
    """Return what the door counted from a moment on."""
    return _counted(Admission.objects.filter(hall=hall, at__gte=begins))


def in_session(session: Session) -> Day:
    """Return what the door counted while a session was open."""
    return _counted(Admission.objects.filter(entry__session=session))


def _counted(rows: QuerySet[Admission]) -> Day:
    kinds = Counter(dict(rows.order_by().values_list("kind").annotate(n=Count("pk"))))
    refused = rows.filter(kind=rules.REFUSED).order_by("reason").values_list("reason")
    return Day(
        admitted=kinds[rules.ADMITTED],
        left=kinds[rules.LEFT],
        most=rows.aggregate(most=Max("inside"))["most"] or 0,
        refused=dict(refused.annotate(n=Count("pk"))),
    )


@dataclass(slots=True)
class Hour:
    """What the door counted in one hour of the hall's clock."""

    begins: datetime
    admitted: int = 0
    left: int = 0
    refused: int = 0
    most: int = 0


@dataclass(slots=True)
class SessionDoor:
    """What the door counted in one session."""

    session: Session
    admitted: int = 0
    left: int = 0
    most: int = 0
    refused: dict[str, int] = field(default_factory=dict)


def by_session(sessions: Iterable[Session]) -> list[SessionDoor]:
    """Return what the door counted in each of these sessions, with two questions."""
    found = {one.pk: SessionDoor(one) for one in sessions}
    rows = Admission.objects.filter(entry__session__in=list(found)).order_by()
    kinds = rows.values_list("entry__session", "kind", "reason")
    for session, kind, reason, n in kinds.annotate(n=Count("pk")):
        door = found[session]
        if kind == rules.ADMITTED:
            door.admitted += n
        elif kind == rules.LEFT:
            door.left += n
        elif kind == rules.REFUSED:
            door.refused[reason] = n
    for session, most in rows.values_list("entry__session").annotate(most=Max("inside")):
        found[session].most = most
    return list(found.values())


def by_hour(session: Session) -> list[Hour]:
    """Return what the door counted in each hour of a session, hours without anything left out."""
    zone = ZoneInfo(session.hall.time_zone)
    rows = Admission.objects.filter(entry__session=session).order_by()
    counted = rows.annotate(hour=TruncHour("at", tzinfo=zone)).values_list("hour", "kind")
    found: dict[datetime, Hour] = {}
    for begins, kind, n, most in counted.annotate(n=Count("pk"), most=Max("inside")):
        hour = found.setdefault(begins, Hour(begins))
        hour.most = max(hour.most, most)
        if kind == rules.ADMITTED:
            hour.admitted += n
        elif kind == rules.LEFT:
            hour.left += n
        elif kind == rules.REFUSED:
            hour.refused += n
    return sorted(found.values(), key=lambda hour: hour.begins)


def refusals(session: Session) -> QuerySet[Admission]:
    """Return whom the door sent away in a session, in order: when, why and by whom, never who."""
    found = Admission.objects.filter(entry__session=session, kind=rules.REFUSED)
    return found.select_related("entry__by").order_by("number")


def visits(
    hall: Hall, hashes: Iterable[Hashed], *, begins: datetime, ends: datetime
) -> QuerySet[Visit]:
    """Return when the person of a document was let in, from a moment on and before another."""
    named = Q(pk__in=())
    for one in hashes:
        named |= Q(document=one.document, key=one.key)
    found = Visit.objects.filter(named, hall=hall, at__gte=begins, at__lt=ends)
    return found.select_related("admission__entry").order_by("number")
