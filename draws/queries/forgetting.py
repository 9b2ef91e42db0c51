"""Pictures of balls that a hall keeps no longer: which are due, and which were written off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Min, Q, QuerySet

from draws.models import Case, Complaint, Enrolment, Reading, ShownBall
from draws.queries import certificates
from halls.models import Hall, JournalEntry, Session

FORGOTTEN = "pictures_forgotten"
# More than so long from one moment to the next of a hall's sessions counts as so long: a clock
# that jumps ahead is seen once, a life of sessions is not.
LONGEST_GAP = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be forgotten: readings of the sessions after one up to another, shown balls.

    `after` and `last` are sessions' numbers, the same where none is due; `enrolments` are those,
    roll calls among them, whose pictures are due; `pictures` counts all of them once.
    """

    days: int
    after: int
    last: int
    enrolments: tuple[int, ...]
    pictures: int

    def told(self) -> dict[str, Any]:
        """Give it as the journal has it."""
        return asdict(self) | {"enrolments": list(self.enrolments)}


def entries(hall: Hall) -> QuerySet[JournalEntry]:
    """Give what was written down of pictures forgotten, the first first."""
    return JournalEntry.objects.filter(hall=hall, kind=FORGOTTEN).order_by("number")


def last_session(hall: Hall) -> int:
    """Give the number of the last session whose pictures were forgotten, 0 for none."""
    newest = entries(hall).last()
    return int(newest.data["last"]) if newest else 0


def due(hall: Hall, *, days: int, at: datetime) -> Due | None:
    """Give what has been kept for as many days, None where there is nothing.

    It follows from rows alone, whatever files there are: a run that was killed finds the same.
    The clock alone is not believed: the hall's sessions must have lasted through the days.
    """
    before = _lived_since(hall, days=days, at=at)
    if before is None:
        return None
    after = last_session(hall)
    last = _last_closed(hall, after=after, before=before)
    shown = _shown_before(hall, before)
    found = digests(hall, after=after, last=last, enrolments=shown)
    return Due(days, after, last, tuple(shown), len(found)) if found else None


def is_held(hall: Hall, due: Due) -> bool:
    """Tell whether an open case is about one of the sessions that are due."""
    sessions = Session.objects.filter(hall=hall, number__gt=due.after, number__lte=due.last)
    return sessions.filter(pk__in=_held(hall)).exists()


def _lived_since(hall: Hall, *, days: int, at: datetime) -> datetime | None:
    """Give the moment since which a hall has lived so many days; None where it has not yet."""
    left, later = timedelta(days=days), at
    for moment in _moments(hall, at):
        gap = min(later - moment, LONGEST_GAP)
        if gap >= left:
            return later - left
        left, later = left - gap, moment
    return later - left if left <= LONGEST_GAP else None


def _moments(hall: Hall, at: datetime) -> Iterator[datetime]:
    """Give when the hall's sessions were closed and opened until then, the newest first."""
    held = hall.sessions.order_by("-number").values_list("closed_at", "opened_at")
    for session in held.iterator(chunk_size=100):
        yield from (moment for moment in session if moment is not None and moment <= at)


def _last_closed(hall: Hall, *, after: int, before: datetime) -> int:
    """Give the last session up to which all had been closed by then, and none has an open case."""
    later = Session.objects.filter(hall=hall, number__gt=after)
    young = ~Q(closed_at__lte=before) | Q(closed_at__isnull=True)
    kept = later.filter(young | Q(pk__in=_held(hall))).aggregate(first=Min("number"))["first"]
    if kept is not None:
        return int(kept) - 1
    return later.aggregate(last=Max("number"))["last"] or after


def _held(hall: Hall) -> QuerySet[Case, Any]:
    """Give the sessions of which an open case may still want every picture (R51, R52)."""
    return Case.objects.filter(hall=hall, closed_at__isnull=True).values("game__session")


def _shown_before(hall: Hall, before: datetime) -> list[int]:
    """Give the enrolments ended by then, and before the session that is open, that nothing needs."""
    opened = hall.sessions.filter(closed_at__isnull=True).aggregate(first=Min("opened_at"))["first"]
    by = min(before, opened) if opened else before
    found = Enrolment.objects.filter(camera__hall=hall, ended_at__lte=by, shown__isnull=False)
    needed = {*certificates.enrolments_needed(hall), *_written_off(hall)}
    return sorted(set(found.values_list("pk", flat=True)) - needed)


def _written_off(hall: Hall) -> set[int]:
    told = entries(hall).values_list("data__enrolments", flat=True)
    return {enrolment for enrolments in told for enrolment in enrolments}


def digests(hall: Hall, *, after: int, last: int, enrolments: list[int]) -> set[str]:
    """Give the pictures that nothing else needs, of those sessions' readings and those enrolments."""
    of_hall = Q(game__session__hall=hall, game__session__number__lte=last)
    seen = Reading.objects.filter(of_hall, game__session__number__gt=after).exclude(picture="")
    shown = ShownBall.objects.filter(enrolment__in=enrolments)
    found = {*_pictures(seen), *_pictures(shown)}
    if not found:
        return set()
    # The same picture may be named elsewhere too: as long as it is, it stays.
    again = Q(picture__in=seen.values("picture")) | Q(picture__in=shown.values("picture"))
    gone = _written_off(hall) | set(enrolments)
    kept = Reading.objects.filter(again).exclude(of_hall)
    kept_shown = ShownBall.objects.filter(again).exclude(enrolment__in=gone)
    # What a complaint names is evidence, decided or not: the decision may be asked about later.
    named = Complaint.objects.filter(again)
    return found - {*_pictures(kept), *_pictures(kept_shown), *_pictures(named)}


def _pictures(rows: QuerySet[Any]) -> set[str]:
    return set(rows.order_by().values_list("picture", flat=True))
