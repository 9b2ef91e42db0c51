"""The caller announces the sale and closes it, and announces the draw (R33, R40)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import sales
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from draws.documents import words
from draws.queries.board import levels, price
from draws.queries.spoken import spoken
from draws.queries.stacks import stacks
from draws.queries.standing import Standing
from draws.services import games
from draws.views.meant import game_of
from draws.views.order import Order


def announce_sale(order: Order, _now: Standing) -> str:
    """Announce the sale; cards may be sold from now on."""
    games.announce_sale(game=game_of(order), **order.who)
    return _("The sale is open")


def close_sale(order: Order, _now: Standing) -> str:
    """Close the sale and fix the prizes."""
    games.close_sale(game=game_of(order), **order.who)
    return _("The sale is closed: read the announcement aloud")


def announce_draw(order: Order, _now: Standing) -> str:
    """Say that the announcement has been read and the draw begins."""
    games.announce_draw(game=game_of(order), **order.who)
    return _("The draw begins")


def shown(now: Standing, known: GameState) -> dict[str, Any]:
    """Give what is to be read aloud, and what is on sale."""
    return {
        "spoken": spoken(now),
        "stacks": stacks(now),
        "in_the_way": _in_the_way(known),
        "price": price(now.hall, known),
        "jackpots": levels(now.hall, known),
    }


def _in_the_way(known: GameState) -> str:
    """Say what must be done before the sale can be closed; nothing when it can (R38, R40)."""
    try:
        sales.require_whole(known.runs)
    except Refusal as refusal:
        return words.refusal(refusal)
    return ""
