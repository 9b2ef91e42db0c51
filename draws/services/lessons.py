"""Deals a game to practise with: whatever must be there before the lesson begins, by the real services."""

from __future__ import annotations

from datetime import datetime

from bingo.rules import ending, formats
from bingo.rules import session as rules
from bingo.rules.refusal import Refusal
from draws.documents import training_words
from draws.models import Game
from draws.queries import lessons as queries
from draws.services import draws, games, sales, training
from halls.models import Hall, Person, Session, Shift, Till
from halls.queries.sessions import open_session
from halls.services import apart, endings, sessions, tills
from halls.services import training as accounts

SALE, DRAW, CLAIM = "sale", "draw", "claim"
LESSONS = (SALE, DRAW, CLAIM)
FLOAT = 20_000_00  # minor units
CARDS = 12  # sold beforehand


def deal(*, lesson: str, by: Person, at: datetime) -> Game:
    """Give a game at the beginning of a lesson: cards are on sale, the draw begins, or a card is claimed.

    Whoever learns has a till open; what others would have done is done by the training partner.
    Each step is a command of its own, so what one refuses leaves those before it. Raises Refusal:
    not_in_training, unknown_lesson, training_game_open, or what the commands refuse.
    """
    hall = by.hall
    apart.require_training(hall)
    if lesson not in LESSONS:
        raise Refusal("unknown_lesson")
    partner = accounts.partner(hall)
    session = open_session(hall) or sessions.open_session(
        hall=hall, checked=True, ends_at=at + ending.LONGEST, by=partner, at=at
    )
    _require_free(session)
    _lengthen(session, by=partner, at=at)
    shift = _shift(session, by=by, at=at)
    game = _opened(session, partner, at=at)
    games.announce_sale(game=game, by=partner, at=at)
    sales.sell(game=game, shift=shift, quantity=CARDS, by=by, at=at)
    if lesson == SALE:
        return game
    games.close_sale(game=game, by=partner, at=at)
    # Whoever announces a draw calls it.
    games.announce_draw(game=game, by=by if lesson == DRAW else partner, at=at)
    if lesson == CLAIM:
        _claimed(game, partner, at=at)
    return game


def _lengthen(session: Session, *, by: Person, at: datetime) -> None:
    """Move the end of a session of lessons away: nobody learns against its last ten minutes (R53)."""
    known = rules.load(session.state).ending
    due = ending.due_at(known)
    if due is not None and due <= at and not known.last_game:
        reason = training_words.lesson_goes_on(session.hall)
        endings.plan(session=session, ends_at=at + ending.LONGEST, reason=reason, by=by, at=at)


def _require_free(session: Session) -> None:
    """Refuse to deal over a game that somebody plays: training_game_open."""
    state = rules.load(session.state)
    if state.playing or state.half_due:
        raise Refusal("training_game_open")


def _opened(session: Session, partner: Person, *, at: datetime) -> Game:
    issue = training.shelf(session.hall)
    if issue is None or issue.series.size - issue.last_sold < 2 * CARDS:
        issue = training.receive(session.hall, by=partner, at=at)
    return games.open_game(session=session, issue=issue, by=partner, at=at)


def _shift(session: Session, *, by: Person, at: datetime) -> Shift:
    """Give the shift of whoever learns, at a till that nobody has."""
    found = Shift.objects.filter(session=session, cashier=by, closed_at__isnull=True)
    mine = found.select_related("till", "session__hall").first()
    if mine is not None:
        return mine
    return tills.open_shift(
        session=session, till=_free(session.hall, session), float=FLOAT, by=by, at=at
    )


def _free(hall: Hall, session: Session) -> Till:
    taken = Shift.objects.filter(session=session, closed_at__isnull=True).values("till")
    free = hall.tills.filter(in_use=True).exclude(pk__in=taken).order_by("pk").first()
    if free is not None:
        return free
    name = training_words.till(hall, 1 + hall.tills.count())
    return Till.objects.create(hall=hall, name=name)


def _claimed(game: Game, partner: Person, *, at: datetime) -> None:
    """Draw until one of the cards sold has it, and let the caller stop for the claim."""
    for _ball in formats.get(game.issue.series.format).numbers:
        draws.draw(game=game, by=partner, at=at)
        told = queries.sides(game)
        if told.right is not None:
            draws.call(game=game, combination=told.combination, by=partner, at=at)
            return
