"""The draw: balls announced from their source, a slip recalled, the stop when somebody calls."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.models import Ball, Game
from draws.services.games import step
from draws.sources import rng
from halls import permissions
from halls.models import Person
from halls.services import journal


@transaction.atomic
def draw(
    *, game: Game, order: int | None = None, by: Person, at: datetime, key: UUID | None = None
) -> Ball:
    """Draw the next ball from the RNG and announce it; `order` is the count the page expects.

    Raises Refusal: not_allowed, stale_page, wrong_phase, no_balls_left.
    """
    permissions.require(by, "ball_announced", hall=game.session.hall_id)
    hall = journal.lock(game.session.hall_id)
    if done := journal.earlier(hall, kind="ball_announced", by=by, key=key):
        return _announce(game, done.data["number"], RNG, order=order, by=by, at=at, key=key)
    drawn = set(game.balls.values_list("number", flat=True))
    left = [
        number for number in formats.get(game.issue.series.format).numbers if number not in drawn
    ]
    if not left:
        raise Refusal("no_balls_left")
    number = rng.draw(left)
    return _announce(game, number, RNG, order=order, by=by, at=at, key=key)


@transaction.atomic
def announce(
    *,
    game: Game,
    number: int,
    order: int | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Ball:
    """Announce a ball drawn by hand and keyed by the caller (R42).

    Raises Refusal: not_allowed, ball_out_of_range, ball_already_drawn, stale_page, wrong_phase.
    """
    return _announce(game, number, BY_HAND, order=order, by=by, at=at, key=key)


def _announce(
    game: Game,
    number: int,
    source: str,
    *,
    order: int | None,
    by: Person,
    at: datetime,
    key: UUID | None,
) -> Ball:
    done = step(
        game, "ball_announced", by=by, at=at, key=key, number=number, order=order, source=source
    )
    count: int = done.entry.data["count"]
    ball = Ball(
        game=game,
        order=count,
        previous=count - 1 or None,
        number=number,
        source=source,
        at=done.entry.at,
    )
    # A repeated request gets the ball as it was announced, though it may have been recalled since.
    if not done.repeated:
        ball.save(force_insert=True)
    return ball


@transaction.atomic
def recall(*, game: Game, number: int, by: Person, at: datetime, key: UUID | None = None) -> None:
    """Take back the last ball before the next one, with no claim on it; told to all.

    Only a ball read or keyed by a person can be a slip; the RNG's stands.
    Raises Refusal: not_allowed, drawn_by_rng, only_last_ball, claim_on_ball, wrong_phase.
    """
    done = step(game, "ball_recalled", by=by, at=at, key=key, number=number)
    if done.repeated:
        return
    ball = game.balls.get(order=done.entry.data["count"])
    if ball.source == RNG:
        raise Refusal("drawn_by_rng", number=number)
    ball.delete()


@transaction.atomic
def call(
    *, game: Game, combination: str, by: Person, at: datetime, key: UUID | None = None
) -> None:
    """Stop the extraction: somebody calls line or bingo (R43).

    Raises Refusal: not_allowed, unknown_combination, prize_closed, wrong_phase.
    """
    step(game, "claim_called", by=by, at=at, key=key, combination=combination)
