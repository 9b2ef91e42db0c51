"""The demonstration's extractor before its camera: its balls roll, are filmed, read and announced."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from uuid import uuid4

from django.utils import timezone

from bingo.rules import formats
from draws.demonstration import country as countries
from draws.demonstration.evening import Evening
from draws.models import Camera, Game, Standing
from draws.services import cameras, readings, seen
from draws.vision.glance import Eye
from draws.vision.rendering.example import example
from draws.vision.rendering.scene import Act, Scene
from draws.vision.values import Reading
from draws.vision.verdict import verdict
from draws.vision.watching import Watcher
from halls.models import Hall, Role

ADDRESS = "rtsp://camara.sala.example/saida"  # the picture is rendered: nothing is fetched from it
AUTOMATIC = 850  # per mille from which a reading is announced by itself


@dataclass(slots=True)
class Film:
    """One camera and what it sees; a game's balls come in the order of its `balls`."""

    camera: Camera
    scene: Scene
    watcher: Watcher
    asked: list[int] = field(default_factory=list)

    def balls(self, evening: Evening, game: Game) -> Iterator[int]:
        """Let a game's balls roll before the camera; yield each number once it is announced.

        The next ball is filmed and read while the hall is told of the one before: half of the work
        is that of the eyes, half that of the books, and a machine has two cores.
        """
        numbers = list(formats.get(game.issue.series.format).numbers)
        evening.chance.shuffle(numbers)
        with ThreadPoolExecutor(1) as camera:
            coming = camera.submit(self._read, numbers, 0)
            for place, number in enumerate(numbers, start=1):
                readings = coming.result()
                if place < len(numbers):
                    coming = camera.submit(self._read, numbers, place)
                self._announce(evening, number, readings)
                yield evening.known().balls[-1]

    def _announce(self, evening: Evening, number: int, seen_now: list[Reading]) -> None:
        """Have a ball announced as the reader or the caller reads it."""
        for reading in seen_now:
            put = seen.tell(camera=self.camera, seen=reading, seen_at=timezone.now(), key=uuid4())
            if put.standing == Standing.PENDING:
                self.asked.append(number)
                caller = evening.person(Role.CALLER)
                readings.confirm(reading=put, number=number, by=caller, at=timezone.now())
            return
        raise LookupError(f"ball {number} was not seen")

    def _read(self, numbers: list[int], place: int) -> list[Reading]:
        """Film the ball at `place` of its game's order and return what the watcher reads."""
        self.watcher.drawn = frozenset(numbers[:place])
        frames = self.scene.play([Act("ball", numbers[place])])
        events = chain.from_iterable(map(self.watcher.see, frames))
        return [event for event in events if isinstance(event, Reading)]


def film(hall: Hall, *, seed: int) -> Film:
    """Set up a camera before a machine of its own, and learn the empty cup."""
    scene, area = example(seed)
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    camera = cameras.set_up(
        hall=hall, name=countries.of(hall.rulebook).camera, url=ADDRESS, settings=area.document(),
        by=by, at=timezone.now(),
    )  # fmt: skip
    return Film(camera, scene, Watcher(area, format=90, eye=Eye(), judge=verdict, live=False))
