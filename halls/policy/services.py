"""Record what a hall decides for itself; what tills and games go by holds from the next session on.

What protects less than before waits a day (`bingo.rules.policies.NOTICE`), and can be withdrawn.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.conf import settings
from django.db import transaction

from bingo.rules import policies as rules
from bingo.rules import rulebooks
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.slips import printer
from halls import authorisations, permissions, second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, JournalEntry, Person, Policy
from halls.policy import queries

SET = "policy_set"


@transaction.atomic
def set_policy(
    *,
    hall: Hall,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    witness: Person | None = None,
    after: int | None = None,
    **decided: Any,
) -> Policy:
    """Set a hall's policy, whole: what is not given in `decided` is set to its default.

    What waited before is replaced; what protects less than what holds now waits. `after` is the
    number of the entry that whoever decides has seen as the newest (`queries.newest_number`).
    `difference_limit`, `payment_limit` and `cash_step` in minor units, `printers` as "host:port" by the name of a till,
    `automatic` per mille, `interval` and `patience` in seconds. Raises Refusal: not_allowed,
    key_reused, stale_page where another was written since, bad_printer, cash_step_over_prize, too_fast (R31), second_person_needed where the hall asks for
    one or one is taken away, what `second_person.second` refuses, or what
    `bingo.rules.policies.change` refuses.
    """
    hall, done = _begin(hall, by=by, at=at, key=key)
    tills = set(hall.tills.values_list("name", flat=True))
    asked = rules.record(tills=tills, **decided)
    policy = rules.of({"policy": asked})
    rules.require_pace(policy.interval, rulebooks.get(hall.rulebook))
    # Not by the rules: what was decided before is followed again as it was.
    for address in policy.printers.values():
        printer.require_in_hall(address, loopback=settings.PRINTER_LOOPBACK)
    if done:
        return _same(done, policy)
    if after not in (None, queries.newest_number(hall)):
        raise Refusal("stale_page")
    moment, settled = head.stamp(at, hall.head_at), queries.settled(hall)
    before = queries.in_force(hall, moment)
    if settled and witness is None and rules.needs_two(before, policy):
        raise Refusal("second_person_needed", command=SET)
    told = rules.change(before, tills=tills, at=moment, settled=settled, **decided)
    second = second_person.witness_name(witness, by=by, kind=SET, at=moment)
    # A session that opens on another authorisation judges the coin anew.
    granted = authorisations.granted(hall, at)
    if granted is not None:
        authorisations.require_fits(granted, policy.cash_step)
    return _written(hall, told, second, by=by, at=at, key=key)


@transaction.atomic
def withdraw(*, hall: Hall, **who: Unpack[Who]) -> Policy:
    """Withdraw what waits of a hall's policy: what holds now goes on. One person may do so.

    Raises Refusal: not_allowed, key_reused, nothing_waits where it holds already.
    """
    hall, done = _begin(hall, **who)
    if done:
        if "withdraws" not in done.data:
            raise Refusal("key_reused")
        return Policy.objects.get(entry=done)
    moment = head.stamp(who["at"], hall.head_at)
    told = rules.withdraw(queries.newest(hall), moment, entry=queries.newest_number(hall))
    return _written(hall, told, None, **who)


def _begin(hall: Hall, **who: Unpack[Who]) -> tuple[Hall, JournalEntry | None]:
    """Lock the hall for the command. Raises Refusal: not_allowed, key_reused."""
    permissions.require(who["by"], SET, hall=hall.pk)
    head.lock(hall.pk)
    # Whoever gives the order may have been disabled while it waited.
    who["by"].refresh_from_db(fields=["roles", "is_active"])
    return begin_command(hall.pk, SET, **who)


def _same(done: JournalEntry, wanted: rules.HallPolicy) -> Policy:
    """Return what a key has set already. Raises Refusal key_reused where it set something else."""
    told = rules.values(done.data)
    waits = (done.data.get("later") or {}).get("policy", {})
    if "withdraws" in done.data or rules.of({"policy": told | waits}) != wanted:
        raise Refusal("key_reused")
    return Policy.objects.get(entry=done)


def _written(hall: Hall, told: dict[str, Any], second: str | None, **who: Unpack[Who]) -> Policy:
    said = told if second is None else {**told, "witness": second}
    entry = journal_services.append(hall, Fact(SET, said), **who)
    kept = {name: told[name] for name in (*rules.NAMES, "later") if name in told}
    return Policy.objects.create(hall=hall, entry=entry, **kept)
