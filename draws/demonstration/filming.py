"""Film the demonstration's extractor: its balls roll, are read and announced."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from random import SystemRandom
from uuid import uuid4

from django.utils import timezone

from bingo.rules import formats
from draws.balls import cameras, readings
from draws.balls.vision.values import BallReading
from draws.demonstration import evening
from draws.demonstration.evening import Evening, command_by
from draws.demonstration.film_process import FilmProcess
from draws.models import Camera, Standing
from halls.models import Hall, Role

ADDRESS = "rtsp://camara.sala.example/saida"  # the picture is rendered: nothing is fetched from it
AUTOMATIC = 850  # per mille from which a reading is announced by itself
AHEAD = 24  # balls


@dataclass(slots=True)
class Film:
    """One camera and what it sees; a game's balls come in the order of its `balls`.

    Balls are filmed and read before they are asked for, those of the next game while its cards are
    sold: a machine has two cores, one for the eyes and one for the books.
    """

    camera: Camera
    process: FilmProcess
    numbers: list[int] = field(default_factory=list)
    coming: deque[Future[list[BallReading]]] = field(default_factory=deque)
    asked: list[int] = field(default_factory=list)

    def prepare(self) -> None:
        """Put the balls of the next game in order, and begin to film them."""
        for unseen in self.coming:
            unseen.cancel()
        self.numbers = list(formats.NINETY.numbers)
        SystemRandom().shuffle(self.numbers)
        self.coming.clear()
        self._film_ahead(0)

    def balls(self, evening: Evening) -> Iterator[int]:
        """Let a game's balls roll before the camera; yield each number once it is announced."""
        for place, number in enumerate(self.numbers):
            self._film_ahead(place)
            self._announce(evening, number, self.coming.popleft().result())
            yield evening.game_state().balls[-1]

    def _film_ahead(self, place: int) -> None:
        while len(self.coming) < min(AHEAD, len(self.numbers) - place):
            self.coming.append(self.process.read(self.numbers, place + len(self.coming)))

    def _announce(self, evening: Evening, number: int, seen_now: list[BallReading]) -> None:
        """Have a ball announced as the reader or the caller reads it."""
        for reading in seen_now:
            put = readings.propose_reading(
                camera=self.camera, seen=reading, seen_at=timezone.now(), key=uuid4()
            )
            if put.standing == Standing.PENDING:
                self.asked.append(number)
                caller = evening.person(Role.CALLER)
                readings.confirm(reading=put, number=number, **command_by(caller))
            return
        raise LookupError(f"ball {number} was not seen")


def film(hall: Hall, eyes: FilmProcess) -> Film:
    """Set up the hall's camera as its process has learned the empty cup."""
    by = hall.people.get(roles__contains=[Role.HALL_MANAGER])
    camera = cameras.set_up(
        hall=hall, name=evening.country_of(hall.rulebook).camera, url=ADDRESS,
        settings=eyes.settings(), **command_by(by),
    )  # fmt: skip
    return Film(camera, eyes)
