"""Balls drawn from the RNG or by hand, the last one recalled, the stop when somebody calls."""

from __future__ import annotations

from datetime import datetime
from math import ceil
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import formats
from bingo.rules.combinations import BINGO, COLUMN, CORNERS, LINE
from bingo.rules.state import GameState, Phase
from bingo.rules.steps import drawing
from bingo.rules.steps.drawing import BY_HAND, FIRST, RNG
from draws.documents import policy_words, symbol_names, words
from draws.documents.draw_facts import sure
from draws.models import Ball
from draws.queries import pictures
from draws.queries.standing import Standing
from draws.services import draws
from draws.views.meant import ball_of, game_of
from draws.views.order import Order
from draws.views.witnessed import witness_of

# Keys that stop the draw; no game has both a column's prize and that of corners.
CALLED_BY = {LINE: "L", BINGO: "B", COLUMN: "C", CORNERS: "C"}
OPEN = ("", FIRST)  # no ball has decided yet where the others come from


def named(now: Standing, number: int) -> str:
    """Return what a ball of the game is called to the staff: in a game of symbols by its symbol."""
    return symbol_names.ball(number, of_symbols=now.known is not None and now.known.symbols)


def draw(order: Order, now: Standing) -> str:
    """Draw a ball from the RNG."""
    ball = draws.draw(game=game_of(order), order=order.integer("order"), **order.who)
    return _("Ball %(number)s") % {"number": named(now, ball.number)}


def key_ball(order: Order, now: Standing) -> str:
    """Announce a ball drawn by hand, before a second person where one is named (R55)."""
    game, number, count = game_of(order), ball_of(order, now), order.integer("order")
    witness = witness_of(order, kind="ball_announced")
    ball = draws.announce(game=game, number=number, order=count, witness=witness, **order.who)
    return _("Ball %(number)s") % {"number": named(now, ball.number)}


def ask_second(order: Order, now: Standing) -> str:
    """Key a ball drawn by hand that a second person confirms on their own page (R55)."""
    number = ball_of(order, now)
    draws.key(game=game_of(order), number=number, order=order.integer("order"), **order.who)
    return _("Ball %(number)s waits for the second person") % {"number": named(now, number)}


def recall(order: Order, now: Standing) -> str:
    """Take the last ball back."""
    number = order.integer("number")
    draws.recall(game=game_of(order), number=number, **order.who)
    return _("Ball %(number)s is recalled: tell the hall") % {"number": named(now, number)}


def call(order: Order, _now: Standing) -> str:
    """Stop: somebody calls."""
    draws.call(game=game_of(order), combination=order.text("combination"), **order.who)
    return _("Stopped: the table chief checks the card")


def shown(now: Standing, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Give the balls that are out, and how the next one comes."""
    last = now.game.balls.last() if now.game and known.balls else None
    source = known.source
    return {
        "numbers": [
            {"number": n, "called": n in known.balls, "last": known.balls[-1:] == (n,)}
            for n in formats.get(known.format).numbers
        ],
        "last": last,
        "last_picture": pictures.address(last.picture) if last else None,
        "last_source": policy_words.SOURCES[last.source] if last else "",
        "last_sure": sure(last.confidence) if last and last.confidence is not None else "",
        "previous": known.balls[-5:-1][::-1],
        "order": len(known.balls) + 1,
        "may_key": source in (*OPEN, BY_HAND) and known.phase == Phase.DRAWING,
        "hand_only": source not in (*OPEN, RNG),
        "can_recall": last is not None and _can_recall(known, last),
        "open_prizes": [
            (one.name, words.combination(one.name), CALLED_BY[one.name])
            for one in known.won
            if one.name not in known.closed
        ],
        "by_rng": source in (*OPEN, RNG),
        "by_hand": source in (*OPEN, BY_HAND),
        "needs_second": drawing.needs_second(known, BY_HAND),
    } | _pace(now, last, at)


def _can_recall(known: GameState, last: Ball) -> bool:
    """Whether a person or a camera read the last ball, and nobody has called on it."""
    return not known.recalled and known.claim_at != len(known.balls) and last.source != RNG


def _pace(now: Standing, last: Ball | None, at: datetime) -> dict[str, Any]:
    """Give the hall's pace between balls of the RNG, and what is left of it, in seconds (R31)."""
    interval = ceil(draws.kept_pace(now.session)) if now.session else 0
    since = (at - last.at).total_seconds() if last else float(interval)
    return {"interval": interval, "wait": min(max(0.0, interval - since), float(interval))}
