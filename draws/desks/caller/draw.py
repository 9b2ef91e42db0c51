"""The caller's draw: announce sale and draw, key or draw balls, recall one, stop (R33, R40).

Balls come from the RNG or by hand. A draw that another caller calls is told on this console, and
taken over with one key. What its voice says stands in `voice.py`; the pace is `policies.pace` (R31).
"""

from __future__ import annotations

from datetime import datetime
from math import ceil
from typing import Any

from django.utils.translation import gettext as _

from bingo.rules import sale_order
from bingo.rules.game_flow import DRAWN
from bingo.rules.patterns import BINGO, COLUMN, CORNERS, LINE
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps import drawing
from bingo.rules.steps.drawing import BY_HAND, FIRST, RNG
from draws import trade_words
from draws.balls import draw
from draws.balls import queries as balls_queries
from draws.balls.labels import draw_log_sure
from draws.balls.queries import calling
from draws.boards.announcements import announcements_now
from draws.boards.queries import levels, price
from draws.cards import labels as cards_labels
from draws.games import services as games_services
from draws.games.queries import HallState
from draws.models import Ball
from draws.refusals import text
from draws.sales.queries import stacks
from draws.web.forms import CommandForm, ball_of, game_of, witness_of
from draws.web.page_classes import Notice
from halls.models import Person
from halls.policy import queries as policy_queries

# Keys that stop the draw; no game has both a column's prize and that of corners.
CALLED_BY = {LINE: "L", BINGO: "B", COLUMN: "C", CORNERS: "C"}
OPEN = ("", FIRST)  # no ball has decided yet where the others come from


def ball_named(now: HallState, number: int) -> str:
    """Return what a ball of the game is called to the staff: in a game of symbols by its symbol."""
    return cards_labels.ball(
        number, of_symbols=now.game_state is not None and now.game_state.symbols
    )


def draw_ball(order: CommandForm, now: HallState) -> str:
    """Draw a ball from the RNG."""
    ball = draw.draw_ball(game=game_of(order), order=order.integer("order"), **order.who)
    return _("Ball %(number)s") % {"number": ball_named(now, ball.number)}


def key_ball(order: CommandForm, now: HallState) -> str:
    """Announce a ball drawn by hand, before a second person where one is named (R55)."""
    game, number, count = game_of(order), ball_of(order, now), order.integer("order")
    witness = witness_of(order, kind="ball_announced")
    ball = draw.announce_ball(game=game, number=number, order=count, witness=witness, **order.who)
    return _("Ball %(number)s") % {"number": ball_named(now, ball.number)}


def ask_second(order: CommandForm, now: HallState) -> Notice:
    """Key a ball drawn by hand that a second person confirms on their own page (R55)."""
    number = ball_of(order, now)
    draw.key(game=game_of(order), number=number, order=order.integer("order"), **order.who)
    told = _("Ball %(number)s waits for the second person")
    return Notice(told % {"number": ball_named(now, number)}, "info")


def recall_ball(order: CommandForm, now: HallState) -> Notice:
    """Take the last ball back."""
    number = order.integer("number")
    draw.recall_ball(game=game_of(order), number=number, **order.who)
    told = _("Ball %(number)s is recalled: tell the hall")
    return Notice(told % {"number": ball_named(now, number)}, "warning")


def call_ball(order: CommandForm, _now: HallState) -> Notice:
    """Stop: somebody calls."""
    draw.call_claim(game=game_of(order), combination=order.text("combination"), **order.who)
    return Notice(_("Stopped: the table chief checks the card"), "info")


def balls_context(now: HallState, known: GameState, *, at: datetime) -> dict[str, Any]:
    """Return the balls that are out, and how the next one comes."""
    last = now.game.balls.last() if now.game and known.balls else None
    source = known.source
    return {
        "numbers": balls_queries.number_grid(known),
        "last": last,
        "last_picture": balls_queries.picture_address(last.picture) if last else None,
        "last_source": policy_queries.SOURCES[last.source] if last else "",
        "last_sure": draw_log_sure(last.confidence) if last and last.confidence is not None else "",
        "previous": known.balls[-5:-1][::-1],
        "order": len(known.balls) + 1,
        "balls_left": len(known.numbers) - len(known.balls),
        "may_key": source in (*OPEN, BY_HAND) and known.phase == Phase.DRAWING,
        "hand_only": source not in (*OPEN, RNG),
        "can_recall": last is not None and _can_recall(known, last),
        "open_prizes": [
            (one.name, trade_words.COMBINATIONS[one.name], CALLED_BY[one.name])
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


def _pace(now: HallState, last: Ball | None, at: datetime) -> dict[str, Any]:
    """Return the hall's pace between balls of the RNG, and what is left of it, in seconds (R31)."""
    interval = ceil(draw.kept_pace(now.session)) if now.session else 0
    since = (at - last.at).total_seconds() if last else float(interval)
    return {"interval": interval, "wait": min(max(0.0, interval - since), float(interval))}


def announce_sale(order: CommandForm, _now: HallState) -> str:
    """Announce the sale; cards may be sold from now on."""
    games_services.announce_sale(game=game_of(order), **order.who)
    return _("The sale is open")


def close_sale(order: CommandForm, _now: HallState) -> str:
    """Close the sale and fix the prizes."""
    games_services.close_sale(game=game_of(order), **order.who)
    return _("The sale is closed: read the announcement aloud")


def announce_draw(order: CommandForm, _now: HallState) -> str:
    """Say that the announcement has been read and the draw begins."""
    games_services.announce_draw(game=game_of(order), **order.who)
    return _("The draw begins")


def announcing_context(now: HallState, known: GameState) -> dict[str, Any]:
    """Return what is to be read aloud, and what is on sale."""
    return {
        "spoken": announcements_now(now),
        "stacks": stacks(now),
        "in_the_way": _in_the_way(known),
        "price": price(now.hall, known),
        "jackpots": levels(now.hall, known),
    }


def _in_the_way(known: GameState) -> str:
    """Say what must be done before the sale can be closed; nothing when it can (R38, R40)."""
    try:
        sale_order.require_whole(known.runs)
    except Refusal as refusal:
        return text.refusal(refusal)
    return ""


def take_over(order: CommandForm, _now: HallState) -> str:
    """Go on with the draw in place of whoever calls it."""
    draw.take_over(game=game_of(order), caller=order.text("caller"), **order.who)
    return _("You call this draw now")


def calling_context(person: Person, now: HallState, known: GameState) -> dict[str, Any]:
    """Return who else calls the draw, and whether it was taken over from this person."""
    if now.game is None or known.phase not in DRAWN:
        return {}
    found = calling(now.game)
    if found is None or found.by.pk == person.pk:
        return {}
    return {"other": found, "lost": found.after == person.username}
