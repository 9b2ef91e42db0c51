"""A player who leaves hands cards on at the till; no money is given back (R56)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules.game import FOLLOWS
from bingo.rules.steps.selling import LONGEST_PLAYER
from draws.queries.standing import Standing
from draws.services import departures
from draws.views.meant import issue_of
from draws.views.order import Order
from draws.views.till import seat


def transfer(order: Order, _now: Standing) -> str:
    """Write down who has the cards of a player that leaves."""
    _shift, game = seat.shift_and_game(order)
    seat.require_game(order, game)
    first = order.integer("first")
    last = order.optional_integer("last") or first
    to = order.text("to", longest=LONGEST_PLAYER)
    departures.transfer(
        game=game, issue=issue_of(order), first=first, last=last,
        player=order.text("player", longest=LONGEST_PLAYER), to=to, **order.who,
    )  # fmt: skip
    values = {"cards": seat.numbers(first, last), "player": to}
    return _("Cards %(cards)s are %(player)s's now; no money is given back") % values


def context(now: Standing) -> dict[str, Any]:
    """Give who may hand cards on: the players named in this game while it is under way."""
    known = now.known
    if known is None or "cards_transferred" not in FOLLOWS[known.phase]:
        return {"players": []}
    return {"players": [player for player, _cards in known.players]}
