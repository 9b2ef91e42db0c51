"""The demonstration's camera in a process of its own, without Django: render balls, and read them."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context
from typing import Any

from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.streams import example, keep_to_one_core
from draws.balls.vision.values import BallReading
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import Watcher

RATE = 10.0  # frames a second

_filmed: list[tuple[Scene, Watcher]] = []  # of the camera's process: the one scene it films


@dataclass(slots=True)
class FilmProcess:
    """A scene before a camera, made of `seed`; its balls are filmed and read in the order asked."""

    seed: int
    process: ProcessPoolExecutor = field(init=False)
    area: Future[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.process = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self.area = self.process.submit(_set_up, self.seed)

    def settings(self) -> dict[str, Any]:
        """Return the settings of the camera, once its process has learned the empty cup."""
        return self.area.result()

    def read(self, numbers: list[int], place: int) -> Future[list[BallReading]]:
        """Return what will be read of the ball at `place` of a game's order."""
        return self.process.submit(_read, numbers, place)

    def close(self) -> None:
        """End the process, whatever it was asked."""
        self.process.shutdown(cancel_futures=True)


def _set_up(seed: int) -> dict[str, Any]:
    keep_to_one_core()
    scene, area = example(seed, fps=RATE)
    _filmed[:] = [(scene, Watcher(area, format=90, eye=Eye(), judge=verdict, live=False))]
    return area.document()


def _read(numbers: list[int], place: int) -> list[BallReading]:
    scene, watcher = _filmed[0]
    watcher.drawn = frozenset(numbers[:place])
    frames = scene.play([Act("ball", numbers[place])])
    events = chain.from_iterable(map(watcher.see, frames))
    return [event for event in events if isinstance(event, BallReading)]
