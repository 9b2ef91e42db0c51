"""Evenings brought to their end by the services: what actas and records are read from."""

from __future__ import annotations

from draws.games import services as games_services
from halls import tills
from halls.models import Role
from tests.support.departing_players import set_aside
from tests.support.evening import FLOAT, STAGES, Evening, spanish
from tests.support.service_commands.games import double_cards
from tests.support.service_commands.prizes import paid
from tests.support.session_ends import ended

__all__ = [
    "both_halves", "completed", "ended", "halves_of", "left_in_the_first", "paid_in_the_first",
]  # fmt: skip


def completed(evening: Evening) -> Evening:
    """Play the game to its end and complete its entry."""
    evening.reach("paying")
    paid(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return evening


def both_halves() -> Evening:
    """Play both games of double cards; card 1 wins both, and is paid after the second (R45)."""
    evening = Evening()
    double_cards(evening)
    return halves_of(evening)


def left_in_the_first() -> Evening:
    """Play both games of double cards in Spain; card 1 wins both, and is paid the second alone."""
    evening = spanish()
    double_cards(evening)
    evening.reach("paying")
    set_aside(evening)
    return halves_of(evening)


def paid_in_the_first() -> Evening:
    """Play both games of double cards in Spain; card 1 wins both, and is paid after each."""
    evening = spanish()
    double_cards(evening)
    evening.reach("paying")
    paid(evening)
    return halves_of(evening)


def halves_of(evening: Evening) -> Evening:
    """Play both games of the double cards on sale."""
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    games_services.open_second_half(session=evening.session, **evening.who(Role.TABLE_CHIEF))
    evening.stage = STAGES.index("closed")
    manager = evening.who(Role.HALL_MANAGER)
    tills.move_cash(shift=evening.shift, amount=2 * FLOAT, reason="cofre", **manager)
    return completed(evening)
