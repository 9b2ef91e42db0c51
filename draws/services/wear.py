"""Which ball set a game is drawn from, and what that costs the set (R25)."""

from __future__ import annotations

from django.db.models import F

from bingo.rules import equipment as rules
from bingo.rules.state import Phase
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from draws.services import randomness
from halls.models import BallSet
from halls.queries import equipment
from halls.services import journal


def require_for_sale(game: Game) -> None:
    """Let no card be sold of a game that its hall's ball set may not serve; double cards need two.

    Raises Refusal: ball_set_worn, ball_set_faulty.
    """
    session = game.session
    if game.phase != Phase.PREPARED or randomness.source_of(session, game.number) == RNG:
        return
    used = equipment.in_use(session.hall, game.issue.series.format)
    if used is not None:
        rules.require_fit(used.known, used.wear, games=2 if game.issue.double else 1)


def first_of(game: Game, source: str) -> BallSet | None:
    """Give the set that a game's first ball not of the RNG comes from, where the hall has one in use.

    Raises Refusal: ball_set_worn, ball_set_faulty.
    """
    if source == RNG:
        return None
    hall = journal.lock(game.session.hall_id)
    if Game.objects.filter(pk=game.pk, ball_set__isnull=False).exists():
        return None
    used = equipment.in_use(hall, game.issue.series.format)
    if used is not None:
        rules.require_fit(used.known, used.wear)
    return used


def begin(game: Game, used: BallSet) -> None:
    """Note that a game is drawn from a set, and count it: void or not, each half one (R25)."""
    game.ball_set, game.extractor = used, used.extractor
    game.save(update_fields=["ball_set", "extractor"])
    BallSet.objects.filter(pk=used.pk).update(games=F("games") + 1)
