"""The hall as it stands, on one page that follows it: all that its people see, and no order to give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils import timezone

from bingo.rules import jackpots
from bingo.rules.state import GameState
from draws.documents import claim_words, facts, words
from draws.models import ClaimCheck
from draws.queries import shortage
from draws.queries.board import issue_name
from draws.queries.standing import Standing
from draws.views import rng, terms, uncalled
from draws.views.desk import Desk
from draws.views.manager import sale
from draws.views.table import suspending
from halls.models import JournalEntry, Person
from halls.models.journal import INCIDENTS
from halls.queries import equipment, policies

INCIDENTS_SHOWN = 8
CHECKS_SHOWN = 12


def context(_person: Person, now: Standing) -> dict[str, Any]:
    """Give what the hall's people see: the game, its claims, the sale, the tills, the alarms."""
    at = timezone.now()
    policy = terms.policy(now) if now.session else policies.in_force(now.hall)
    shown: dict[str, Any] = {"rng": rng.of_hall(now, policy.source).get("rng")}
    broken = equipment.breakdowns(now.hall).filter(ended_at__isnull=True)
    shown |= {"broken": list(broken), "incidents": _incidents(now)}
    if now.session is None or now.state is None:
        return shown
    if now.known is not None:
        shown |= _game(now, now.known)
        shown |= suspending.shown(now, now.known, at=at) | uncalled.named(now, now.known)
    shown |= {"shortages": shortage.short(now)}
    return shown | sale.shown(now.session, now.state, at=at)


def _game(now: Standing, known: GameState) -> dict[str, Any]:
    worth = replace(known, prizes=known.growing).amounts
    prizes = [(words.combination(name), amount) for name, amount in worth.items()]
    prizes += [
        (words.combination(jackpots.prize(level)), amount)
        for level, amount in known.played_balances
    ]
    return {
        "prizes": prizes,
        "source": words.source(known.source) if known.source else "",
        "checks": _checks(now, known),
        "pending": [(words.combination(one.combination), one.card) for one in known.pending],
        "signalled": [
            (issue_name(known, issue) if len(known.runs) > 1 else "", card, place)
            for issue, card, place in known.signalled
        ],
        "awards": [(words.combination(one.combination), one) for one in known.awards],
    }


def _checks(now: Standing, known: GameState) -> list[dict[str, Any]]:
    """Give the cards looked at in this game, the newest first."""
    found = ClaimCheck.objects.filter(game=now.game).select_related("entry").order_by("-pk")
    return [
        {
            "at": one.at,
            "card": one.card,
            "issue": issue_name(known, one.issue_id) if len(known.runs) > 1 else "",
            "label": words.combination(one.combination),
            "valid": one.valid,
            "verdict": claim_words.verdict(one.entry.data),
        }
        for one in found[:CHECKS_SHOWN]
    ]


def _incidents(now: Standing) -> list[tuple[JournalEntry, object, str]]:
    if now.session is None:
        return []
    found = JournalEntry.objects.filter(session=now.session, kind__in=INCIDENTS)
    newest = found.select_related("by", "hall").order_by("-number")[:INCIDENTS_SHOWN]
    return [(entry, words.kind(entry.kind), facts.told(entry)) for entry in newest]


DESK = Desk(name="watch", context=context, verbs={})
