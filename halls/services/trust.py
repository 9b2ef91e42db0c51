"""What is held of a jackpot between sessions: added by the operator, moved or ended (R11, rules 20-24)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import trust as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls import permissions
from halls.models import Hall, JournalEntry, Person
from halls.services import apart, journal, witnesses


@transaction.atomic
def fund(
    *,
    hall: Hall,
    level: int = 0,
    amount: int,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Add minor units to a level, as its base is (R11); `reference` says where they come from.

    Raises Refusal: not_allowed, key_reused, jackpot_in_play, those of `witnesses.second`, or what
    `trust.fund` refuses.
    """
    permissions.require(by, rules.FUNDED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked: dict[str, Any] = {"level": level, "amount": amount, "reference": reference}
    if done := journal.earlier(hall, kind=rules.FUNDED, by=by, key=key, inputs=asked):
        return done
    _require_at_rest(hall)
    second = witnesses.second(witness, by=by, kind=rules.FUNDED, hall=hall)
    fact = Fact(rules.FUNDED, rules.fund(held(hall), **asked) | second)
    return _told(hall, fact, by=by, at=at, key=key)


@transaction.atomic
def end(
    *,
    hall: Hall,
    level: int = 0,
    to: str,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Hand over all that a level holds to whom the regulator names (rule 24).

    Raises Refusal: not_allowed, key_reused, jackpot_in_play, those of `witnesses.second`, or what
    `trust.end` refuses.
    """
    permissions.require(by, rules.ENDED, hall=hall.pk)
    hall = journal.lock(hall.pk)
    asked: dict[str, Any] = {"level": level, "to": to, "reference": reference}
    if done := journal.earlier(hall, kind=rules.ENDED, by=by, key=key, inputs=asked):
        return done
    _require_at_rest(hall)
    second = witnesses.second(witness, by=by, kind=rules.ENDED, hall=hall)
    fact = Fact(rules.ENDED, rules.end(held(hall), **asked) | second)
    return _told(hall, fact, by=by, at=at, key=key)


@transaction.atomic
def move(
    *,
    hall: Hall,
    level: int = 0,
    to: Hall,
    to_level: int = 0,
    reference: str,
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> JournalEntry:
    """Move all that a level holds to a level of this hall or another (rule 23), in both journals.

    Raises Refusal: not_allowed, key_reused, jackpot_in_play, level_is_its_own, training_is_apart,
    other_money_or_rules, those of `witnesses.second`, or what `trust.move` refuses.
    """
    permissions.require(by, rules.MOVED, hall=hall.pk)
    if (hall.pk, level) == (to.pk, to_level):
        raise Refusal("level_is_its_own")
    # In the order of their keys, so that two who move towards each other never wait for each other.
    locked = {one: journal.lock(one) for one in sorted({hall.pk, to.pk})}
    giver, taker = locked[hall.pk], locked[to.pk]
    if giver.pk != taker.pk:
        apart.require_real(giver, taker)
    if (giver.currency, giver.rulebook) != (taker.currency, taker.rulebook):
        raise Refusal("other_money_or_rules")
    asked: dict[str, Any] = {
        "level": level, "to": taker.code, "to_level": to_level, "reference": reference,
    }  # fmt: skip
    if done := journal.earlier(giver, kind=rules.MOVED, by=by, key=key, inputs=asked):
        return done
    _require_at_rest(giver)
    second = witnesses.second(witness, by=by, kind=rules.MOVED, hall=giver)
    fact = Fact(rules.MOVED, rules.move(held(giver), **asked) | second)
    entry = _told(giver, fact, by=by, at=at, key=key)
    receive(
        taker, level=to_level, amount=entry.data["amount"], origin=giver.code,
        reference=reference, by=by, at=at,
    )  # fmt: skip
    return entry


def receive(
    hall: Hall,
    *,
    level: int,
    amount: int,
    origin: str,
    reference: str,
    by: Person,
    at: datetime,
) -> JournalEntry:
    """Take in what another level or hall, or a link, held; the hall must be locked.

    `origin` is the code of the hall that gave it. Raises Refusal: jackpot_in_play, or what
    `trust.receive` refuses.
    """
    _require_at_rest(hall)
    taken = rules.receive(
        held(hall), level=level, amount=amount, origin=origin, reference=reference
    )
    return _told(hall, Fact(rules.RECEIVED, taken), by=by, at=at)


def take_in_unclaimed(
    hall: Hall, fact: Fact, *, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Let the first level take what nobody fetched within its period; the hall must be locked.

    `fact` is that of `unclaimed.expire`. Raises Refusal jackpot_in_play.
    """
    _require_at_rest(hall)
    entry = journal.append(hall, fact, by=by, at=at, key=key)
    _keep(hall, rules.changed(held(hall), 0, fact.data["amount"]))
    return entry


def held(hall: Hall) -> list[int]:
    """Give what each level of a hall's jackpot holds, in minor units."""
    return [hall.jackpot_balance, *hall.level_balances]


def _require_at_rest(hall: Hall) -> None:
    """Refuse while a session plays for it, on terms that hold until its close (R9): jackpot_in_play."""
    if hall.sessions.filter(closed_at__isnull=True).exists():
        raise Refusal("jackpot_in_play")


def _told(
    hall: Hall, fact: Fact, *, by: Person, at: datetime, key: UUID | None = None
) -> JournalEntry:
    """Write the entry, and what the level holds after it."""
    entry = journal.append(hall, fact, by=by, at=at, key=key)
    _keep(hall, rules.changed(held(hall), fact.data["level"], _signed(fact)))
    return entry


def _signed(fact: Fact) -> int:
    amount: int = fact.data["amount"]
    return amount if fact.kind in (rules.FUNDED, rules.RECEIVED) else -amount


def _keep(hall: Hall, balances: Sequence[int]) -> None:
    hall.jackpot_balance, *hall.level_balances = balances
    Hall.objects.filter(pk=hall.pk).update(
        jackpot_balance=hall.jackpot_balance, level_balances=hall.level_balances
    )
