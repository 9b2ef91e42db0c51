"""Which ball set a game is drawn from, and what that costs the set (R25)."""

from __future__ import annotations

from django.db.models import F

from bingo.rules import equipment as rules
from bingo.rules.refusal import Refusal
from bingo.rules.state import Phase
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from draws.services import randomness
from halls.models import BallSet, Hall, JournalEntry
from halls.queries import equipment
from halls.services import journal


def require_for_sale(game: Game, *, bound: bool) -> None:
    """Let no card be sold of a game that its hall's ball set may not serve; double cards need two.

    `bound`: the RNG may draw it, so that the hall needs no set in use before a ball is drawn by
    camera or by hand. Raises Refusal: no_ball_set_in_use, ball_set_worn, ball_set_faulty.
    """
    session = game.session
    if game.phase != Phase.PREPARED or randomness.source_of(session, game.number) == RNG:
        return
    if bound and equipment.in_use(session.hall, game.issue.series.format) is None:
        return
    _fit(session.hall, game, games=2 if game.issue.double else 1)


def first_of(game: Game, source: str) -> BallSet | None:
    """Give the set that a game's first ball not of the RNG comes from, where the hall keeps sets.

    A set put in use after that ball is not the game's. Raises Refusal: no_ball_set_in_use,
    ball_set_worn, ball_set_faulty.
    """
    if source == RNG:
        return None
    hall = journal.lock(game.session.hall_id)
    if Game.objects.filter(pk=game.pk, ball_set__isnull=False).exists():
        return None
    if not equipment.keeps(hall, game.issue.series.format) or _begun(game):
        return None
    return _fit(hall, game, games=1)


def _fit(hall: Hall, game: Game, *, games: int) -> BallSet | None:
    """Give the set in use, fit for so many games; None where the hall keeps none at all."""
    format = game.issue.series.format
    used = equipment.in_use(hall, format)
    if used is not None:
        rules.require_fit(used.known, used.wear, games=games)
    elif equipment.keeps(hall, format):
        raise Refusal("no_ball_set_in_use", format=format)
    return used


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
