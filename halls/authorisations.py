"""What the regulator has granted a hall, as it holds on a day.

Writing down what the regulator has granted a hall; it can never be changed (R3, R7-R19, R35, R54).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from bingo.rules import authorisations
from bingo.rules.distributions import Distribution, dump
from bingo.rules.game import Fact
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from halls import jackpots, permissions, second_person
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Authorisation, Hall, Person


def granted(hall: Hall, at: datetime) -> Authorisation | None:
    """Return the hall's latest authorisation valid on its own day (R17), None without one."""
    day = hall.day(at)
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


NOTHING: Mapping[str, Any] = MappingProxyType({})


@transaction.atomic
def record(
    *,
    hall: Hall,
    reference: str,
    valid_from: date,
    valid_until: date | None = None,
    formats: Sequence[int],
    faces: Sequence[int],
    sizes: Mapping[str, int] | None = None,
    double_cards: bool = False,
    line_share: int,
    bingo_share: int,
    jackpot_rate: int = 0,
    jackpot_base: int = 0,
    tax_rate: int = 0,
    tax_threshold: int = 0,
    player_limit: int | None = None,
    several_prices: bool = False,
    languages: Sequence[str] = (),
    distributions: Sequence[Distribution] = (),
    jackpot_terms: Mapping[str, Any] = NOTHING,
    jackpot_levels: Sequence[Mapping[str, Any]] = (),
    capacity: int | None = None,
    identity_asked: bool = False,
    unclaimed_terms: Mapping[str, Any] = NOTHING,
    witness: Person | None = None,
    exempt: Sequence[str] = (),
    **who: Unpack[Who],
) -> Authorisation:
    """Record an authorisation, in force from its first day to its last (R3).

    Amounts in minor units, shares and rates in basis points; `sizes` gives the cards of letters
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
    permissions.require(who["by"], "authorisation_recorded", hall=hall.pk)
    second = second_person.witness_name(witness, by=who["by"], kind="authorisation_recorded")
    asked = authorisations.record(
        rulebook=hall.rulebook,
        reference=reference,
        valid_from=valid_from.isoformat(),
        valid_until=valid_until.isoformat() if valid_until else None,
        formats=list(formats),
        faces=list(faces),
        sizes=dict(sizes or {}),
        double_cards=double_cards,
        line_share=line_share,
        bingo_share=bingo_share,
        jackpot_rate=jackpot_rate,
        jackpot_limit=0,
        jackpot_base=jackpot_base,
        tax_rate=tax_rate,
        tax_threshold=tax_threshold,
        player_limit=player_limit,
        several_prices=several_prices,
        languages=languages,
        distributions=[dump(one) for one in distributions],
        jackpot_terms=dict(jackpot_terms),
        jackpot_levels=[dict(one) for one in jackpot_levels],
        capacity=capacity,
        identity_asked=identity_asked,
        unclaimed_terms=dict(unclaimed_terms),
        witness=second,
        exempt=exempt,
    )
    _require_known(languages)
    # What is not granted is not told, and must not have been told then either.
    row = {name: value for name, value in asked.items() if name != "witness"}
    inputs = dict.fromkeys(authorisations.UNGRANTED) | row
    hall, done = begin_command(hall.pk, "authorisation_recorded", inputs=inputs, **who)
    if done:
        return Authorisation.objects.get(entry=done)
    if hall.authorisations.filter(reference=reference).exists():
        raise Refusal("reference_used", reference=reference)
    jackpots.require_granted(
        hall,
        authorisations.levels(jackpot_rate, 0, jackpot_base, jackpot_terms, jackpot_levels),
    )
    entry = journal_services.append(hall, Fact("authorisation_recorded", asked), **who)
    days = {"valid_from": valid_from, "valid_until": valid_until}
    return Authorisation.objects.create(hall=hall, entry=entry, **(row | days))


def _require_known(languages: Sequence[str]) -> None:
    """Refuse a language that the system does not speak: language_not_known."""
    for language in languages:
        if language not in dict(settings.LANGUAGES):
            raise Refusal("language_not_known", language=language)
