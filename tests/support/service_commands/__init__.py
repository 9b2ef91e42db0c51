"""Every command of a hall once, a module for each room that takes them."""

from __future__ import annotations

from tests.support.service_commands import (
    admission,
    cards,
    claims,
    custody,
    draws,
    equipment,
    games,
    jackpots,
    office,
    prizes,
    sales,
    second_issues,
    sessions,
)
from tests.support.service_commands.command import Command

COMMANDS: tuple[Command, ...] = (
    *office.COMMANDS,
    *jackpots.COMMANDS,
    *cards.COMMANDS,
    *equipment.COMMANDS,
    *sessions.COMMANDS,
    *sales.COMMANDS,
    *games.COMMANDS,
    *second_issues.COMMANDS,
    *draws.COMMANDS,
    *claims.COMMANDS,
    *prizes.COMMANDS,
    *custody.COMMANDS,
    *admission.COMMANDS,
)
