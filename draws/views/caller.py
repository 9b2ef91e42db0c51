"""The caller's page: announce and close the sale, draw, recall, stop."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import claims, formats, sales
from bingo.rules.refusal import Refusal
from bingo.rules.state import GameState
from bingo.rules.steps.drawing import BY_HAND
from draws.documents import words
from draws.queries.board import limit, price
from draws.queries.spoken import spoken
from draws.queries.stacks import stacks
from draws.queries.standing import Standing
from draws.services import draws, games
from draws.views.desk import Desk
from draws.views.meant import game_of
from draws.views.order import Order
from halls.models import Person


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


def draw(order: Order, _now: Standing) -> str:
    """Draw a ball from the RNG."""
    ball = draws.draw(game=game_of(order), order=order.integer("order"), **order.who)
    return _("Ball %(number)s") % {"number": ball.number}


def key_ball(order: Order, _now: Standing) -> str:
    """Announce a ball drawn by hand."""
    ball = draws.announce(
        game=game_of(order),
        number=order.integer("number"),
        order=order.integer("order"),
        **order.who,
    )
    return _("Ball %(number)s") % {"number": ball.number}


def recall(order: Order, _now: Standing) -> str:
    """Take the last ball back."""
    number = order.integer("number")
    draws.recall(game=game_of(order), number=number, **order.who)
    return _("Ball %(number)s is recalled: tell the hall") % {"number": number}


def call(order: Order, _now: Standing) -> str:
    """Stop: somebody calls."""
    draws.call(game=game_of(order), combination=order.text("combination"), **order.who)
    return _("Stopped: the table chief checks the card")


def context(_person: Person, now: Standing) -> dict[str, Any]:
    """Give what the caller sees."""
    known = now.known
    if known is None:
        return {}
    return {
        "spoken": spoken(now),
        "stacks": stacks(now),
        "in_the_way": _in_the_way(known),
        "price": price(now.hall, known),
        "numbers": [
            {"number": n, "called": n in known.balls, "last": known.balls[-1:] == (n,)}
            for n in formats.get(known.format).numbers
        ],
        "last": known.balls[-1] if known.balls else None,
        "previous": known.balls[-5:-1][::-1],
        "order": len(known.balls) + 1,
        "limit": limit(known),
        "can_recall": _can_recall(now, known),
        "open_prizes": [
            (name, words.combination(name))
            for name in claims.COMBINATIONS
            if name not in known.closed
        ],
    }


def _in_the_way(known: GameState) -> str:
    """Say what must be done before the sale can be closed; nothing when it can (R38, R40)."""
    try:
        sales.require_whole(known.runs)
    except Refusal as refusal:
        return words.refusal(refusal)
    return ""


def _can_recall(now: Standing, known: GameState) -> bool:
    """Whether the last ball was keyed by hand and nobody has called on it."""
    if not known.balls or known.recalled or known.claim_at == len(known.balls):
        return False
    last = now.game.balls.last() if now.game else None
    return last is not None and last.source == BY_HAND


DESK = Desk(
    name="caller",
    context=context,
    verbs={
        "announce-sale": announce_sale,
        "close-sale": close_sale,
        "announce-draw": announce_draw,
        "draw": draw,
        "ball": key_ball,
        "recall": recall,
        "call": call,
    },
)
