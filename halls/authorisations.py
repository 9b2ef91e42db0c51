"""Record what the regulator grants a hall, and read what holds on a day (R3, R7-R19, R35, R54).

A recorded authorisation can never be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from bingo.rules import authorisations, prizes
from bingo.rules import jackpots as rules_jackpots
from bingo.rules.game_flow import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.prize_distributions import Distribution, dump, load
from bingo.rules.prize_shares import Shares
from bingo.rules.refusal import Refusal
from halls import jackpots, permissions, second_person
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import begin_command
from halls.models import Authorisation, Hall, Person


def granted(hall: Hall, at: datetime) -> Authorisation | None:
    """Return the hall's latest authorisation valid on the day of an entry (R17), None without one."""
    day = head.entry_day(hall, at)
    valid = Q(valid_from__lte=day) & (Q(valid_until__isnull=True) | Q(valid_until__gte=day))
    return hall.authorisations.filter(valid).order_by("-valid_from", "-pk").first()


def levels_of(granted: Authorisation) -> tuple[Jackpot, ...]:
    """Return each level of the jackpot as granted, holding its base alone; none without one."""
    if not granted.jackpot_rate:
        return ()
    return authorisations.levels(
        granted.jackpot_rate,
        granted.jackpot_limit,
        granted.jackpot_base,
        granted.jackpot_terms,
        granted.jackpot_levels,
    )


def require_fits(granted: Authorisation, step: int) -> None:
    """Refuse a coin, in minor units, that could make a prize nothing: cash_step_over_prize."""
    levels = levels_of(granted)
    own = (load(one).shares for one in granted.distributions)
    prizes.require_fits(
        step,
        faces=granted.faces,
        played=(Shares(granted.line_share, granted.bingo_share), *own),
        jackpot_rate=rules_jackpots.rate(levels),
        source=rules_jackpots.source(levels),
    )


@transaction.atomic
def record(
    *,
    hall: Hall,
    valid_from: date,
    valid_until: date | None = None,
    distributions: Sequence[Distribution] = (),
    witness: Person | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
    **terms: Any,
) -> Authorisation:
    """Record an authorisation, in force from its first day to its last (R3).

    `terms` are the rest of what `bingo.rules.authorisations.record` takes. Amounts in minor units, shares and rates in basis points; `sizes` gives the cards of letters
    besides the rule book's (R19), `player_limit` the most cards that a player may buy in a game
    (R35), `languages` those besides the rule book's that announcements may be repeated in (R54),
    `distributions` those of kinds of game that do not follow line and bingo share, `jackpot_terms`
    and `jackpot_levels` what a jackpot has beyond rate and base, its limits by kind of card among it
    (R9-R12), `unclaimed_terms` the period of money that nobody fetched and where it goes then (R44).
    `witness` is the second person without whom no limit is recorded that is won more
    often than not. Raises Refusal: not_allowed, key_reused, reference_used, language_not_known, those
    of `second_person.witness_name`, or what `bingo.rules.authorisations.record` and `linked_jackpots.require_granted`
    refuse.
    """
    permissions.require(by, "authorisation_recorded", hall=hall.pk)
    asked = authorisations.record(
        rulebook=hall.rulebook,
        valid_from=valid_from.isoformat(),
        valid_until=valid_until.isoformat() if valid_until else None,
        distributions=[dump(one) for one in distributions],
        witness=second_person.witness_name(witness, by=by, kind="authorisation_recorded", at=at),
        **terms,
    )
    _require_known(asked.get("languages", ()))
    # What is not granted is not told, and must not have been told then either.
    row = {name: value for name, value in asked.items() if name != "witness"}
    inputs = dict.fromkeys(authorisations.UNGRANTED) | row
    hall, done = begin_command(
        hall.pk, "authorisation_recorded", inputs=inputs, by=by, at=at, key=key
    )
    if done:
        return Authorisation.objects.get(entry=done)
    if hall.authorisations.filter(reference=asked["reference"]).exists():
        raise Refusal("reference_used", reference=asked["reference"])
    days = {"valid_from": valid_from, "valid_until": valid_until}
    recorded = Authorisation(hall=hall, **(row | days))
    jackpots.require_granted(hall, levels_of(recorded))
    fact = Fact("authorisation_recorded", asked)
    recorded.entry = journal_services.append(hall, fact, by=by, at=at, key=key)
    recorded.save(force_insert=True)
    return recorded


def _require_known(languages: Sequence[str]) -> None:
    """Refuse a language that the system does not speak: language_not_known."""
    for language in languages:
        if language not in dict(settings.LANGUAGES):
            raise Refusal("language_not_known", language=language)
