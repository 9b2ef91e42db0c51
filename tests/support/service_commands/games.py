"""The commands that take a game from one phase to the next, and that void it."""

from __future__ import annotations

from typing import Any

from draws.cards import series as cards_series
from draws.cards import stock
from draws.games import services as games_services
from draws.models import Issue
from halls.models import Role
from tests.support.evening import FACE, Evening, authorise
from tests.support.service_commands.cards import receive
from tests.support.service_commands.command import CALLER, CHIEF, Command, of_game
from tests.support.service_commands.sales import sell

OTHER_FACE = 300_00


def double_cards(evening: Evening) -> Issue:
    """Receive an issue of double cards, which becomes the hall's first (R15)."""
    manager = evening.who(Role.HALL_MANAGER)
    return receive(evening, manager, identification="dupla-1", double=True, counted=90)


def first_half(evening: Evening) -> None:
    """Play the first game of double cards to its end; nothing is paid yet."""
    double_cards(evening)
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))


def several_prices(evening: Evening) -> None:
    """Prepare a game in a hall that may sell several prices at once, and two issues of another."""
    faces = [FACE, OTHER_FACE]
    authorise(evening.hall, reference="2/2026", faces=faces, several_prices=True)
    manager = evening.who(Role.HALL_MANAGER)
    other = cards_series.publish(
        hall=evening.hall, format=90, letter="L", size=60, seed="1979", **manager
    )
    for identification in ("z-1", "z-2"):
        stock.receive(
            hall=evening.hall, series=other, identification=identification, face=OTHER_FACE,
            face_colour="white", back_colour="red", counted=60, **manager,
        )  # fmt: skip
    evening.reach("prepared")


def add_issue(evening: Evening, who: dict[str, Any], *, identification: str = "z-1") -> None:
    """Put an issue of the other price beside the first."""
    issue = evening.hall.issues.get(identification=identification)
    games_services.add_issue(game=evening.game, issue=issue, **who)


def void(evening: Evening, who: dict[str, Any], *, reason: str = "Som cortado") -> None:
    """Void the game; before a ball no announcement was wrong."""
    cause = "announcement_error" if evening.game.balls.exists() else "other"
    games_services.void(game=evening.game, cause=cause, reason=reason, **who)


def voided(evening: Evening) -> None:
    """Void the game, which sold cards 1 to 6 and 7 to 9."""
    sell(evening, evening.who(Role.CASHIER))
    void(evening, evening.who(Role.TABLE_CHIEF))


COMMANDS = (
    Command(
        "game_opened", CHIEF, "shift",
        lambda e, w: games_services.open_game(session=e.session, issue=e.issue(), **w),
        lambda e, w: games_services.open_game(session=e.session, issue=e.issue(2), **w),
    ),
    Command(
        "second_half_opened", CHIEF, "shift",
        lambda e, w: games_services.open_second_half(session=e.session, **w), prepare=first_half,
    ),
    Command(
        "issue_added", CHIEF, "none", add_issue,
        lambda e, w: add_issue(e, w, identification="z-2"), prepare=several_prices,
    ),
    Command("sale_announced", CALLER, "prepared", of_game(games_services.announce_sale)),
    Command("sale_closed", CALLER, "sold", of_game(games_services.close_sale)),
    Command("draw_announced", CALLER, "closed", of_game(games_services.announce_draw)),
    Command("game_finished", CHIEF, "awarded", of_game(games_services.finish)),
    Command("game_voided", CHIEF, "window", void, lambda e, w: void(e, w, reason="Outra")),
)  # fmt: skip
