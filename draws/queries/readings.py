"""Balls read but not announced: which wait, in which order, and what the caller is shown of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet

from bingo.rules import formats, policies
from bingo.rules.state import GameState, Phase
from bingo.rules.steps.drawing import CAMERA, FIRST
from draws.models import Camera, Game, Reading, Standing
from draws.queries import pictures
from draws.queries.standing import standing
from halls.models import Hall, JournalEntry

OF_A_CAMERA = ("", FIRST, CAMERA)
DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)
SILENT = "silent"  # the process that watches a camera has not told of it for PATIENCE
PATIENCE = timedelta(seconds=5)
MISSING = "missing"  # no ball came in the time that the hall waits for one
# Why a missing ball is missed no longer: it came, or nobody waits for it before the camera now.
CAME, NOT_AWAITED = "came", "not_awaited"
# With each of these a new wait for a ball begins, and what a camera saw meanwhile ends one too.
WAITS_BEGIN = (
    "draw_announced", "ball_announced", "ball_recalled", "draw_resumed", "game_resumed",
    "source_changed", "ball_read",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Put:
    """A reading as it is put to the caller: guesses as (number, per mille), best first."""

    reading: Reading
    guesses: tuple[tuple[int, int], ...]
    picture: str | None
    first: bool


@dataclass(frozen=True, slots=True)
class Watched:
    """What a camera's process must know of the game it looks at: `last` is the last ball posted.

    `patience` are the seconds after which the next one is missing, 0 while none is waited for.
    """

    game: Game
    format: int
    drawn: frozenset[int]
    last: int | None
    source: str
    phase: str
    patience: int = 0


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
    if now.game is None or known is None or not is_drawn_by(camera, known):
        return None
    return Watched(
        game=now.game,
        format=known.format,
        drawn=frozenset(known.balls),
        last=known.balls[-1] if known.balls else None,
        source=known.source,
        phase=known.phase.value,
        patience=_patience(camera, now.game, known),
    )


def _patience(camera: Camera, game: Game, known: GameState) -> int:
    """Give how long this camera waits for the next ball, 0 where none can be missing."""
    if not is_awaited(known):
        return 0
    return 0 if pending(game).exists() else policies.of(game.session.state["terms"]).patience


def is_awaited(known: GameState) -> bool:
    """Tell whether the next ball must come before a camera: the draw goes on, and by camera."""
    left = len(known.balls) < len(formats.get(known.format).numbers)
    return left and (known.phase, known.source, known.suspended) == (Phase.DRAWING, CAMERA, None)


def missed(game: Game) -> Reading | None:
    """Give the reading by which it was told that the ball waited for now is missing, if it was."""
    last = JournalEntry.objects.filter(
        hall=game.session.hall_id, session=game.session_id, game=game.number, kind__in=WAITS_BEGIN
    ).last()
    if last is None or last.kind != "ball_read" or last.data["reason"] != MISSING:
        return None
    return Reading.objects.select_related("game").get(pk=last.data["reading"])


def shown(reading: Reading) -> bytes:
    """Give the picture of a reading; nothing where it is gone."""
    try:
        return pictures.path(reading.picture).read_bytes()
    except OSError:
        return b""


def is_drawn_by(camera: Camera, known: GameState) -> bool:
    """Tell whether a ball before this camera is a ball of this game."""
    drawing = known.phase in DRAWN and known.source in OF_A_CAMERA
    return drawing and is_for(camera, known)


def is_before_a_camera(known: GameState) -> bool:
    """Tell whether the game's balls come before a camera now, whose picture the hall sees (R27)."""
    return known.phase in DRAWN and known.source == CAMERA


def is_for(camera: Camera, known: GameState) -> bool:
    """Tell whether a camera looks at balls of a game's format; one without looks at any."""
    return camera.format in (None, known.format)


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
