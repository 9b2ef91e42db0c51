"""The extractor's live picture, sent to the hall's screens while a game is drawn before it (R27).

It says nothing of the game: a ball is what the journal says. So a picture that cannot be sent is
forgotten, and none is ever waited for.
"""

from __future__ import annotations

import time
from threading import Condition, Thread

import redis
from django.conf import settings

from draws.models import Camera
from draws.vision.area import Area
from draws.vision.shot import CHANNEL, shot
from draws.vision.values import Frame

EVERY = 1 / 15  # seconds between two pictures
UNWATCHED = 0.5  # seconds between two looks whether a screen shows them by now
SLOWEST = 0.2  # seconds Valkey may take


class Transmission:
    """One camera's; `offer` costs the reader of balls nothing but a look at the clock."""

    def __init__(self, camera: Camera, area: Area) -> None:
        """Prepare; nothing is sent before `on` is set."""
        self.on = False
        self._camera, self._area = camera, area
        self._channel = CHANNEL.format(camera.hall.code)
        self._valkey = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=SLOWEST, socket_connect_timeout=SLOWEST
        )
        self._newest: tuple[Frame, float] | None = None
        self._next = 0.0
        self._there = Condition()
        self._ended = False
        self._thread = Thread(target=self._run, name=f"{camera.name}: pictures", daemon=True)
        self._thread.start()

    def __enter__(self) -> Transmission:
        return self

    def __exit__(self, *_fault: object) -> None:
        with self._there:
            self._ended = True
            self._there.notify()
        self._thread.join()
        self._valkey.close()

    def offer(self, frame: Frame, *, age: float) -> None:
        """Take a frame that is so many seconds old, if it is time for one; it replaces the last."""
        if not self.on or time.monotonic() < self._next:
            return
        with self._there:
            self._newest = frame, time.time() - age
            self._there.notify()

    def _run(self) -> None:
        while (taken := self._wait()) is not None:
            begun = time.monotonic()
            watched = self._send(*taken)
            self._next = begun + (EVERY if watched else UNWATCHED)

    def _wait(self) -> tuple[Frame, float] | None:
        with self._there:
            self._there.wait_for(lambda: self._ended or self._newest is not None)
            newest, self._newest = self._newest, None
            return None if self._ended else newest

    def _send(self, frame: Frame, taken: float) -> bool:
        """Publish one; false where nobody looks, or Valkey is away."""
        made = shot(frame, self._area, camera=self._camera.pk, taken=taken)
        try:
            return bool(self._valkey.publish(self._channel, made.packed()))
        except (redis.RedisError, OSError):
            return False
