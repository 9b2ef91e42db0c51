"""A game's ball set, and what the game costs it (R25)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F

from bingo.rules import ball_set_duties
from bingo.rules import equipment as rules
from bingo.rules.game_state import Phase
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import SessionState
from bingo.rules.steps.drawing import RNG
from draws.games import randomness
from draws.models import Game
from halls.equipment import ball_set_duties as equipment_duties
from halls.equipment import queries as equipment_queries
from halls.journal.head import SessionJournal
from halls.models import BallSet, Hall, JournalEntry, Session

Data = dict[str, Any]


def require_for_sale(game: Game, state: SessionState, *, bound: bool, at: datetime) -> Data:
    """Let no card be sold of a game that its hall's ball set may not serve; double cards need two.

    Return what the announcement of the sale tells of the set, nothing where the RNG may draw it
    (`bound`): then the hall needs no set in use before a ball is drawn by camera or by hand.
    Raises Refusal: no_ball_set_in_use, ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    session = game.session
    if game.phase != Phase.PREPARED or randomness.source_of(session, game.number) == RNG:
        return {}
    if bound and equipment_queries.in_use(session.hall, game.issue.series.format) is None:
        return {}
    _fit(state, session.hall, game, games=2 if game.issue.double else 1)
    return {} if bound else _evidence(session, state, game, at=at)


def _evidence(session: Session, state: SessionState, game: Game, *, at: datetime) -> Data:
    if not ball_set_duties.bind(state):
        return {}
    return equipment_duties.evidence(session, state, format=game.issue.series.format, at=at)


def first_of(game: Game, *, book: SessionJournal, at: datetime) -> tuple[BallSet | None, Data]:
    """Return the set that a game's first ball not of the RNG comes from, and what that ball tells of it.

    A set put in use after that ball is not the game's. Raises Refusal: no_ball_set_in_use,
    ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    if Game.objects.filter(pk=game.pk, ball_set__isnull=False).exists():
        return None, {}
    if not equipment_queries.has_ball_sets(book.hall, game.issue.series.format) or _begun(game):
        return None, {}
    used = _fit(book.state, book.hall, game, games=1)
    if used is None:
        return None, {}
    return used, {"ball_set": used.serial} | _evidence(book.session, book.state, game, at=at)


def _fit(state: SessionState, hall: Hall, game: Game, *, games: int) -> BallSet | None:
    """Return the set in use, fit for so many games.

    None where the hall keeps none at all, or two persons let the game be drawn without one.
    """
    format = game.issue.series.format
    used = equipment_queries.in_use(hall, format)
    if used is not None:
        rules.require_fit(used.as_state, used.wear, games=games)
    elif equipment_queries.has_ball_sets(hall, format) and not _left_out(state, format):
        raise Refusal("no_ball_set_in_use", format=format)
    return used


def _left_out(state: SessionState, format: int) -> bool:
    return (ball_set_duties.SET, str(format)) in state.balls.left_out


def _begun(game: Game) -> bool:
    """Return whether a ball not of the RNG was out in the game, also one that was recalled."""
    balls = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="ball_announced"
    )
    return balls.exclude(data__source=RNG).exists()


def begin_ball_set_use(game: Game, used: BallSet) -> None:
    """Note that a game is drawn from a set, and count it: void or not, each half one (R25)."""
    game.ball_set, game.extractor = used, used.extractor
    game.save(update_fields=["ball_set", "extractor"])
    BallSet.objects.filter(pk=used.pk).update(games=F("games") + 1)
