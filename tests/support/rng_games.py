"""Games drawn by the RNG from the opening to the completed entry, with as few cards as can be."""

from __future__ import annotations

from pathlib import Path

from bingo.rules.steps.voiding import ANNOUNCEMENT_ERROR, OTHER
from draws.balls import draw as balls_draw
from draws.games import services as games_services
from draws.models import Game
from draws.prizes import services as prizes_services
from draws.sales import services as sales_services
from halls.journal import queries as journal_queries
from halls.models import Role
from tests.support.evening import SIZE, Evening


def on_sale(evening: Evening) -> Game:
    """Open the next game of an evening with a shift open, and sell one card of it."""
    chief, caller = Role.TABLE_CHIEF, Role.CALLER
    # Where the RNG stops, the hall has its balls at hand (R55).
    evening.equip()
    issue = next(one for one in map(evening.issue, (1, 2)) if one.last_sold < SIZE)
    game = games_services.open_game(session=evening.session, issue=issue, **evening.who(chief))
    games_services.announce_sale(game=evening.game, **evening.who(caller))
    sales_services.sell(game=game, shift=evening.shift, quantity=1, **evening.who(Role.CASHIER))
    return evening.game


def drawing(evening: Evening) -> Game:
    """The same, up to the announced draw."""
    game = on_sale(evening)
    games_services.close_sale(game=game, **evening.who(Role.CALLER))
    games_services.announce_draw(game=game, **evening.who(Role.CALLER))
    return game


def draw(evening: Evening, count: int) -> list[int]:
    """Draw so many balls of the open game."""
    caller = Role.CALLER
    return [
        balls_draw.draw_ball(game=evening.game, **evening.who(caller)).number
        for _ball in range(count)
    ]


def void(evening: Evening) -> None:
    """Void the open game and give the price of its cards back."""
    game = evening.game
    chief = evening.who(Role.TABLE_CHIEF)
    cause = ANNOUNCEMENT_ERROR if game.balls.exists() else OTHER
    games_services.void(game=game, cause=cause, reason="Erro", **chief)
    sold = (game.first_half or game).sales.all()
    for sale in sold:
        prizes_services.refund(
            game=game, issue=sale.issue, first=sale.first, last=sale.last, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip


def complete(evening: Evening) -> Game:
    """Void the open game and complete its entry."""
    void(evening)
    return complete_void(evening)


def complete_void(evening: Evening) -> Game:
    """Complete the entry of a game that is void."""
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    return evening.game


def played(evening: Evening, count: int) -> list[int]:
    """A whole game of so many balls."""
    drawing(evening)
    drawn = draw(evening, count)
    complete(evening)
    return drawn


def journal(evening: Evening, folder: Path) -> Path:
    """The hall's exported journal."""
    evening.hall.refresh_from_db()
    file = folder / "journal.jsonl"
    file.write_text("".join(journal_queries.export_lines(evening.hall)), encoding="utf-8")
    return file
