"""Writing down for how many days a hall keeps things, from which day on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import retention as rules
from bingo.rules import rulebooks
from bingo.rules.game import Fact
from halls import permissions
from halls.models import Hall, Person, Retention
from halls.queries import retention as queries
from halls.services import clock, journal, witnesses


@transaction.atomic
def set_days(
    *,
    hall: Hall,
    days: Mapping[str, int],
    valid_from: date,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Retention:
    """Set for how many days things of each kind are kept, 0 for good, from a day of the hall's on.

    Raises Refusal: not_allowed, key_reused, second_person_needed where the hall wants two,
    witness_same_person, witness_not_allowed, or what `bingo.rules.retention.decide` refuses.
    """
    permissions.require(by, rules.SET, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked = {
        "valid_from": valid_from.isoformat(),
        "days": {kind: days[kind] for kind in rules.KINDS},
    }
    if done := journal.earlier(hall, kind=rules.SET, by=by, key=key, inputs=asked):
        return Retention.objects.get(entry=done)
    second = witnesses.second(witness, by=by, kind=rules.SET, hall=hall)
    today = queries.day(hall, clock.stamp(at, hall.head_at))
    fewest = rules.fewest(rulebooks.get(hall.rulebook))
    data = rules.decide(days=days, valid_from=valid_from, today=today, fewest=fewest)
    entry = journal.append(hall, Fact(rules.SET, data | second), by=by, at=at, key=key)
    return Retention.objects.create(
        hall=hall, valid_from=valid_from, entry=entry, **{k: days[k] for k in rules.KINDS}
    )
