"""Read the draw's balls: waiting readings, the caller, cameras and their pictures.

Which readings wait, in which order, and what the caller is shown of them; who calls a game's draw,
and since when; where a camera is and how it was set up, as its entry in the journal tells it; where
each picture of a ball or called card lies, who may see it, and which pictures nothing needs any
more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Max, Min, Model, Q, QuerySet
from django.urls import get_script_prefix

from bingo.rules import policies
from bingo.rules import retention as rules
from bingo.rules.equipment import SetPlace
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps.drawing import CAMERA, FIRST
from draws.games.progress import MISSING, pending
from draws.games.queries import get_hall_state
from draws.models import (
    Ball,
    Camera,
    Certificate,
    Complaint,
    Enrolment,
    Game,
    Reading,
    ShownBall,
    ShownCard,
    Standing,
)
from halls.models import Hall, JournalEntry, Person, Session

TAKEN_OVER = "draw_taken_over"
BEGINNINGS = ("draw_announced", TAKEN_OVER)


@dataclass(frozen=True, slots=True)
class Calling:
    """The caller of a draw; `after` is the user name of whom it was taken over from, or empty."""

    by: Person
    since: datetime
    after: str = ""


def calling(game: Game) -> Calling | None:
    """Return who calls the draw of a game; None before it is announced."""
    begun = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind__in=BEGINNINGS
    )
    entry = begun.select_related("by").order_by("number").last()
    if entry is None or entry.by is None:
        return None
    return Calling(entry.by, entry.at, entry.data.get("caller", ""))


def picture_path(digest: str) -> Path:
    """Return the place of a picture by its SHA-256 in hex; the file may be gone."""
    return Path(settings.PICTURES_DIR) / digest[:2] / f"{digest}.jpg"


def picture_address(digest: str) -> str | None:
    """Return the path at which a browser finds a picture; None where there is none."""
    # Training has addresses of its own.
    return f"{get_script_prefix()}pictures/{digest}.jpg" if digest else None


def of_card(check: JournalEntry) -> str | None:
    """Return the path of the picture that shows the card of a check, None where none was taken."""
    last = ShownCard.objects.filter(claim__entry=check).order_by("pk").last()
    return picture_address(last.picture) if last else None


def is_public(digest: str) -> bool:
    """Return whether a picture is of a ball posted, or a card shown to the hall, in an open session."""
    posted = Ball.objects.filter(picture=digest, game__session__closed_at__isnull=True)
    shown = ShownCard.objects.filter(picture=digest, claim__game__session__closed_at__isnull=True)
    return posted.exists() or shown.exists()


def is_of(hall: Hall, digest: str) -> bool:
    """Return whether a picture was taken in a hall."""
    read = Reading.objects.filter(picture=digest, game__session__hall=hall)
    shown = ShownCard.objects.filter(picture=digest, claim__game__session__hall=hall)
    return read.exists() or shown.exists()


OF_A_CAMERA = ("", FIRST, CAMERA)
DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)
SILENT = "silent"  # the process that watches a camera has not told of it for PATIENCE
PATIENCE = timedelta(seconds=5)
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


def put_reading(game: Game) -> list[Put]:
    """Return what waits for the caller, and for a second person; only the first can be announced."""
    return [_put(one, first=place == 0) for place, one in enumerate(pending(game))]


def _put(reading: Reading, *, first: bool) -> Put:
    guesses = tuple((number, sure) for number, sure in reading.candidates)
    if not guesses and reading.number is not None:
        guesses = ((reading.number, reading.confidence),)
    return Put(reading, guesses, picture_address(reading.picture), first)


def watched(camera: Camera) -> Watched | None:
    """Return the game that a camera's balls belong to now; None while it is to announce nothing.

    A ball that rests when the process begins and bears `last` is one that was announced already.
    """
    now = get_hall_state(camera.hall.code)
    known = now.game_state
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
    """Return how long this camera waits for the next ball, 0 where none can be missing."""
    if not is_awaited(known):
        return 0
    return 0 if pending(game).exists() else policies.of(game.session.state["terms"]).patience


def last_shown(game: Game) -> int | None:
    """Return the camera that showed the last ball of a game, None before one did."""
    shown = Reading.objects.filter(game=game, source=CAMERA, standing=Standing.ANNOUNCED)
    return shown.order_by("pk").values_list("camera", flat=True).last()


def number_grid(known: GameState) -> list[dict[str, Any]]:
    """Return every number of the game, whether it has been called, and which was last."""
    called, last = set(known.balls), known.balls[-1:]
    return [
        {"number": number, "called": number in called, "last": last == (number,)}
        for number in known.numbers
    ]


def is_awaited(known: GameState) -> bool:
    """Return whether the next ball must come before a camera: the draw goes on, and by camera."""
    left = len(known.balls) < len(known.numbers)
    return left and (known.phase, known.source, known.suspended) == (Phase.DRAWING, CAMERA, None)


def missed(game: Game) -> Reading | None:
    """Return the reading by which it was told that the ball waited for now is missing, if it was."""
    last = JournalEntry.objects.filter(
        hall=game.session.hall_id, session=game.session_id, game=game.number, kind__in=WAITS_BEGIN
    ).last()
    if last is None or last.kind != "ball_read" or last.data["reason"] != MISSING:
        return None
    return Reading.objects.select_related("game").get(pk=last.data["reading"])


def reading_picture(reading: Reading) -> bytes:
    """Return the picture of a reading; nothing where it is gone."""
    try:
        return picture_path(reading.picture).read_bytes()
    except OSError:
        return b""


def certificate_in_use(camera: Camera, format: int) -> Certificate | None:
    """Return the newest certificate before a camera of the set of a format that is in use.

    Whether it counts, `enrolment_queries.lapse` says.
    """
    found = Certificate.objects.select_related("camera", "ball_set", "entry__by", "entry__hall")
    of_set = {"ball_set__format": format, "ball_set__standing": SetPlace.IN_USE}
    return found.filter(camera=camera, **of_set).order_by("pk").last()


def is_drawn_by(camera: Camera, known: GameState) -> bool:
    """Return whether a ball before this camera is a ball of this game."""
    drawing = known.phase in DRAWN and known.source in OF_A_CAMERA
    return drawing and is_for(camera, known)


def is_before_a_camera(known: GameState) -> bool:
    """Return whether the game's balls come before a camera now, whose picture the hall sees (R27)."""
    return known.phase in DRAWN and known.source == CAMERA


def is_for(camera: Camera, known: GameState) -> bool:
    """Return whether a camera looks at balls of a game's format; one without looks at any."""
    return camera.format in (None, known.format)


def cameras(hall: Hall) -> list[Camera]:
    """Return the cameras of a hall that are in use."""
    return list(Camera.objects.filter(hall=hall, active=True).order_by("name"))


def looking(hall: Hall, known: GameState) -> list[Camera]:
    """Return the cameras in use that look at a game's balls."""
    return [camera for camera in cameras(hall) if is_for(camera, known)]


def health(camera: Camera, *, at: datetime) -> str:
    """Return the code of what is wrong with a camera, empty when nothing is.

    A camera of which nobody tells is silent, whatever was last said of it.
    """
    if camera.seen_at is None or at - camera.seen_at > PATIENCE:
        return SILENT
    return camera.health


FORGOTTEN = "pictures_forgotten"  # as journals had it before removals were signed
Ranges = Sequence[tuple[int, int]]
# What has a picture, and the way from it to its session.
WAYS: Mapping[type[Model], str] = MappingProxyType(
    {Reading: "game__session", ShownCard: "claim__game__session"}
)


def _recorded_values(hall: Hall, kind: str, name: str) -> list[Any]:
    found = JournalEntry.objects.filter(hall=hall, kind=kind).order_by("number")
    return list(found.values_list(f"data__{name}", flat=True))


def last_session(hall: Hall) -> int:
    """Return the last session whose pictures were forgotten before removals were signed, 0 for none."""
    told = _recorded_values(hall, FORGOTTEN, "last")
    return int(told[-1]) if told else 0


def sessions(hall: Hall) -> list[tuple[int, int]]:
    """Return the sessions, first to last, whose pictures were written off."""
    old = last_session(hall)
    since = [
        (first, last)
        for one in _recorded_values(hall, rules.APPLIED, "sessions")
        for first, last in one
    ]
    return rules.merged([(1, old)] * bool(old) + since)


def enrolments(hall: Hall) -> set[int]:
    """Return the enrolments and roll calls whose pictures were written off."""
    told = [
        *_recorded_values(hall, FORGOTTEN, "enrolments"),
        *_recorded_values(hall, rules.APPLIED, "enrolments"),
    ]
    return {enrolment for one in told for enrolment in one}


def prints(hall: Hall) -> set[int]:
    """Return the prints whose files were written off."""
    return {job for one in _recorded_values(hall, rules.APPLIED, "prints") for job in one}


def last_closed(hall: Hall, *, before: datetime) -> int:
    """Return the last session up to which all had been closed by then, 0 for none."""
    ours = Session.objects.filter(hall=hall)
    young = ours.filter(~Q(closed_at__lte=before) | Q(closed_at__isnull=True))
    first = young.aggregate(first=Min("number"))["first"]
    if first is not None:
        return int(first) - 1
    return int(ours.aggregate(last=Max("number"))["last"] or 0)


def shown_before(hall: Hall, before: datetime) -> set[int]:
    """Return the enrolments ended by then, and before the session that is open."""
    opened = hall.sessions.filter(closed_at__isnull=True).aggregate(first=Min("opened_at"))["first"]
    by = min(before, opened) if opened else before
    found = Enrolment.objects.filter(camera__hall=hall, ended_at__lte=by, shown__isnull=False)
    return set(found.values_list("pk", flat=True))


def list_expired_pictures(hall: Hall, ranges: Ranges, shown: Iterable[int]) -> dict[str, datetime]:
    """Return the pictures of those sessions and those enrolments, with when each was taken."""
    balls = ShownBall.objects.filter(enrolment__in=list(shown))
    rows = [row for found in (*rows_with_pictures(hall, ranges), balls) for row in _pictures(found)]
    found: dict[str, datetime] = {}
    for picture, at in rows:
        found[picture] = max(at, found.get(picture, at))
    return found


def needed(hall: Hall, pictures: Iterable[str], ranges: Ranges, shown: Iterable[int]) -> set[str]:
    """Return those pictures that something names beside those sessions and enrolments."""
    asked = Q(picture__in=list(pictures))
    kept = [
        model._default_manager.filter(asked).exclude(_of(hall, ranges, way))
        for model, way in WAYS.items()
    ]
    kept_shown = ShownBall.objects.filter(asked).exclude(enrolment__in=list(shown))
    # What a complaint names is evidence, decided or not: the decision may be asked about later.
    named = Complaint.objects.filter(asked)
    found = (one.order_by().values_list("picture", flat=True) for one in (*kept, kept_shown, named))
    return {picture for rows in found for picture in rows}


def rows_with_pictures(hall: Hall, ranges: Ranges) -> list[QuerySet[Any]]:
    """Return what has a picture of those sessions' balls and called cards."""
    return [
        model._default_manager.filter(_of(hall, ranges, way)).exclude(picture="")
        for model, way in WAYS.items()
    ]


def _of(hall: Hall, ranges: Ranges, way: str) -> Q:
    found = Q(pk__in=())
    for first, last in ranges:
        found |= Q((f"{way}__number__gte", first), (f"{way}__number__lte", last))
    return found & Q((f"{way}__hall", hall))


def _pictures(rows: QuerySet[Any]) -> list[tuple[str, datetime]]:
    return list(rows.order_by().values_list("picture", "seen_at"))


def bare(url: str) -> str:
    """Return an address without the name, password and questions in it; a device's as it is."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if not parts.scheme or not parts.hostname:
        return url.partition("?")[0].rpartition("@")[2]
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def camera_location_digest(url: str, *, salt: str) -> str:
    """Return the HMAC-SHA256 in hex of all of an address but its name and password.

    Two channels of one machine differ by their questions alone, and a question may hold a secret:
    the journal tells this instead, by which nobody without the camera's salt can try guesses.
    """
    whole = re.sub(r"//[^/?#]*@", "//", url, count=1)
    return hmac.new(salt.encode(), whole.encode(), hashlib.sha256).hexdigest()


def settings_digest(settings: dict[str, Any]) -> str:
    """Return the SHA-256 in hex of a camera's settings. Raises Refusal bad_camera_settings."""
    try:
        text = json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise Refusal("bad_camera_settings") from None
    return hashlib.sha256(text.encode()).hexdigest()
