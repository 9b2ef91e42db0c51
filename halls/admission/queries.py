"""Read a hall's admission: how many are inside and may be, refusals, and the list of the excluded.

Also what the record and the door's page say of admission, by session and by hour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.money_and_dates import Whole
from bingo.rules import admission
from bingo.rules.admission import Doorway
from halls.admission.documents import Hashed
from halls.models import Admission, Exclusion, Hall, JournalEntry, Session, Visit


@dataclass(frozen=True, slots=True)
class Day:
    """What the door counted since a moment: who came and left, refusals by reason.

    `most` is the most inside at once, with whoever was inside already.
    """

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
    earlier = Admission.objects.filter(hall=hall, at__lt=begins)
    return _counted(Q(hall=hall, at__gte=begins), earlier)


def in_session(session: Session) -> Day:
    """Return what the door counted while a session was open."""
    earlier = _before(session.hall_id, session.pk)
    return _counted(Q(entry__session=session), earlier)


def _before(hall: Any, session: Any) -> QuerySet[Admission]:
    """Return what the door counted before a session: of its keys, or of references to them."""
    opening = JournalEntry.objects.filter(session=session, kind="session_opened")
    return Admission.objects.filter(hall=hall, entry__number__lt=Subquery(opening.values("number")))


def _inside_at_opening(sessions: Iterable[Session]) -> dict[int, int]:
    """Return how many were inside already when each of these sessions was opened, by their keys."""
    earlier = _before(OuterRef("hall"), OuterRef(OuterRef("pk")))
    newest = Subquery(earlier.order_by("-number").values("inside")[:1])
    found = Session.objects.filter(pk__in=[one.pk for one in sessions])
    return {pk: inside or 0 for pk, inside in found.values_list("pk", newest)}


def _counted(asked: Q, earlier: QuerySet[Admission]) -> Day:
    """Return what the door counted of what is asked, and of `earlier` how many it left inside."""
    rows = Admission.objects.filter(asked)
    kinds = Counter(dict(rows.order_by().values_list("kind").annotate(n=Count("pk"))))
    refused = rows.filter(kind=admission.REFUSED).order_by("reason").values_list("reason")
    begun = Subquery(earlier.order_by("-number").values("pk")[:1])
    counts = Admission.objects.filter(asked | Q(pk=begun))
    return Day(
        admitted=kinds[admission.ADMITTED],
        left=kinds[admission.LEFT],
        most=counts.aggregate(most=Max("inside"))["most"] or 0,
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
    """Return what the door counted in each of these sessions, with three questions."""
    asked = {one.pk: one for one in sessions}
    begun = _inside_at_opening(asked.values())
    found = {pk: SessionDoor(one, most=begun[pk]) for pk, one in asked.items()}
    rows = Admission.objects.filter(entry__session__in=list(found)).order_by()
    kinds = rows.values_list("entry__session", "kind", "reason")
    for session, kind, reason, n in kinds.annotate(n=Count("pk")):
        door = found[session]
        if kind == admission.ADMITTED:
            door.admitted += n
        elif kind == admission.LEFT:
            door.left += n
        elif kind == admission.REFUSED:
            door.refused[reason] = n
    for session, most in rows.values_list("entry__session").annotate(most=Max("inside")):
        found[session].most = max(found[session].most, most)
    return list(found.values())


def by_hour(session: Session) -> list[Hour]:
    """Return what the door counted in each hour of a session, hours without anything left out."""
    zone = ZoneInfo(session.hall.time_zone)
    rows = Admission.objects.filter(entry__session=session).order_by("number")
    found: dict[datetime, Hour] = {}
    inside = _inside_at_opening([session])[session.pk]
    for at, kind, after in rows.values_list("at", "kind", "inside"):
        local = at.astimezone(zone)
        # Kept in UTC: the two hours that a clock set back calls alike are not one.
        begins = local.replace(minute=0, second=0, microsecond=0).astimezone(UTC)
        hour = found.setdefault(begins, Hour(begins.astimezone(zone), most=inside))
        inside = after
        hour.most = max(hour.most, inside)
        if kind == admission.ADMITTED:
            hour.admitted += 1
        elif kind == admission.LEFT:
            hour.left += 1
        elif kind == admission.REFUSED:
            hour.refused += 1
    return [hour for _begins, hour in sorted(found.items())]


def refusals(session: Session) -> QuerySet[Admission]:
    """Return whom the door sent away in a session, in order: when, why and by whom, never who."""
    found = Admission.objects.filter(entry__session=session, kind=admission.REFUSED)
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


def exclusion_listed(hall: Hall) -> QuerySet[Exclusion]:
    """Return every exclusion with how it ended, the newest first."""
    found = Exclusion.objects.filter(hall=hall).select_related("entry__by", "lifted__entry__by")
    return found.order_by("-number")


def exclusion_of(hall: Hall, hashes: Iterable[Hashed]) -> list[admission.ExclusionState]:
    """Return what the list has of one person, by the hashes of their document."""
    named = Q(pk__in=())
    for one in hashes:
        named |= Q(document=one.document, key=one.key)
    return [exclusion_state(one) for one in exclusion_listed(hall).filter(named)]


def exclusion_state(row: Exclusion) -> admission.ExclusionState:
    """Return an exclusion as the rules know it."""
    return admission.ExclusionState(
        number=row.number,
        document=row.document,
        reason=row.reason,
        begins=row.begins,
        ends=row.ends,
        lifted=hasattr(row, "lifted"),
    )


def any_holds(found: Sequence[admission.ExclusionState], *, on: date) -> bool:
    """Return whether one of these keeps the person out on a day of the hall's."""
    return any(one.holds(on) for one in found)


def excludes_anybody(hall: Hall, *, on: date) -> bool:
    """Return whether the list keeps anybody out on a day."""
    held = Exclusion.objects.filter(hall=hall, begins__lte=on, lifted__isnull=True)
    return held.filter(Q(ends__isnull=True) | Q(ends__gte=on)).exists()


Data = Mapping[str, Any]

REASONS: Mapping[str, Promise] = {
    admission.FULL: _("the hall is full"),
    admission.MINOR: _("under age"),
    admission.EXCLUDED: _("excluded from the hall"),
    admission.NO_DOCUMENT: _("no document shown"),
    admission.CONDUCT: _("conduct"),
    admission.OTHER: _("another reason"),
}

DOCUMENTS: Mapping[str, Promise] = {
    admission.IDENTITY_CARD: _("identity card"),
    admission.PASSPORT: _("passport"),
    admission.RESIDENCE: _("residence permit"),
    admission.DOCUMENT_OTHER: _("another document"),
}
EXCLUSIONS: Mapping[str, Promise] = {
    admission.OWN_REQUEST: _("at their own request"),
    admission.AUTHORITY: _("by order of the authority"),
    admission.HALL: _("by decision of the hall"),
}


def _inside(data: Data) -> str:
    values = {name: Whole(data[name]) for name in ("inside", "capacity") if name in data}
    if "capacity" in data:
        return _now("%(inside)s of %(capacity)s inside") % values
    return _now("%(inside)s inside") % values


def _admitted(data: Data, _money: Callable[[int], str]) -> str:
    told = [_inside(data)]
    if "age_checked" in data:
        told.append(_now("age checked"))
    if "identity" in data:
        told.append(_now("in the register"))
    if "document_checked" in data:
        told.append(_now("document checked"))
    return " · ".join(told)


def _refused(data: Data, _money: Callable[[int], str]) -> str:
    return str(REASONS.get(data["reason"], data["reason"]))


def _admission_counted(data: Data, _money: Callable[[int], str]) -> str:
    before = _now("before: %(n)s") % {"n": Whole(data["before"])}
    return " · ".join([_inside(data), before, data["reason"]])


def _added(data: Data, _money: Callable[[int], str]) -> str:
    told = [_numbered(data), str(EXCLUSIONS.get(data["reason"], data["reason"]))]
    told.append(_now("from %(day)s on") % {"day": data["begins"]})
    if "ends" in data:
        told.append(_now("until %(day)s") % {"day": data["ends"]})
    return " · ".join([*told, data["document"][: admission.SHOWN]])


def _lifted(data: Data, _money: Callable[[int], str]) -> str:
    return " · ".join([_numbered(data), data["reason"]])


def _numbered(data: Data) -> str:
    return _now("exclusion %(number)s") % {"number": data["exclusion"]}


TELLERS: Mapping[str, Callable[[Any, Callable[[int], str]], str]] = {
    admission.ADMITTED: _admitted,
    admission.LEFT: lambda data, _money: _inside(data),
    admission.REFUSED: _refused,
    admission.COUNTED: _admission_counted,
    admission.ADDED: _added,
    admission.LIFTED: _lifted,
    admission.KEY_MADE: lambda data, _money: _now("key %(number)s") % {"number": data["version"]},
}
