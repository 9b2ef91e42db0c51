"""One camera of a hall, looked at until told to stop: its health told, its balls proposed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from typing import Any, Protocol
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.management.showing_watch import ShowingWatch
from draws.models import Camera
from draws.queries import readings as queries
from draws.queries.readings import Watched
from draws.services import cameras, readings
from draws.vision import addresses, area
from draws.vision.alike import alike
from draws.vision.eyes import Pair
from draws.vision.live import WAIT, Live
from draws.vision.values import Reading
from draws.vision.verdict import verdict
from draws.vision.watching import Look, Watcher
from halls.queries import equipment

ROUND = 0.5  # seconds between two looks at the game and the camera's row
BEAT = 1.0  # seconds between two signs of life
WAITS = (0.5, 8.0)  # the first and the longest seconds before a lost camera is tried again
STEADY = 20.0  # seconds of pictures after which it is tried at once again
AT_REST = 0.6  # seconds after the first picture in which what rests had rested before
FRESH = 3.0  # seconds after it in which the last ball announced may be read once more
UNSENT = 8  # readings kept while the database is away
PER_MILLE = 1000


# One wait for a ball: the game, the balls out, the last of them, and the seconds it may last.
_Wait = tuple[int, int, int | None, int]


class Readers(Protocol):
    """What reads a ball of a set without leading zeros, and of one with them."""

    @property
    def plain(self) -> Look:
        """Read a 6 as 6."""

    @property
    def padded(self) -> Look:
        """Read a 06 as 6 too."""


@dataclass(frozen=True, slots=True)
class _Proposal:
    reading: Reading
    seen_at: datetime
    key: UUID


class CameraWatch:
    """Watches one camera; `run` in a thread of its own, or in the test's."""

    def __init__(
        self,
        camera: Camera,
        *,
        stop: Event,
        tell: Callable[[str], None] = lambda _words: None,
        pair: Readers | None = None,
    ) -> None:
        """Prepare; `tell` is given a plain line whenever something changes."""
        self.camera = camera
        self._stop, self._tell = stop, tell
        self._pair: Readers = pair or Pair()
        self._unsent: deque[_Proposal] = deque(maxlen=UNSENT)
        self._watched: Watched | None = None
        self._waits: _Wait | None = None
        self._showing: ShowingWatch | None = None
        self._last_beat = self._last_round = -BEAT
        self._began: float | None = None
        self._fresh = self._first = True

    def run(self) -> None:
        """Watch until stopped; a camera or a database that is away is waited for."""
        wait = WAITS[0]
        try:
            while not self._stop.is_set():
                begun = time.monotonic()
                self._try()
                wait = WAITS[0] if time.monotonic() - begun > STEADY else min(wait * 2, WAITS[1])
                self._pause(wait)
        finally:
            connection.close()

    def _try(self) -> None:
        try:
            self._watch()
        except Refusal as refusal:
            self._tell(f"{self.camera.name}: {refusal.code}")
        except (DatabaseError, InterfaceError) as error:
            self._tell(f"{self.camera.name}: the database is away: {type(error).__name__}")
            connection.close()

    def _watch(self) -> None:
        """Watch until the camera's row changes. Raises Refusal, DatabaseError."""
        self.camera.refresh_from_db()
        if not self.camera.settings:
            raise Refusal("camera_not_calibrated")
        place = area.read(self.camera.settings)
        address = addresses.camera(self.camera.url, loopback=settings.CAMERA_LOOPBACK)
        set_up = _set_up(self.camera)
        watcher = Watcher(place, format=90, eye=self._pair.plain, judge=verdict)
        self._began, self._fresh, self._waits = None, True, None
        self._first = True
        self._showing = ShowingWatch(self.camera, place, self._pair)
        with Live(address) as live:
            self._tell(f"{self.camera.name}: watched")
            while not self._stop.is_set():
                if self._is_time() and not self._round(watcher, set_up):
                    return
                self._step(live, watcher)

    def _step(self, live: Live, watcher: Watcher) -> None:
        frame = live.read(WAIT)
        if frame is None:
            events: list[Any] = list(watcher.silence(live.now))
        else:
            self._began = frame.at if self._began is None else self._began
            self._fresh = self._fresh and frame.at - self._began < FRESH
            events = watcher.see(frame)
            if self._showing:
                self._showing.see(frame, at=timezone.now())
        for event in events:
            if isinstance(event, Reading):
                self._take(event, live)
            else:
                if event.fault == "no_signal":
                    # While there was no picture, a ball may have come and gone.
                    watcher.wait(watcher.patience)
                self._tell(f"{self.camera.name}: {event.fault} {'began' if event.on else 'ended'}")
                self._beat(watcher.health.worst or "")
        self._send()

    def _take(self, reading: Reading, live: Live) -> None:
        """Propose a ball of the game being drawn, unless it lay there and was announced before."""
        self._fresh = False
        if self._watched is None:
            return
        told = self._was_told(reading, self._watched)
        if told or self._was_announced(reading, self._watched):
            self._tell(f"{self.camera.name}: {reading.number or reading.reason} still rests")
            return
        seen_at = timezone.now() - timedelta(seconds=max(0.0, live.now - reading.at))
        self._unsent.append(_Proposal(reading, seen_at, uuid4()))

    def _was_announced(self, reading: Reading, watched: Watched) -> bool:
        rested_before = reading.rested - (self._began or 0.0) < AT_REST
        return rested_before and reading.number is not None and reading.number == watched.last

    def _was_told(self, reading: Reading, watched: Watched) -> bool:
        """Tell whether the process before this one told of what lies there, by its look.

        A ball that nobody can read, asked for twice, would be announced as each of the numbers it
        may bear.
        """
        first, self._first = self._first, False
        if not first or reading.reason == queries.MISSING:
            return False
        return alike(reading.picture, queries.last_seen(self.camera, watched.game))

    def _send(self) -> None:
        """Propose what was read; the same key again after a failure, so that nothing comes twice."""
        while self._unsent:
            proposal = self._unsent[0]
            try:
                self._propose(proposal)
            except Refusal as refusal:
                self._tell(f"{self.camera.name}: not taken: {refusal.code}")
            self._unsent.popleft()

    def _propose(self, proposal: _Proposal) -> None:
        reading = proposal.reading
        made = readings.propose(
            camera=self.camera,
            number=reading.number,
            confidence=_per_mille(reading.confidence),
            candidates=[(number, _per_mille(share)) for number, share in reading.candidates],
            runner_up=reading.runner_up,
            reason=reading.reason,
            picture=reading.picture,
            seen_at=proposal.seen_at,
            stream_at=round(reading.at * 1000),
            frame=reading.frame,
            key=proposal.key,
        )
        self._tell(f"{self.camera.name}: {reading.number or reading.reason}: {made.standing}")

    def _round(self, watcher: Watcher, set_up: tuple[Any, ...]) -> bool:
        """Look at the row and the game; false when the camera was set up anew."""
        row = Camera.objects.get(pk=self.camera.pk)
        if _set_up(row) != set_up:
            return False
        self._watched = queries.watched(self.camera)
        self._wait(watcher)
        if self._watched is not None:
            self._prepare(watcher, self._watched)
        if self._showing:
            self._showing.round(drawing=self._watched is not None, at=timezone.now())
        if time.monotonic() - self._last_beat >= BEAT:
            self._beat(watcher.health.worst or "")
        return True

    def _wait(self, watcher: Watcher) -> None:
        """Let a ball be missed only while the draw waits for it, from when it began to."""
        now = self._watched
        waits = (now.game.pk, len(now.drawn), now.last, now.patience) if now else None
        if waits != self._waits:
            self._waits = waits
            watcher.wait(now.patience if now else 0)

    def _prepare(self, watcher: Watcher, watched: Watched) -> None:
        balls = equipment.in_use(self.camera.hall, watched.format)
        zeros = balls is not None and balls.zeros
        eye = self._pair.padded if zeros else self._pair.plain
        watcher.read_by(format=watched.format, eye=eye, judge=partial(verdict, zeros=zeros))
        # At the start the last ball may still lie there: it must be read to be known again.
        may_lie = {watched.last} if self._fresh and watched.last else frozenset[int]()
        watcher.drawn = watched.drawn - may_lie

    def _beat(self, health: str) -> None:
        self._last_beat = time.monotonic()
        cameras.beat(camera=self.camera, health=health, at=timezone.now())

    def _is_time(self) -> bool:
        now = time.monotonic()
        if now - self._last_round < ROUND:
            return False
        self._last_round = now
        return True

    def _pause(self, seconds: float) -> None:
        """Wait, saying every second that there is no signal."""
        until = time.monotonic() + seconds
        while not self._stop.is_set() and time.monotonic() < until:
            if time.monotonic() - self._last_beat >= BEAT:
                self._say_lost()
            self._stop.wait(0.1)

    def _say_lost(self) -> None:
        try:
            self._beat("no_signal")
        except (DatabaseError, InterfaceError):
            connection.close()


def _set_up(camera: Camera) -> tuple[Any, ...]:
    return camera.url, camera.settings, camera.format, camera.active


def _per_mille(share: float) -> int:
    return min(PER_MILLE, max(0, round(share * PER_MILLE)))
