"""A session with balls before the camera, brought to its close the short way: its game voided."""

from __future__ import annotations

from draws.games import services as games_services
from draws.models import Reading
from draws.prizes import services as prizes_services
from halls.models import Role, Session
from tests.support.evening import STAGES, Evening
from tests.support.filmed_balls import camera_of, see
from tests.support.session_ends import ended


def drawn(evening: Evening, *numbers: int) -> list[Reading]:
    """Open a session, let balls come, and return what was read."""
    evening.stage = STAGES.index("none")
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return [see(camera_of(evening), number) for number in numbers]


def closed(evening: Evening) -> Session:
    """Void the game, pay its cards back, and close the session."""
    game = evening.game
    chief = evening.who(Role.TABLE_CHIEF)
    # After a ball two persons void a game of another cause (R55).
    second = evening.person(Role.HALL_MANAGER) if game.balls.exists() else None
    games_services.void(game=game, cause="other", reason="Falha", witness=second, **chief)
    for sale in game.sales.select_related("issue"):
        prizes_services.refund(
            game=game, issue=sale.issue, first=sale.first, last=sale.last, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return ended(evening)
