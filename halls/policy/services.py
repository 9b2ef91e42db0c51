"""Record what a hall decides for itself; it holds from the next session on."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from bingo.rules import distributions, jackpots, prizes, rulebooks
from bingo.rules import policies as rules
from bingo.rules.game_flow import Fact
from bingo.rules.money import Shares
from bingo.slips import printer
from halls import authorisations, permissions
from halls.journal import services as journal_services
from halls.journal.services import begin_command
from halls.models import Hall, Person, Policy


@transaction.atomic
def set_policy(
    *,
    hall: Hall,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    **decided: Any,
) -> Policy:
    """Set a hall's policy, whole: what is not given in `decided` is set to its default.

    `difference_limit`, `payment_limit` and `cash_step` in minor units, `printers` as "host:port" by the name of a till,
    `automatic` per mille, `interval` and `patience` in seconds. Raises Refusal: not_allowed,
    key_reused, bad_printer, cash_step_over_prize, too_fast (R31), or what `bingo.rules.policies.record` refuses.
    """
    permissions.require(by, "policy_set", hall=hall.pk)
    asked = rules.record(tills=set(hall.tills.values_list("name", flat=True)), **decided)
    policy = rules.HallPolicy(**decided)
    rules.require_pace(policy.interval, rulebooks.get(hall.rulebook))
    # Not by the rules: what was decided before is followed again as it was.
    for address in policy.printers.values():
        printer.require_in_hall(address, loopback=settings.PRINTER_LOOPBACK)
    hall, done = begin_command(hall.pk, "policy_set", inputs=asked, by=by, at=at, key=key)
    if done:
        return Policy.objects.get(entry=done)
    _require_fits(hall, policy.cash_step, at=at)
    entry = journal_services.append(hall, Fact("policy_set", asked), by=by, at=at, key=key)
    return Policy.objects.create(hall=hall, entry=entry, **asked)


def _require_fits(hall: Hall, step: int, *, at: datetime) -> None:
    """Refuse a coin that could make a prize nothing: cash_step_over_prize.

    A session that opens on another authorisation judges it anew.
    """
    granted = authorisations.granted(hall, at)
    if granted is None:
        return
    levels = authorisations.levels_of(granted)
    own = (distributions.load(one).shares for one in granted.distributions)
    prizes.require_fits(
        step,
        faces=granted.faces,
        played=(Shares(granted.line_share, granted.bingo_share), *own),
        jackpot_rate=jackpots.rate(levels),
        source=jackpots.source(levels),
    )
