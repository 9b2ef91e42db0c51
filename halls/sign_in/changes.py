"""Changes of what proves somebody, read from the journal alone: for their owner, manager and inspector.

Whoever commands a page can write such an entry in anybody's name, and mark a row as told. So nothing
here is told once and gone, and what somebody is said to have done while they were logged in nowhere
is set apart.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from bingo.rules import checkpoints_and_clock, staff
from bingo.rules import sign_in_and_pins as rules
from halls.journal import head
from halls.models import Hall, JournalEntry, Person, SignIn

SHOWN = timedelta(days=30)  # as long as logins that are over are remembered
WHOLE = timedelta(hours=12)  # no login lasts longer
OWN = Q(kind__in=head.OF_ONESELF)


def of(person: Person, *, at: datetime) -> QuerySet[JournalEntry]:
    """Return what became of a person's own sign-in in the last days, by whomever, newest first."""
    given = Q(kind__in=staff.BY_OTHERS, data__change__in=(staff.PASSWORD, staff.FACTOR))
    taken = Q(kind__in=(rules.REMOVED, rules.UNLINKED))
    others = Q(data__username=person.username) & (given | taken)
    return _recent(person.hall, at=at).filter(OWN & Q(by=person) | others)


def unattended(hall: Hall, *, at: datetime) -> list[JournalEntry]:
    """Return what people are said to have done with their sign-in while they were not logged in.

    An archive holds no login. So where two people have let an older history go on, what is older
    than that and than every login of the hall is of before the restore, and nobody is accused of it.
    """
    there = _logins(OuterRef("by"), at=OuterRef("at"))
    accepted = JournalEntry.objects.filter(
        hall=hall, kind=checkpoints_and_clock.SET_BACK, number__gt=OuterRef("number")
    )
    anybody = SignIn.objects.filter(hall=hall, since__lte=OuterRef("at"))
    judged = ~Exists(accepted) | Exists(anybody)
    by_the_clock = JournalEntry.objects.filter(
        hall=hall, number=OuterRef("number") - 1, kind=head.CLOCK_ANOMALY, at=OuterRef("at")
    )
    found = _recent(hall, at=at).filter(OWN, judged, by__isnull=False)
    absent = found.filter(~Exists(there) | Exists(by_the_clock))
    return [entry for entry in absent if not _was_there_by_the_clock(entry)]


def _logins(person: Any, *, at: Any) -> QuerySet[SignIn]:
    """Return a person's logins that were good at a moment."""
    return _not_over(person, at=at).filter(since__lte=at)


def _not_over(person: Any, *, at: Any) -> QuerySet[SignIn]:
    found = SignIn.objects.filter(person=person, since__gt=at - WHOLE)
    return found.filter(Q(ended_at=None) | Q(ended_at__gte=at))


def _was_there_by_the_clock(entry: JournalEntry) -> bool:
    """Return whether somebody was logged in when the clock, set back, showed what the note before tells.

    Logins bear the clock's time, an entry that of the journal, which stood ahead of it.
    """
    clock = head.clock_then(entry)
    if clock is None:
        return False
    # A login that ended before it began is older than the clock's going back.
    begun = Q(since__lte=clock) | Q(ended_at__lt=F("since"))
    return _not_over(entry.by_id, at=clock).filter(begun).exists()


def ended_by_others(person: Person, *, at: datetime) -> list[JournalEntry]:
    """Return by which entries others ended a person's link since they were last logged in before now."""
    before = SignIn.objects.filter(person=person).order_by("-since").values_list("since", flat=True)
    last = before[1:2].first() or at - SHOWN
    found = _recent(person.hall, at=at).filter(kind=rules.UNLINKED, at__gte=last)
    return list(found.filter(data__username=person.username))


def _recent(hall: Hall, *, at: datetime) -> QuerySet[JournalEntry]:
    found = JournalEntry.objects.filter(hall=hall, at__gte=at - SHOWN)
    return found.select_related("by", "hall").order_by("-number")
