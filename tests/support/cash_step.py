"""What the tests of cash step share with others."""

from __future__ import annotations

from typing import Any

from draws.games import services as games_services
from halls.models import Role
from halls.policy.services import set_policy
from tests.support.evening import Evening, authorise
from tests.support.formats import close, pay


def coined(step: int, **granted: Any) -> Evening:
    """A hall that pays prizes in multiples of a step of minor units."""
    evening = Evening()
    if granted:
        authorise(evening.hall, reference="2/2026", valid_from=evening.today, **granted)
    set_policy(hall=evening.hall, cash_step=step, **evening.who(Role.HALL_MANAGER))
    return evening


def without_jackpot(step: int) -> Evening:
    """The same without a jackpot."""
    return coined(step, jackpot_rate=0, jackpot_base=0)


def end(evening: Evening) -> None:
    """Pay the game, complete it, close the session and seal its acta."""
    pay(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    close(evening)
