"""The door: people let in, out and away, and the count set right (BOE III)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from bingo.rules import admission as rules
from bingo.rules import rulebooks
from bingo.rules.admission import Doorway
from bingo.rules.game import Fact
from halls import permissions
from halls.models import Admission, Hall, JournalEntry, Person
from halls.queries import admission as queries
from halls.services import beside, clock, journal, sessions

Data = dict[str, Any]


def capacity(hall: Hall, at: datetime) -> int | None:
    """Return how many people the authorisation in force lets be inside, None where it does not say."""
    granted = sessions.granted(hall, at)
    return granted.capacity if granted else None


def admit(
    *, hall: Hall, born: date | None = None, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Let one person in; `born` is looked at and not kept.

    Raises Refusal: not_allowed, key_reused, minor, bad_birth_date, hall_full.
    """

    def decide(doorway: Doorway, stamp: datetime) -> Data:
        today = stamp.astimezone(ZoneInfo(hall.time_zone)).date()
        least_age = rulebooks.get(hall.rulebook).least_age
        return rules.admit(doorway, born=born, today=today, least_age=least_age)

    return _record(hall, rules.ADMITTED, decide, asked={}, by=by, at=at, key=key)


def leave(*, hall: Hall, by: Person, at: datetime, key: UUID | None = None) -> JournalEntry:
    """Let one person out. Raises Refusal: not_allowed, key_reused, nobody_inside."""
    return _record(
        hall, rules.LEFT, lambda doorway, _at: rules.leave(doorway), asked={}, by=by, at=at, key=key
    )


def refuse(
    *, hall: Hall, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Write down that somebody was sent away. Raises Refusal: not_allowed, key_reused, unknown_reason."""
    return _record(
        hall, rules.REFUSED, lambda doorway, _at: rules.refuse(doorway, reason=reason),
        asked={"reason": reason}, by=by, at=at, key=key,
    )  # fmt: skip


def count(
    *, hall: Hall, inside: int, reason: str, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Set how many are inside to what was counted.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.admission.count` refuses.
    """
    return _record(
        hall, rules.COUNTED,
        lambda doorway, _at: rules.count(doorway, inside=inside, reason=reason),
        asked={"inside": inside, "reason": reason.strip()}, by=by, at=at, key=key,
    )  # fmt: skip


@transaction.atomic
def _record(
    hall: Hall,
    kind: str,
    decide: Callable[[Doorway, datetime], Data],
    *,
    asked: Data,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> JournalEntry:
    """Decide and write one thing at the door, with the hall held: two doors never count the same."""
    permissions.require(by, kind, hall=hall.pk)
    hall = journal.lock(hall.pk)
    if done := journal.earlier(hall, kind=kind, by=by, key=key, inputs=asked):
        return done
    stamp = clock.stamp(at, hall.head_at)
    granted = capacity(hall, stamp)
    data = decide(queries.doorway(hall, capacity=granted), stamp)
    entry = beside.append(hall, Fact(kind, data), by=by, at=at, key=key)
    newest = queries.last(hall)
    Admission.objects.create(
        hall=hall, number=1 + (newest.number if newest else 0), kind=kind, inside=data["inside"],
        capacity=data.get("capacity"), reason=data.get("reason", ""), at=entry.at, entry=entry,
    )  # fmt: skip
    return entry
