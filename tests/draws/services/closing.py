"""A session with balls before the camera, brought to its close the short way: its game voided."""

from __future__ import annotations

from draws.models import Reading
from draws.services import games, payments
from halls.models import Role, Session
from tests.draws.queries.played import ended
from tests.draws.services.filming import camera_of, see
from tests.draws.views.evening import STAGES, Evening


def drawn(evening: Evening, *numbers: int) -> list[Reading]:
    """Open a session, let balls come, and give what was read."""
    evening.stage = STAGES.index("none")
    evening.reach("closed")
    games.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return [see(camera_of(evening), number) for number in numbers]


def closed(evening: Evening) -> Session:
    """Void the game, pay its cards back, and close the session."""
    game = evening.game
    chief = evening.who(Role.TABLE_CHIEF)
    # After a ball two persons void a game of another cause (R55).
    second = evening.person(Role.HALL_MANAGER) if game.balls.exists() else None
    games.void(game=game, cause="other", reason="Falha", witness=second, **chief)
    for sale in game.sales.select_related("issue"):
        payments.refund(
            game=game, issue=sale.issue, first=sale.first, last=sale.last, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
    games.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return ended(evening)
