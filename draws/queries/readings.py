"""Balls read but not announced: which wait, in which order, and what the caller is shown of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from bingo.rules.state import GameState
from bingo.rules.steps.drawing import CAMERA, FIRST
from draws.models import Camera, Game, Reading, Standing
from draws.queries import pictures
from draws.queries.standing import standing
from halls.models import Hall

OF_A_CAMERA = ("", FIRST, CAMERA)
SILENT = "silent"  # the process that watches a camera has not told of it for PATIENCE
PATIENCE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Put:
    """A reading as it is put to the caller: guesses as (number, per mille), best first."""

    reading: Reading
    guesses: tuple[tuple[int, int], ...]
    picture: str | None
    first: bool


@dataclass(frozen=True, slots=True)
class Watched:
    """What a camera's process must know of the game it looks at: `last` is the last ball posted."""

    game: Game
    format: int
    drawn: frozenset[int]
    last: int | None
    source: str
    phase: str


def pending(game: Game) -> QuerySet[Reading]:
    """Give the readings of a game that wait, the first that came first."""
    found = Reading.objects.filter(game=game, standing=Standing.PENDING)
    return found.select_related("camera", "keyed_by").order_by("pk")


def put(game: Game) -> list[Put]:
    """Give what waits for the caller, and for a second person; only the first can be announced."""
    return [_put(one, first=place == 0) for place, one in enumerate(pending(game))]


def _put(reading: Reading, *, first: bool) -> Put:
    guesses = tuple((number, sure) for number, sure in reading.candidates)
    if not guesses and reading.number is not None:
        guesses = ((reading.number, reading.confidence),)
    return Put(reading, guesses, pictures.address(reading.picture), first)


def dismissed(game: Game) -> QuerySet[Reading]:
    """Give the readings of a game of which no ball came, with the entries that say why."""
    found = Reading.objects.filter(game=game, standing=Standing.DISMISSED)
    return found.select_related("entry__by", "camera").order_by("pk")


def watched(camera: Camera) -> Watched | None:
    """Give the game that a camera's balls belong to now; None while it is to announce nothing.

    A ball that rests when the process begins and bears `last` is one that was announced already.
    """
    now = standing(camera.hall.code)
    known = now.known
    if now.game is None or known is None or not is_drawn_by_camera(known):
        return None
    return Watched(
        game=now.game,
        format=known.format,
        drawn=frozenset(known.balls),
        last=known.balls[-1] if known.balls else None,
        source=known.source,
        phase=known.phase.value,
    )


def is_drawn_by_camera(known: GameState) -> bool:
    """Tell whether a ball before the camera is a ball of this game."""
    return known.phase in ("drawing", "stopped", "window") and known.source in OF_A_CAMERA


def cameras(hall: Hall) -> list[Camera]:
    """Give the cameras of a hall that are in use."""
    return list(Camera.objects.filter(hall=hall, active=True).order_by("name"))


def health(camera: Camera, *, at: datetime) -> str:
    """Give the code of what is wrong with a camera, empty when nothing is.

    A camera of which nobody tells is silent, whatever was last said of it.
    """
    if camera.seen_at is None or at - camera.seen_at > PATIENCE:
        return SILENT
    return camera.health
