"""Which ball set a game is drawn from, and what that costs the set (R25)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F

from bingo.rules import duties
from bingo.rules import equipment as rules
from bingo.rules.refusal import Refusal
from bingo.rules.session import load
from bingo.rules.state import Phase
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from draws.services import randomness
from halls.models import BallSet, JournalEntry, Session
from halls.queries import duties as queries
from halls.queries import equipment
from halls.services import journal

Data = dict[str, Any]


def require_for_sale(game: Game, *, bound: bool, at: datetime) -> Data:
    """Let no card be sold of a game that its hall's ball set may not serve; double cards need two.

    Return what the announcement of the sale tells of the set, nothing where the RNG may draw it
    (`bound`): then the hall needs no set in use before a ball is drawn by camera or by hand.
    Raises Refusal: no_ball_set_in_use, ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    session = game.session
    if game.phase != Phase.PREPARED or randomness.source_of(session, game.number) == RNG:
        return {}
    if bound and equipment.in_use(session.hall, game.issue.series.format) is None:
        return {}
    _fit(session, game, games=2 if game.issue.double else 1)
    return {} if bound else _evidence(session, game, at=at)


def _evidence(session: Session, game: Game, *, at: datetime) -> Data:
    if not duties.bind(load(session.state)):
        return {}
    return queries.evidence(session, format=game.issue.series.format, at=at)


def first_of(game: Game, source: str, *, at: datetime) -> tuple[BallSet | None, Data]:
    """Return the set that a game's first ball not of the RNG comes from, and what that ball tells of it.

    A set put in use after that ball is not the game's. Raises Refusal: no_ball_set_in_use,
    ball_set_worn, ball_set_faulty, roll_call_amiss.
    """
    if source == RNG:
        return None, {}
    hall = journal.lock(game.session.hall_id)
    if Game.objects.filter(pk=game.pk, ball_set__isnull=False).exists():
        return None, {}
    if not equipment.keeps(hall, game.issue.series.format) or _begun(game):
        return None, {}
    session = Session.objects.select_related("hall").get(pk=game.session_id)
    used = _fit(session, game, games=1)
    if used is None:
        return None, {}
    return used, {"ball_set": used.serial} | _evidence(session, game, at=at)


def _fit(session: Session, game: Game, *, games: int) -> BallSet | None:
    """Return the set in use, fit for so many games.

    None where the hall keeps none at all, or two persons let the game be drawn without one.
    """
    hall, format = session.hall, game.issue.series.format
    used = equipment.in_use(hall, format)
    if used is not None:
        rules.require_fit(used.known, used.wear, games=games)
    elif equipment.keeps(hall, format) and not _left_out(session, format):
        raise Refusal("no_ball_set_in_use", format=format)
    return used


def _left_out(session: Session, format: int) -> bool:
    return (duties.SET, str(format)) in load(session.state).balls.left_out


def _begun(game: Game) -> bool:
    """Tell whether a ball not of the RNG was out in the game, also one that was recalled."""
    balls = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="ball_announced"
    )
    return balls.exclude(data__source=RNG).exists()


def begin(game: Game, used: BallSet) -> None:
    """Note that a game is drawn from a set, and count it: void or not, each half one (R25)."""
    game.ball_set, game.extractor = used, used.extractor
    game.save(update_fields=["ball_set", "extractor"])
    BallSet.objects.filter(pk=used.pk).update(games=F("games") + 1)
