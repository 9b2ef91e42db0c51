"""An extractor sent as a network camera, and the hall's camera process before it, as `serve` runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from django.conf import settings
from django.utils import timezone

from draws.balls import cameras_and_live_picture
from draws.balls.vision.rendering.scene import Act
from draws.balls.vision.rendering.streams import RATE, example
from draws.models import Camera
from halls.models import Hall, Role
from tests.support.database import FreshDatabase
from tests.support.network_camera import NetworkCamera

PATIENCE = 40.0  # seconds a camera and its process may take on a machine that is busy
ENDING = 60.0  # seconds the process may take to end
TILT = 15.0  # degrees a print may face away: what is tried here is the way of a ball, not the eye


class Extractor:
    """A machine whose balls come as they are thrown; each lies there until the next is thrown.

    `worn` are the balls whose mark at the foot has worn away.
    """

    def __init__(self, *, seed: int, worn: Collection[int] = ()) -> None:
        """Begin to send the empty cup."""
        self.scene, self.area = example(seed)
        self.scene.tilt = TILT
        self.scene.lasting = lambda act: act.kind != "empty" and not self._thrown
        self._thrown: deque[Act] = deque()
        self._seed, self._worn = seed, worn
        self.camera = NetworkCamera(self.scene.play(self._acts()), fps=RATE)

    def __enter__(self) -> Extractor:
        return self

    def __exit__(self, *_fault: object) -> None:
        self.camera.close()

    def throw(self, ball: int | Act) -> None:
        """Let what lies there go, and the next one come."""
        self._thrown.append(Act("ball", ball) if isinstance(ball, int) else ball)

    @property
    def rested(self) -> list[int | None]:
        """The balls that have come to rest until now: the truth."""
        return [one.act.number for one in list(self.scene.labels) if one.act.kind == "ball"]

    def hang_up(self, hall: Hall) -> Camera:
        """Set up the hall's camera before this machine."""
        by = hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("username")[0]
        return cameras_and_live_picture.set_up(
            hall=hall, name="Saída", url=self.camera.url, format=90,
            settings=self.area.document(), by=by, at=timezone.now(),
        )  # fmt: skip

    def _acts(self) -> Iterator[Act]:
        usual = self.scene.style
        while True:
            act = self._thrown.popleft() if self._thrown else Act("empty")
            marked = "none" if act.number in self._worn else usual.marked
            self.scene.style = replace(usual, marked=marked)
            # However long the cup was watched before, a ball lies as it lay in every other run.
            self.scene.rng = np.random.default_rng([self._seed, act.number or 0])
            yield act


class CameraProcess:
    """`manage.py watch_balls` of a database and a data folder; what it tells goes to a file."""

    def __init__(self, database: FreshDatabase, folder: Path) -> None:
        """Prepare; nothing runs before `start`."""
        self._environment = {
            **os.environ,
            "DATABASE_URL": database.url,
            "BINGO_DATA": str(folder),
            "CAMERA_LOOPBACK": "1",
        }
        self._output = folder / "watch_balls"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> CameraProcess:
        self.start()
        return self

    def __exit__(self, *_fault: object) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=ENDING)

    def start(self) -> None:
        """Start it, with nothing told yet."""
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "watch_balls"],
                cwd=settings.BASE_DIR, env=self._environment, stdout=output, stderr=output,
            )  # fmt: skip

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def told(self) -> str:
        """All it has told since it was started last."""
        return self._output.read_text()


def until(condition: Callable[[], object], *, of: Callable[[], object] = lambda: "") -> None:
    """Wait for something that a camera brings about; `of` says more when it never comes."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"it never came: {of()}"
        time.sleep(0.02)
