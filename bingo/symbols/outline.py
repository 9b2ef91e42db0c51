"""Closed outlines in a box of 64 by 64, y downwards, and how they are written as an SVG path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Point = tuple[float, float]
# A straight line to one point, or a cubic curve: two handles and the point it ends at.
Step = tuple[Point] | tuple[Point, Point, Point]

MIDDLE: Point = (32, 32)


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed line: where it starts and the steps it takes; the last leads back to the start."""

    start: Point
    steps: tuple[Step, ...]

    @property
    def clockwise(self) -> bool:
        """Whether it runs clockwise as it is seen."""
        points = [self.start, *(point for step in self.steps for point in step)]
        following = [*points[1:], points[0]]
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, following, strict=True)) > 0

    def reversed(self) -> Outline:
        """The same line run the other way."""
        stops = [self.start, *(step[-1] for step in self.steps)]
        steps: list[Step] = []
        for step, origin in zip(reversed(self.steps), reversed(stops[:-1]), strict=True):
            steps.append((step[1], step[0], origin) if len(step) == 3 else (origin,))
        return Outline(stops[-1], tuple(steps))

    def turned(self, degrees: float, about: Point = MIDDLE) -> Outline:
        """Turned clockwise."""
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        x0, y0 = about

        def turn(point: Point) -> Point:
            x, y = point[0] - x0, point[1] - y0
            return x0 + x * cosine - y * sine, y0 + x * sine + y * cosine

        return self._mapped(turn)

    def mirrored(self, x: float = MIDDLE[0]) -> Outline:
        """Seen in an upright mirror that stands at `x`."""
        return self._mapped(lambda point: (2 * x - point[0], point[1]))

    def _mapped(self, place: Callable[[Point], Point]) -> Outline:
        steps: list[Step] = []
        for step in self.steps:
            if len(step) == 3:
                steps.append((place(step[0]), place(step[1]), place(step[2])))
            else:
                steps.append((place(step[0]),))
        return Outline(place(self.start), tuple(steps))


Drawing = tuple[Outline, ...]


def ink(outlines: Iterable[Outline]) -> Drawing:
    """Outlines that are filled, whatever they overlap."""
    return tuple(each if each.clockwise else each.reversed() for each in outlines)


def paper(outlines: Iterable[Outline]) -> Drawing:
    """Outlines that are cut out of one layer of ink."""
    return tuple(each.reversed() if each.clockwise else each for each in outlines)


def written(outlines: Iterable[Outline]) -> str:
    """One SVG path of absolute M, L, C and Z, each sign and number parted by a space."""
    return " ".join(word for outline in outlines for word in _words(outline))


def _words(outline: Outline) -> Iterable[str]:
    yield from ("M", *_numbers(outline.start))
    for step in outline.steps:
        yield "C" if len(step) == 3 else "L"
        for point in step:
            yield from _numbers(point)
    yield "Z"


def _numbers(point: Point) -> tuple[str, str]:
    # A tenth of a unit is a fiftieth of a millimetre on the largest card printed.
    x, y = (format(round(part, 1) + 0.0, "g") for part in point)
    return x, y
