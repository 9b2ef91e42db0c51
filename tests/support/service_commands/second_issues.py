"""The command that puts a second issue on sale when the first is sold out."""

from __future__ import annotations

from draws.games import services as games_services
from halls.models import Role
from tests.support.evening import Evening
from tests.support.service_commands.command import CHIEF, Command
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import sell


def exhausted(evening: Evening) -> None:
    """Sell the first issue out in a second game, which began at card 7 of it."""
    cashier, chief = evening.who(Role.CASHIER), evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, cashier)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier, quantity=84)


COMMANDS = (
    Command(
        "second_issue_opened", CHIEF, "sold",
        lambda e, w: games_services.open_second_issue(game=e.game, issue=e.issue(2), **w),
        prepare=exhausted,
    ),
)  # fmt: skip
