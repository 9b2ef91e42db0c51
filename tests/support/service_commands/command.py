"""One command of a hall: who gives it, at which stage, how, and how a slip of it looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from halls.models import Role
from tests.support.evening import Evening

Act = Callable[[Evening, dict[str, Any]], Any]
CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `other` is the same one with another input, where it has inputs.

    `entries` it makes in the hall's journal, the first of its own kind; `later` is how long after
    the evening it is due.
    """

    kind: str
    role: Role
    stage: str
    act: Act
    other: Act | None = None
    prepare: Callable[[Evening], object] = lambda _evening: None
    entries: int = 1
    later: timedelta = timedelta(0)

    def ready(self) -> Evening:
        """Return an evening in which the command is due."""
        evening = Evening().reach(self.stage)
        self.prepare(evening)
        return evening


def of_game(service: Callable[..., Any]) -> Act:
    """Return a service that asks for nothing but the game."""
    return lambda evening, who: service(game=evening.game, **who)
