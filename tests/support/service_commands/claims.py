"""The commands of claims: cards carried, checked, shown, and the window."""

from __future__ import annotations

from typing import Any

from draws.claims import services as claims_services
from halls.models import Role
from tests.support import floor_assistants, photographs
from tests.support.evening import Evening
from tests.support.service_commands.command import CHIEF, Command, of_game


def check(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Check a card."""
    issue = evening.issue()
    return claims_services.check(
        game=evening.game, combination="bingo", issue=issue, card=card, sound=True, **who
    )


def refused(evening: Evening) -> None:
    """Refuse cards 1 and 2 for their marks."""
    for card in (1, 2):
        claims_services.check(
            game=evening.game, combination="bingo", issue=evening.issue(), card=card, sound=False,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip


def reverse(evening: Evening, who: dict[str, Any], *, reason: str = "Era da luz") -> object:
    """Reverse the refusal of card 1, with the hall manager."""
    return claims_services.reverse_refusal(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, reason=reason,
        witness=evening.person(Role.HALL_MANAGER), **who,
    )  # fmt: skip


def withdraw(evening: Evening, who: dict[str, Any], *, reason: str = "Engano") -> None:
    """Go on though nobody's card was checked."""
    claims_services.resume(game=evening.game, withdrawn=reason, **who)


COMMANDS = (
    Command("claim_checked", CHIEF, "stopped", check, lambda e, w: check(e, w, card=2)),
    Command(
        "refusal_reversed", CHIEF, "stopped", reverse,
        lambda e, w: reverse(e, w, reason="Outra razão"), prepare=refused,
    ),
    Command("window_opened", CHIEF, "checked", of_game(claims_services.open_window)),
    Command("window_closed", CHIEF, "window", of_game(claims_services.close_window)),
    Command(
        "card_shown", CHIEF, "checked", photographs.shown,
        lambda e, w: photographs.shown(e, w, text="2"),
    ),
    Command(
        "draw_resumed", CHIEF, "stopped", withdraw, lambda e, w: withdraw(e, w, reason="Outra razão")
    ),
    Command(
        "card_carried", Role.FLOOR_ASSISTANT, "window", floor_assistants.carry,
        lambda e, w: floor_assistants.carry(e, w, card=2),
    ),
)  # fmt: skip
