"""The prints of the set in use before one camera, learned of its enrolment while nothing lies there."""

from __future__ import annotations

from collections.abc import Iterator

from draws.models import Camera, Certificate
from draws.queries import certificates
from draws.queries import enrolments as queries
from draws.vision import prints
from draws.vision.prints import Look, Prints
from halls.models import BallSet


class CameraPrints:
    """Those of one camera; `known` once all of them are learned, None before and without any."""

    def __init__(self, camera: Camera) -> None:
        """Begin with none."""
        self.known: Prints | None = None
        self._camera = camera
        self._certificate: int | None = None
        self._steps: Iterator[Prints | None] | None = None

    def of(self, balls: BallSet | None, eye: Look) -> None:
        """Turn to a set, read by this eye: to the enrolment that counts, where there is one."""
        held = _counting(self._camera, balls) if balls else None
        if held is not None and held.pk == self._certificate:
            return
        self._certificate = held.pk if held else None
        self.known = None
        self._steps = prints.learning(_shown(held), eye) if held else None

    def step(self) -> None:
        """Learn one picture more: some hundredths of a second, or nothing once all are learned."""
        if self._steps is None:
            return
        try:
            self.known = next(self._steps)
        except StopIteration:
            self._steps = None


def enrolled(camera: Camera, balls: BallSet, eye: Look) -> Prints | None:
    """Give the prints of a set before a camera at once, None where no enrolment of it counts."""
    held = _counting(camera, balls)
    return prints.learned(_shown(held), eye) if held else None


def _counting(camera: Camera, balls: BallSet) -> Certificate | None:
    held = certificates.certified(camera, balls)
    return held if held is not None and certificates.lapse(held) is None else None


def _shown(held: Certificate) -> Iterator[prints.Shown]:
    """Give the pictures that a certificate rests on, as far as their files are there."""
    for row, picture, spot in queries.chosen(held.enrolment):
        yield row.number or 0, picture, spot
