"""Watch one camera of a hall until told to stop: tell its health, propose its balls.

Whoever watches a camera holds an advisory lock of PostgreSQL on it: two who watch one camera would
tell of each ball twice, and of each fault. The lock is the database's, for the programs may run on
several machines; its connection is its own, for a pool would lend it to others, and lets go when
the process or its machine is gone.

Also the arguments that the commands of the camera share: a source, an area and a reader.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, cast

import psycopg
from django.conf import settings
from django.core.management.base import CommandParser
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils import timezone

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture, queries
from draws.balls.camera_outbox import NOT_KEPT, CameraPrints, Outbox, ShowingWatch
from draws.balls.cameras_and_live_picture import Transmission
from draws.balls.queries import Watched
from draws.balls.vision import exit_area, sources
from draws.balls.vision.enrolment import Eyes
from draws.balls.vision.exit_area import Area
from draws.balls.vision.live_camera import WAIT, Live
from draws.balls.vision.reader import Eye, ReaderPair
from draws.balls.vision.sources import Address
from draws.balls.vision.tracking import ExitState
from draws.balls.vision.values import BallReading, Frame
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import Judge, Watcher
from draws.cards import series_queries
from draws.games import progress
from draws.models import Camera
from draws.refusals.text import in_english
from halls.equipment import queries as equipment_queries

LOCKS = 0x6361_6D65  # "came": the class of these locks
CONNECTING = 10  # seconds
# A machine that lost its power says no farewell: so the server asks whether it is there still.
ALIVE = """
SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 10000
"""


class CameraLock:
    """The lock of one camera; `is_ours` takes it as soon as it is free."""

    def __init__(self, camera_id: int) -> None:
        """Prepare; nothing is held yet."""
        self._camera_id = camera_id
        self._link: psycopg.Connection[Any] | None = None
        self._held = False

    def is_ours(self) -> bool:
        """Take the lock where nobody has it, or see that it is held still. Raises OperationalError."""
        try:
            self._link = self._link or _connect()
            if self._held:
                self._link.execute("SELECT 1")
            else:
                asked = "SELECT pg_try_advisory_lock(%s, %s)"
                row = self._link.execute(asked, [LOCKS, self._camera_id]).fetchone()
                self._held = bool(row and row[0])
        except psycopg.Error as error:
            self.release()
            raise OperationalError(str(error)) from error
        return self._held

    def release(self) -> None:
        """Let it go; once is enough."""
        link, self._link, self._held = self._link, None, False
        if link is not None:
            with suppress(psycopg.Error), link:
                # The server hears of a closed connection some time; of this at once.
                link.execute("SELECT pg_advisory_unlock_all()")


def _connect() -> psycopg.Connection[Any]:
    """Return a connection that no pool keeps, to where the default one goes."""
    known = cast(DatabaseWrapper, connection).get_connection_params()
    link = psycopg.connect(**(known | {"connect_timeout": CONNECTING}), autocommit=True)
    link.execute(ALIVE)
    return link


ROUND = 0.5  # seconds between two looks at the game and the camera's row
BEAT = 1.0  # seconds between two signs of life
TURN = 0.5  # seconds between two looks whether another process still watches the camera
WAITS = (0.5, 8.0)  # the first and the longest seconds before a lost camera is tried again
STEADY = 20.0  # seconds of pictures after which it is tried at once again
OPENING = 3.0  # seconds that a camera may take to send its first pictures
KNOWN = 1.5  # seconds of pictures after which each fault there is would have been told
EMPTY = 0.6  # seconds of pictures after which an exit seen empty was empty at the start
FRESH = 3.0  # seconds of them in which the last ball announced may be read once more
NO_SIGNAL, RESIZED = "no_signal", "resolution_changed"
# The fault that a camera has while what watches it is refused: every refusal that opening it raises.
FAULT_OF = {
    "not_a_camera": NO_SIGNAL,
    RESIZED: RESIZED,
    "pictures_too_large": RESIZED,
    "pictures_too_small": RESIZED,
    **dict.fromkeys(
        ("camera_not_calibrated", "bad_camera_settings", "camera_sends_on", "address_not_allowed"),
        "bad_settings",
    ),
}
ELSEWHERE = "watched by another process already: this one waits until that has ended"


# One wait for a ball: the game, the balls out, the last of them, and the seconds it may last.
_Wait = tuple[int, int, int | None, int]


class CameraWatch:
    """Watches one camera; `run` in a thread of its own, or in the test's."""

    def __init__(
        self,
        camera: Camera,
        *,
        stop: Event,
        tell: Callable[[str], None] = lambda _words: None,
        pair: Eyes | None = None,
    ) -> None:
        """Prepare; `tell` is given a plain line whenever something changes."""
        self.camera = camera
        self._stop, self._tell = stop, tell
        self._pair: Eyes = pair or ReaderPair()
        self._lock = CameraLock(camera.pk)
        self._outbox = Outbox(camera, tell)
        self._prints = CameraPrints(camera)
        self._known: _Wait | None = None
        self._watched: Watched | None = None
        self._waits: _Wait | None = None
        self._showing: ShowingWatch | None = None
        self._transmission: Transmission | None = None
        self._last_beat = self._last_round = -BEAT
        self._began: float | None = None
        self._seen = 0.0  # seconds of pictures since then
        self._last_at = 0.0
        self._fresh = self._at_start = self._leads = True
        self._lost, self._waits_for = NO_SIGNAL, ""

    def run(self) -> None:
        """Watch until stopped; a camera, a database or another who watches it is waited for."""
        wait = WAITS[0]
        try:
            while not self._stop.is_set():
                if not self._is_ours():
                    self._stop.wait(TURN)
                    continue
                begun = time.monotonic()
                self._try()
                wait = WAITS[0] if time.monotonic() - begun > STEADY else min(wait * 2, WAITS[1])
                self._pause(wait)
        finally:
            self._lock.release()
            connection.close()

    def _is_ours(self) -> bool:
        """Return whether this process is the one that watches; why not, is said once."""
        try:
            ours = self._lock.is_ours()
        except OperationalError as error:
            self._wait_for(_away(error))
            return False
        if ours:
            return True
        self._wait_for(ELSEWHERE)
        self._outbox.empty("another process watches")
        return False

    def _wait_for(self, why: str) -> None:
        """Tell what is waited for, once until it is something else or the camera is watched."""
        if why != self._waits_for:
            self._tell(f"{self.camera.name}: {why}")
        self._waits_for = why

    def _try(self) -> None:
        self._lost = NO_SIGNAL
        try:
            self._watch()
        except Refusal as refusal:
            self._lost = FAULT_OF.get(refusal.code, NO_SIGNAL)
            self._wait_for(in_english(refusal))
        except (OperationalError, InterfaceError) as error:
            self._wait_for(_away(error))
            connection.close()
        except DatabaseError as error:
            self._wait_for(f"the database will not have it: {_name(error)}")
        except OSError as error:
            # The pictures of balls that are shown are kept as they come.
            self._lost = NO_SIGNAL if isinstance(error, ConnectionError) else NOT_KEPT
            self._wait_for(f"{_name(error)}: {error.strerror}")

    def _watch(self) -> None:
        """Watch until the camera's row changes. Raises Refusal, DatabaseError."""
        self.camera.refresh_from_db()
        if not self.camera.settings:
            raise Refusal("camera_not_calibrated", camera=self.camera.name)
        place = exit_area.read(self.camera.settings)
        address = sources.camera(self.camera.url, loopback=settings.CAMERA_LOOPBACK)
        set_up = _set_up(self.camera)
        watcher = Watcher(place, format=90, eye=self._pair.plain, judge=verdict)
        self._began, self._seen, self._waits, self._known = None, 0.0, None, None
        self._last_at = time.monotonic()
        self._fresh = self._at_start = True
        self._outbox.trouble = NOT_KEPT if self.camera.health == NOT_KEPT else ""
        self._showing = ShowingWatch(self.camera, place, self._pair)
        with Live(address) as live, Transmission(self.camera, place) as self._transmission:
            while not self._stop.is_set():
                if self._is_time() and not self._round(watcher, set_up):
                    return
                self._step(live, watcher)

    def _step(self, live: Live, watcher: Watcher) -> None:
        frame = live.read(WAIT)
        if frame is None:
            events: list[Any] = list(watcher.silence(live.now))
        else:
            events = self._see(frame, watcher)
            if self._transmission:
                self._transmission.offer(frame, age=live.now - frame.at)
            if self._showing:
                self._showing.see(frame, at=timezone.now())
        for event in events:
            if isinstance(event, BallReading):
                self._take(event, live)
            else:
                if event.fault == NO_SIGNAL:
                    # While there was no picture, a ball may have come and gone.
                    watcher.wait(watcher.patience)
                self._tell(f"{self.camera.name}: {event.fault} {'began' if event.on else 'ended'}")
                self._beat(self._health(watcher))
        if not self._outbox.is_empty and self._lock.is_ours():
            self._outbox.send(self._watched.game if self._watched else None)

    def _see(self, frame: Frame, watcher: Watcher) -> list[Any]:
        if self._began is None:
            self._began, self._waits_for = frame.at, ""
            self._tell(f"{self.camera.name}: watched")
        self._seen, self._last_at = frame.at - self._began, time.monotonic()
        self._fresh = self._fresh and self._seen < FRESH
        events: list[Any] = watcher.see(frame)
        empty = watcher.state is ExitState.EMPTY and not watcher.health.doubted
        if empty and self._watched:
            self._prints.step()
            watcher.prints = self._prints.known
        if empty and self._seen > EMPTY:
            self._at_start = False
        return events

    def _take(self, reading: BallReading, live: Live) -> None:
        """Put a ball of the game being drawn down, to be proposed."""
        at_start, self._fresh = self._at_start, False
        if reading.reason != progress.MISSING:
            self._at_start = False
        if self._watched is None:
            return
        seen_at = timezone.now() - timedelta(seconds=max(0.0, live.now - reading.at))
        self._outbox.put(reading, game=self._watched.game, seen_at=seen_at, at_start=at_start)

    def _round(self, watcher: Watcher, set_up: tuple[Any, ...]) -> bool:
        """Look at the row and the game; false when the camera was set up anew, or is another's."""
        if not self._lock.is_ours():
            return False
        row = Camera.objects.get(pk=self.camera.pk)
        if _set_up(row) != set_up:
            return False
        self._watched = queries.watched(self.camera)
        self._wait(watcher)
        if self._transmission:
            self._transmission.on = self._watched is not None
        if self._watched is not None:
            self._prepare(watcher, self._watched)
        elif self._outbox.is_empty:
            self._outbox.trouble = ""
        if self._showing:
            self._showing.round(drawing=self._watched is not None, at=timezone.now())
        if time.monotonic() - self._last_beat >= BEAT:
            self._beat(self._health(watcher))
        return True

    def _health(self, watcher: Watcher) -> str:
        """Say what is wrong; before enough was seen to know, what was wrong last."""
        worst = watcher.health.worst
        if self._seen >= KNOWN or worst not in (None, NO_SIGNAL):
            return worst or self._outbox.trouble
        silent = time.monotonic() - self._last_at
        return NO_SIGNAL if silent > OPENING else self.camera.health

    def _wait(self, watcher: Watcher) -> None:
        """Let a ball be missed only while the draw waits for it, from when it began to."""
        now = self._watched
        waits = (now.game.pk, len(now.drawn), now.last, now.patience) if now else None
        if waits != self._waits:
            self._waits = waits
            watcher.wait(now.patience if now else 0)

    def _prepare(self, watcher: Watcher, watched: Watched) -> None:
        balls = equipment_queries.in_use(self.camera.hall, watched.format)
        zeros = balls is not None and balls.zeros
        eye = self._pair.padded if zeros else self._pair.plain
        if self._known != self._waits:
            # What the enrolment proves may end with any ball of a game: it is asked about at each.
            self._known = self._waits
            self._prints.of(balls, eye)
            watcher.prints = self._prints.known
            self._leads = queries.last_shown(watched.game) in (None, self.camera.pk)
        watcher.read_by(format=watched.format, eye=eye, judge=partial(verdict, zeros=zeros))
        # The last ball may still lie there at the start, and before a camera that did not show it:
        # it must be read to be known again.
        known = self._leads and not self._fresh
        may_lie = {watched.last} if watched.last and not known else frozenset[int]()
        watcher.drawn = watched.drawn - may_lie

    def _beat(self, health: str) -> None:
        self._last_beat = time.monotonic()
        cameras_and_live_picture.beat(camera=self.camera, health=health, at=timezone.now())

    def _is_time(self) -> bool:
        now = time.monotonic()
        if now - self._last_round < ROUND:
            return False
        self._last_round = now
        return True

    def _pause(self, seconds: float) -> None:
        """Wait, saying every second why nothing is seen."""
        until = time.monotonic() + seconds
        while not self._stop.is_set() and time.monotonic() < until:
            if time.monotonic() - self._last_beat >= BEAT:
                self._say_lost()
            self._stop.wait(0.1)

    def _say_lost(self) -> None:
        try:
            if self._lock.is_ours():
                self._beat(self._lost)
        except (DatabaseError, InterfaceError):
            connection.close()


def _set_up(camera: Camera) -> tuple[Any, ...]:
    return camera.url, camera.settings, camera.format, camera.active


def _away(error: Exception) -> str:
    return f"the database is away: {_name(error)}"


def _name(error: Exception) -> str:
    return type(error).__name__


LONGEST = 10_000_000  # seconds; some months


def add_reader(parser: CommandParser) -> None:
    """Add what a reader must know of the balls."""
    parser.add_argument("--format", type=int, default=90, help="90, 80, 75 or 30 numbers (90)")
    parser.add_argument("--zeros", action="store_true", help="the balls read 06, not 6")


def reader(options: dict[str, Any]) -> tuple[Eye, Judge]:
    """Return what looks and what judges. Raises Refusal unknown_format."""
    formats.get_format(options["format"])
    return Eye(zeros=options["zeros"]), partial(verdict, zeros=options["zeros"])


def seconds(text: str) -> float:
    """Read how long a camera is to be looked at."""
    with suppress(ValueError):
        if 0 < float(text) <= LONGEST:
            return float(text)
    raise argparse.ArgumentTypeError(f"a number of seconds, at most {LONGEST}")


def camera_source(words_: str) -> Address:
    """Return a source; whether it may be on this machine, the settings say. Raises Refusal."""
    return sources.address_source(words_, loopback=settings.CAMERA_LOOPBACK)


def read_area(file: Path) -> Area:
    """Read settings from a file. Raises CommandError, Refusal bad_camera_settings."""
    try:
        return exit_area.read(json.loads(series_queries.read_series_path(file)))
    except (ValueError, RecursionError):
        raise Refusal("bad_camera_settings", field="JSON") from None


def camera_source_line(reading: BallReading, file: str) -> str:
    """Return one line of JSON about a ball."""
    return json.dumps(
        {
            "file": reading.file or file,
            "number": reading.number,
            "confidence": round(reading.confidence, 4),
            "runner_up": reading.runner_up,
            "at": round(reading.at, 3),
            "frame": reading.frame,
            "reason": reading.reason,
            "candidates": [[number, round(share, 4)] for number, share in reading.candidates],
        }
    )


def sentence(reading: BallReading, file: str) -> str:
    """Say what was read to a person."""
    # A ball is one line, whatever a file is called; a name may hold bytes that are no text.
    name = " ".join((reading.file or file).encode(errors="backslashreplace").decode().split())
    where = f"{name}: {reading.at:.2f} s: "
    if reading.number is not None:
        return where + f"{reading.number} ({reading.confidence:.1%})"
    guesses = ", ".join(f"{number} ({share:.0%})" for number, share in reading.candidates)
    return where + f"not read: {reading.reason}" + (f"; perhaps {guesses}" if guesses else "")
