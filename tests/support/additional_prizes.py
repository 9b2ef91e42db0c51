"""What the tests of additional prizes share with others."""

from __future__ import annotations

from typing import Any

from bingo.engine.winners import Winners, table
from bingo.rules import patterns, prize_distributions
from bingo.rules.formats import SEVENTY_FIVE
from bingo.rules.patterns import LINES
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from draws.balls import draw
from draws.games import services as games_services
from halls.models import Role
from tests.support.evening import Evening, authorise
from tests.support.formats import close, pay, rows_of

PLAYED = Distribution(75, Shares(1500, 6000, (Extra("corners", 500),)), LINES)


FIGURE = Distribution(75, Shares(0, 7500, (Extra("prima", 500, limit=75),)), (), figure=True)


X = patterns.get("x")


def granted(*own: Distribution) -> Evening:
    """A hall that plays with cards of 75, by distributions of its own."""
    evening = Evening(format=75)
    authorise(evening.hall, reference="2/2026", valid_from=evening.today, distributions=own)
    return evening


def drawing(evening: Evening, *, pattern: Any = None) -> Winners:
    """Sell six cards and begin the draw; return what the engine knows of them."""
    evening.reach("shift")
    games_services.open_game(
        session=evening.session, issue=evening.issue(), pattern=pattern,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    evening.stage += 1
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    distribution = FIGURE if pattern else PLAYED
    return Winners(
        table(rows_of(evening)),
        format=SEVENTY_FIVE,
        combinations=prize_distributions.won(distribution, pattern=X.cells if pattern else None),
    )


def draw_until(evening: Evening, sold: Winners, combination: str) -> list[int]:
    """Draw from the RNG until cards hold a combination; give their numbers."""
    while not (complete := sold.complete(combination)):
        sold.announce(draw.draw_ball(game=evening.game, **evening.who(Role.CALLER)).number)
    return [at + 1 for at in complete]


def end(evening: Evening) -> None:
    """Finish and pay the game, close the session, and seal its acta."""
    games_services.finish(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    pay(evening)
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    close(evening)
