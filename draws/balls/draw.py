"""Draw balls: at the pace of the law (R31), from their source; recall one, stop when somebody calls.

Also the caller's place, one person's at a time and taken over with a record; and where a game's
balls come from, which the hall manager may decide is not the RNG.
"""

from __future__ import annotations

from datetime import datetime
from math import ceil
from typing import Unpack
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from bingo.rules import game_flow as rules_game
from bingo.rules import policies, rulebooks, session_state
from bingo.rules.game_flow import FOLLOWS, Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from bingo.rules.steps import drawing
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.balls.queries import TAKEN_OVER, calling
from draws.games import progress, randomness
from draws.games.progress import post, require_known, step
from draws.games.services import open_half
from draws.models import Ball, Game, Reading, Standing
from halls import permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.head import is_behind
from halls.journal.services import Who, begin_command
from halls.models import Person, Role, Session


@transaction.atomic
def take_over(*, game: Game, caller: str | None = None, **who: Unpack[Who]) -> None:
    """Go on with a draw that another caller has begun; what is announced from now is this one's.

    `caller` is the user name of whom it is to be taken from, where the page has told one.
    Raises Refusal: not_allowed, key_reused, wrong_phase, draw_called_already, stale_page.
    """
    hall, done = begin_command(game.session.hall_id, TAKEN_OVER, **who)
    if done:
        return
    session = Session.objects.get(pk=game.session_id)
    known = require_known(game, session_state.load(session.state))
    before = calling(game)
    if caller is not None and (before is None or before.by.username != caller):
        raise Refusal("stale_page", number=session.pk)
    data = rules_game.take_over(
        phase=known.phase,
        caller=before.by.username if before else None,
        by=who["by"].username,
        count=len(known.balls),
    )
    fact = Fact(TAKEN_OVER, data)
    journal_services.append(hall, fact, session=session, game=game.number, **who)


def require_caller(game: Game, kind: str, **who: Unpack[Who]) -> None:
    """Refuse an order about balls to whoever does not call the draw, unless it was given before.

    The hall must be locked. Raises Refusal: another_caller, key_reused.
    """
    if journal_services.earlier(game.session.hall, kind=kind, by=who["by"], key=who.get("key")):
        return
    now = calling(game)
    rules_game.require_caller(caller=now.by.username if now else None, by=who["by"].username)


RECALLED = "recalled"


@transaction.atomic
def draw_ball(
    *, game: Game, order: int | None = None, pace: float | None = None, **who: Unpack[Who]
) -> Ball:
    """Draw the next ball from the RNG and announce it; `order` is the count the page expects.

    `pace` are the seconds that it keeps from the ball before, the hall's where nothing is said (R31).
    Raises Refusal: not_allowed, another_caller, stale_page, wrong_phase, suspended,
    source_not_of_game, readings_waiting, too_soon (`left` seconds), no_balls_left, or what `randomness.next_ball`
    refuses.
    """
    _hall, done = begin_command(game.session.hall_id, "ball_announced", **who)
    if done:
        return post(game, done.data["number"], RNG, order=order, **who)
    require_caller(game, "ball_announced", **who)
    known = _drawing(game, RNG)
    _require_none_waiting(game)
    if order not in (None, len(known.balls) + 1):
        raise Refusal("stale_page", number=order)
    if len(known.balls) == len(known.numbers):
        raise Refusal("no_balls_left")
    _require_pace(game, kept_pace(game.session) if pace is None else pace, who["at"])
    number = randomness.next_ball(game=game, order=len(known.balls) + 1)
    return post(game, number, RNG, order=order, **who)


def _drawing(game: Game, source: str) -> GameState:
    """Return what the rules know of a game of which a ball of that source may come now."""
    state = session_state.load(
        Session.objects.values_list("state", flat=True).get(pk=game.session_id)
    )
    known = require_known(game, state)
    if "ball_announced" not in FOLLOWS[known.phase]:
        raise Refusal("wrong_phase", phase=known.phase.value, command="ball_announced")
    drawing.require_source(known, source)
    return known


def _require_none_waiting(game: Game) -> None:
    if progress.pending(game).exists():
        raise Refusal("readings_waiting")


def kept_pace(session: Session) -> float:
    """Return the seconds between two balls of the RNG; training, where nobody plays, has none."""
    if session.hall.is_training:
        return 0
    policy, book = policies.of(session.state["terms"]), rulebooks.get(session.hall.rulebook)
    return policies.pace(policy, book) * settings.RNG_PACE


def _require_pace(game: Game, interval: float, at: datetime) -> None:
    """Refuse a ball of the RNG before the pace since the last one is over (R31)."""
    last = game.balls.last()
    # A clock that was set back cannot tell how long it has been.
    if not interval or last is None or is_behind(at, last.at):
        return
    waited = max(0.0, (at - last.at).total_seconds())
    if waited < interval:
        raise Refusal("too_soon", left=ceil(interval - waited))


@transaction.atomic
def announce_ball(
    *,
    game: Game,
    number: int,
    order: int | None = None,
    witness: Person | None = None,
    **who: Unpack[Who],
) -> Ball:
    """Announce a ball drawn by hand and keyed by the caller (R42).

    Where another source failed, before a `witness` (R55); the ball may have been keyed for them.
    Raises Refusal: not_allowed, another_caller, ball_out_of_range, ball_already_drawn, stale_page,
    wrong_phase, suspended, source_not_of_game, second_person_needed, readings_waiting.
    """
    reading = None
    _hall, done = begin_command(game.session.hall_id, "ball_announced", **who)
    if done:
        reading = Reading.objects.filter(pk=done.data.get("reading")).first()
    else:
        require_caller(game, "ball_announced", **who)
        reading = _keyed(game, number)
    return post(game, number, BY_HAND, order=order, witness=witness, reading=reading, **who)


def _keyed(game: Game, number: int) -> Reading | None:
    """Return the reading that waits where it is of the ball keyed now; another must be ended first."""
    first = progress.pending(game).first()
    if first is None or (first.source, first.number) == (BY_HAND, number):
        return first
    raise Refusal("readings_waiting")


@transaction.atomic
def key(
    *, game: Game, number: int, order: int | None = None, by: Person, at: datetime, key: UUID
) -> Reading:
    """Key a ball drawn by hand that a second person is to confirm on their own console (R55).

    Raises Refusal: not_allowed, another_caller, key_reused, ball_out_of_range, ball_already_drawn,
    stale_page, wrong_phase, suspended, source_not_of_game, second_person_not_needed, readings_waiting.
    """
    permissions.require(by, "ball_announced", hall=game.session.hall_id)
    hall = head.lock(game.session.hall_id)
    if done := Reading.objects.filter(key=key).first():
        if (done.game_id, done.number, done.keyed_by_id) != (game.pk, number, by.pk):
            raise Refusal("key_reused")
        return done
    require_caller(game, "ball_announced", by=by, at=at, key=key)
    known = _drawing(game, BY_HAND)
    if not drawing.needs_second(known, BY_HAND):
        raise Refusal("second_person_not_needed")
    _require_none_waiting(game)
    drawing.announce(known, number=number, order=order, source=BY_HAND)
    keyed = Reading(game=game, source=BY_HAND, number=number, keyed_by=by, seen_at=at, key=key)
    return progress.put_pending_reading(hall, keyed, order=len(known.balls) + 1, by=by, at=at)


@transaction.atomic
def recall_ball(*, game: Game, number: int, **who: Unpack[Who]) -> None:
    """Take back the last ball before the next one, with no claim on it; told to all.

    Only a ball read or keyed by a person or a camera can be a slip; the RNG's stands. What a camera
    saw is put to the caller once more.
    Raises Refusal: not_allowed, another_caller, drawn_by_rng, only_last_ball, claim_on_ball, wrong_phase.
    """
    permissions.require(who["by"], "ball_recalled", hall=game.session.hall_id)
    head.lock(game.session.hall_id)
    require_caller(game, "ball_recalled", **who)
    done = step(game, "ball_recalled", **who, number=number)
    if done.repeated:
        return
    ball = game.balls.get(order=done.entry.data["count"])
    if ball.source == RNG:
        symbol = {name: done.entry.data[name] for name in ("symbol",) if name in done.entry.data}
        raise Refusal("drawn_by_rng", number=number, **symbol)
    with connection.cursor() as cursor:
        cursor.execute("SELECT take_back_ball(%s)", [done.entry.pk])
    progress.end_wait(game, reason=progress.NOT_AWAITED, by=who["by"], at=who["at"])
    reading = Reading.objects.filter(
        game=game, standing=Standing.ANNOUNCED, entry__data__count=ball.order
    ).first()
    if reading is not None and reading.source == BY_HAND:
        progress.end_pending_reading(reading, Standing.DISMISSED, done.entry)
    elif reading is not None:
        progress.reopen(reading, reason=RECALLED)


@transaction.atomic
def call_claim(*, game: Game, combination: str, **who: Unpack[Who]) -> None:
    """Stop the extraction: somebody calls line or bingo (R43).

    Raises Refusal: not_allowed, unknown_combination, prize_closed, wrong_phase.
    """
    if not step(game, "claim_called", **who, combination=combination).repeated:
        progress.end_wait(game, reason=progress.NOT_AWAITED, by=who["by"], at=who["at"])


@transaction.atomic
def change_source(*, game: Game, source: str, reason: str, **who: Unpack[Who]) -> None:
    """Answer a fault of the source: go on by hand, or with the source the game began with (R55).

    Before the draw that is `draw.decide_ball_source`, for the hall manager alone. Raises Refusal:
    not_allowed, unknown_source, source_open, source_unchanged, source_not_possible,
    reason_missing, readings_waiting, wrong_phase.
    """
    permissions.require(who["by"], "source_changed", hall=game.session.hall_id)
    head.lock(game.session.hall_id)
    game.refresh_from_db(fields=["phase"])
    if game.phase in drawing.BEFORE_THE_DRAW:
        raise Refusal("wrong_phase", phase=game.phase, command="source_changed")
    done = step(game, "source_changed", **who, source=source, reason=reason)
    if not done.repeated:
        progress.end_wait(game, reason=progress.NOT_AWAITED, by=who["by"], at=who["at"])
        _require_none_waiting(game)


@transaction.atomic
def decide_ball_source(*, game: Game, source: str, reason: str, **who: Unpack[Who]) -> None:
    """Let a game be drawn by camera or by hand because the RNG fails, or by the RNG after all.

    Raises Refusal: not_allowed but to the hall manager, unknown_source, source_open,
    source_unchanged, source_not_possible, reason_missing, wrong_phase.
    """
    require_manager(who["by"])
    step(game, "source_changed", **who, source=source, reason=reason)


@transaction.atomic
def open_second_half(*, session: Session, source: str, reason: str, **who: Unpack[Who]) -> Game:
    """Open the second game of double cards (R15), drawn by camera or by hand because the RNG fails.

    Raises Refusal: not_allowed but to the hall manager, no_second_half, or what
    `decide_ball_source` refuses.
    """
    require_manager(who["by"])
    game, repeated = open_half(session, None, **who)
    if not repeated:
        by, at = who["by"], who["at"]
        step(game, "source_changed", by=by, at=at, source=source, reason=reason)
    return game


def require_manager(by: Person) -> None:
    """Leave it to the hall manager to set aside what the hall has decided: not_allowed."""
    if Role.HALL_MANAGER not in by.roles:
        raise Refusal("not_allowed", roles=[Role.HALL_MANAGER.value])
