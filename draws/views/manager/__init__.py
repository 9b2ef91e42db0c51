"""The hall manager's page: the session, its sale as it goes, its tills and what is in stock."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from bingo.rules import rulebooks
from bingo.rules.policies import pace
from draws.documents import policy_words
from draws.documents.draw_facts import sure
from draws.queries import offers, remarks
from draws.queries.standing import Standing
from draws.views import door, duties, first_steps, last_game, rng, shortage, terms
from draws.views.desk import Desk
from draws.views.manager import keeping, sale, sessions, shifts, unsealed
from draws.views.table import complaining, notes, opening, seconding, suspending
from halls.models import Person
from halls.queries import policies

SHOWN = 20  # issues beside the orders; the rest is in the stock


def context(person: Person, now: Standing) -> dict[str, Any]:
    """Give what the hall manager sees."""
    policy = terms.policy(now) if now.session else policies.in_force(now.hall)
    shown: dict[str, Any] = {"categories": notes.OFFERED, "policy": policy}
    shown |= {
        "source": policy_words.SOURCES[policy.source],
        "pace": pace(policy, rulebooks.get(now.hall.rulebook)),
        "automatic": sure(policy.automatic) if policy.automatic else "",
    }
    shown |= opening.shown(now) | shortage.shown(now) | sessions.shown(now)
    shown |= duties.shown(person, now)
    shown |= last_game.shown(now) | {"remarks": remarks.unanswered(now.hall)}
    shown |= rng.of_hall(now, policy.source)
    shown |= complaining.standing(now)
    shown |= door.of_hall(now.hall)
    shown |= keeping.shown(now, at=timezone.now())
    shown |= unsealed.shown(now.hall, at=timezone.now())
    issues = shown.get("issues")
    if issues is None:
        issues = list(offers.to_open(now.hall)[: SHOWN + 1])
    if now.session is None:
        shown |= first_steps.progress(now.hall)
    shown |= {"shelf": issues[:SHOWN], "more_issues": len(issues) > SHOWN}
    if now.session is None or now.state is None:
        return shown
    at = timezone.now()
    if now.known is not None:
        shown |= seconding.shown(person, now, now.known) | suspending.shown(now, now.known, at=at)
    return shown | sale.shown(now.session, now.state, at=at)


DESK = Desk(
    name="manager",
    context=context,
    verbs={
        "open-session": sessions.open_session,
        "close-session": sessions.close_session,
        "plan-end": last_game.plan,
        "seal-again": unsealed.again,
        "open-game": opening.open_game,
        "open-half": opening.open_half,
        "open-second": opening.open_second,
        "move-cash": shifts.move_cash,
        "close-till": shifts.close_shift,
        "decide-source": rng.decide,
        "note": notes.note,
        "countersign": seconding.countersign,
        "deny": seconding.deny,
    },
)
