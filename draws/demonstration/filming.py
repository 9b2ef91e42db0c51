"""The demonstration's extractor before its camera: its balls roll, are filmed, read and announced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from uuid import uuid4

from django.utils import timezone

from bingo.rules import formats
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

NAME = "Saída das bolas"
ADDRESS = "rtsp://camara.sala.example/saida"  # the picture is rendered: nothing is fetched from it
AUTOMATIC = 850  # per mille from which a reading is announced by itself


@dataclass(slots=True)
class Film:
    """One camera and what it sees; a game's balls come in the order of its `balls`."""

    camera: Camera
    scene: Scene
    watcher: Watcher
    asked: list[int] = field(default_factory=list)

    def order(self, evening: Evening, game: Game) -> list[int]:
        """Give the numbers of a game as its extractor will throw them out."""
        numbers = list(formats.get(game.issue.series.format).numbers)
        evening.chance.shuffle(numbers)
        return numbers

    def ball(self, evening: Evening, game: Game, number: int) -> None:
        """Let a ball roll before the camera, and have it announced as the reader or the caller reads it."""
        self.watcher.drawn = frozenset(evening.known().balls)
        for reading in self._read(number):
            put = seen.tell(camera=self.camera, seen=reading, seen_at=timezone.now(), key=uuid4())
            if put.standing == Standing.PENDING:
                self.asked.append(number)
                caller = evening.person(Role.CALLER)
                readings.confirm(reading=put, number=number, by=caller, at=timezone.now())
            return
        raise LookupError(f"ball {number} was not seen")

    def _read(self, number: int) -> Iterator[Reading]:
        frames = list(self.scene.play([Act("ball", number)]))
        events = chain.from_iterable(map(self.watcher.see, frames))
        return (event for event in events if isinstance(event, Reading))


def film(hall: Hall, *, seed: int) -> Film:
    """Set up a camera before a machine of its own, and learn the empty cup."""
    scene, area = example(seed)
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    camera = cameras.set_up(
        hall=hall, name=NAME, url=ADDRESS, settings=area.document(), by=by, at=timezone.now()
    )
    return Film(camera, scene, Watcher(area, format=90, eye=Eye(), judge=verdict, live=False))
