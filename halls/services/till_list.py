"""Which tills a hall works with: one more, one taken out of use, one taken back."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import tills as rules
from bingo.rules.game import Fact
from halls import permissions
from halls.models import Hall, Person, Till
from halls.queries import tills as queries
from halls.services import journal


@transaction.atomic
def change_tills(
    *, hall: Hall, change: str, till: str, by: Person, at: datetime, key: UUID | None = None
) -> Till:
    """Add a till, take one out of use or take it back; `till` is its name.

    Raises Refusal: not_allowed, key_reused, or what `bingo.rules.tills.change` refuses.
    """
    permissions.require(by, rules.CHANGED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    inputs = {"change": change, "till": till}
    if journal.earlier(hall, kind=rules.CHANGED, by=by, key=key, inputs=inputs):
        return hall.tills.get(name=till)
    data = rules.change(queries.known(hall), change, till=till)
    journal.append(hall, Fact(rules.CHANGED, data), by=by, at=at, key=key)
    if change == rules.ADDED:
        return Till.objects.create(hall=hall, name=till)
    changed = hall.tills.get(name=till)
    changed.in_use = change == rules.RESTORED
    changed.save(update_fields=["in_use"])
    return changed
