"""Retention: record for how many days a hall keeps things, and read what holds and was removed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Unpack

from django.db import transaction
from django.db.models import QuerySet

from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.game_flow import Fact
from bingo.rules.policies import NOTICE
from halls import second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, Person, Removal, Retention
from halls.policy import queries as policy_queries


def in_force(hall: Hall, *, on: date, at: datetime) -> rules.Days:
    """Return the days by kind on a day of the hall's, as decided until a moment; 0 keeps for good."""
    found = Retention.objects.filter(hall=hall).order_by("entry__number")
    pictures = policy_queries.in_force(hall, at).picture_days
    return rules.in_force([one.decision for one in found], on=on, pictures=pictures)


def history(hall: Hall) -> QuerySet[Retention]:
    """Return every decision of a hall with its entry, the newest first."""
    found = Retention.objects.filter(hall=hall).select_related("entry__by", "entry__hall")
    return found.order_by("-entry__number")


def removals(hall: Hall) -> QuerySet[Removal]:
    """Return what was removed, the newest first, without the lists."""
    found = Removal.objects.filter(hall=hall).select_related("entry__hall").defer("listed")
    return found.order_by("-number")


def unfinished(hall: Hall) -> QuerySet[Removal]:
    """Return the removals of which something may still be there, the oldest first."""
    found = Removal.objects.filter(hall=hall, finished_at__isnull=True).select_related("entry")
    return found.order_by("number")


@transaction.atomic
def set_days(
    *,
    hall: Hall,
    days: Mapping[str, int],
    valid_from: date,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Retention:
    """Set for how many days things of each kind are kept, 0 for good, from a day of the hall's on.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall wants two,
    witness_same_person, witness_not_allowed, retention_too_soon for what is kept shorter within a
    day, once a session has been opened, or what `bingo.rules.retention.decide` refuses.
    """
    asked = {
        "valid_from": valid_from.isoformat(),
        "days": {kind: days[kind] for kind in rules.KINDS},
    }
    hall, done = begin_command(hall.pk, rules.SET, inputs=asked, **who)
    if done:
        return Retention.objects.get(entry=done)
    second = second_person.second(witness, by=who["by"], kind=rules.SET, hall=hall, at=who["at"])
    moment = head.stamp(who["at"], hall.head_at)
    if policy_queries.settled(hall):
        # The first day that begins when the notice is over.
        earliest = hall.day(moment + NOTICE) + timedelta(days=1)
        held = in_force(hall, on=valid_from, at=moment + NOTICE)
        rules.require_notice(days=days, held=held, valid_from=valid_from, earliest=earliest)
    today = hall.day(moment)
    fewest = rules.fewest(rulebooks.get(hall.rulebook))
    data = rules.decide(days=days, valid_from=valid_from, today=today, fewest=fewest)
    entry = journal_services.append(hall, Fact(rules.SET, data | second), **who)
    return Retention.objects.create(
        hall=hall, valid_from=valid_from, entry=entry, **{k: days[k] for k in rules.KINDS}
    )
