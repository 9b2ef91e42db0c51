"""Drawing tools of the symbols: closed outlines, a few strokes, and SVG paths.

An outline lies in a box of 64 by 64, y downwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
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


# Handles of this share of the radius bring four cubic curves within 0.03 % of a circle.
ROUND = 0.5523
# A handle reaches this far towards the next point: rounder than a third, not yet a bulge.
REACH = 0.36
PARTS = 2  # of a limb between two joints
STILL: Point = (0, 0)

# A point the line passes smoothly, or, marked with V, one at which it turns a corner.
V = "corner"
Passed = Point | tuple[float, float, str]
# A place a limb passes, and its width there.
Joint = tuple[float, float, float]


def disc(x: float, y: float, radius: float) -> Outline:
    """A circle."""
    return oval(x, y, radius, radius)


def oval(x: float, y: float, rx: float, ry: float) -> Outline:
    """An ellipse, `rx` and `ry` from its middle to its edges."""
    kx, ky = rx * ROUND, ry * ROUND
    return Outline(
        (x + rx, y),
        (
            ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry)),
            ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y)),
            ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry)),
            ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y)),
        ),
    )


def bar(start: Point, end: Point, width: float) -> Outline:
    """A straight stroke with round ends."""
    return limb((*start, width), (*end, width))


def polygon(*corners: Point, soft: float = 0) -> Outline:
    """A polygon; each corner is rounded by up to `soft` units along its sides."""
    if not soft:
        return Outline(corners[0], tuple((corner,) for corner in corners[1:]))
    steps: list[Step] = []
    for index, corner in enumerate(corners):
        before = _towards(corner, corners[index - 1], soft)
        after = _towards(corner, corners[(index + 1) % len(corners)], soft)
        steps.append((before,))
        steps.append((_between(before, corner), _between(after, corner), after))
    return Outline(steps[-1][-1], tuple(steps))


def box(left: float, top: float, right: float, bottom: float, soft: float = 0) -> Outline:
    """An upright rectangle."""
    return polygon((left, top), (right, top), (right, bottom), (left, bottom), soft=soft)


def blob(*points: Passed) -> Outline:
    """A closed line, smooth through every point but the corners."""
    places = [(point[0], point[1]) for point in points]
    corners = [len(point) == 3 for point in points]
    headings = [
        STILL if corner else _heading(places, index) for index, corner in enumerate(corners)
    ]
    steps = []
    for index, here in enumerate(places):
        after = (index + 1) % len(places)
        steps.append(_curve(here, headings[index], places[after], headings[after]))
    return Outline(places[0], tuple(steps))


def limb(*joints: Joint) -> Outline:
    """A stroke with round ends through (x, y, width): a neck, a tail, a handle."""
    spine = _spine(joints)
    ahead = [*spine[1:], spine[-1]]
    behind = [spine[0], *spine[:-1]]
    left: list[Point] = []
    right: list[Point] = []
    for (x, y, width), (x0, y0, _), (x1, y1, _) in zip(spine, behind, ahead, strict=True):
        half = width / 2 / math.dist((x0, y0), (x1, y1))
        dx, dy = (x1 - x0) * half, (y1 - y0) * half
        left.append((x + dy, y - dx))
        right.append((x - dy, y + dx))
    right.reverse()
    return Outline(
        left[0],
        (*_open(left), *_cap(left[-1], right[0]), *_open(right), *_cap(right[-1], left[0])),
    )


def arc(x: float, y: float, radius: float, start: float, end: float, width: float) -> Outline:
    """A stroke along a circle, clockwise from `start` to `end` degrees; 0 is on the right."""
    parts = max(2, round((end - start) / 40))
    angles = (math.radians(start + (end - start) * part / parts) for part in range(parts + 1))
    return limb(*((x + radius * math.cos(a), y + radius * math.sin(a), width) for a in angles))


def _spine(joints: Sequence[Joint]) -> list[Joint]:
    """The joints with more between them, along the smooth line through them (Catmull-Rom)."""
    if len(joints) == 2:
        return list(joints)
    dense = []
    ends = [_before(*joints[:3]), *joints, _before(*joints[:-4:-1])]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(PARTS):
            t = step / PARTS
            weights = (
                (-t + 2 * t**2 - t**3) / 2,
                (2 - 5 * t**2 + 3 * t**3) / 2,
                (t + 4 * t**2 - 3 * t**3) / 2,
                (t**3 - t**2) / 2,
            )
            x, y, width = (
                sum(weight * part for weight, part in zip(weights, parts, strict=True))
                for parts in zip(a, b, c, d, strict=True)
            )
            dense.append((x, y, width))
    return [*dense, joints[-1]]


def _before(first: Joint, second: Joint, third: Joint) -> Joint:
    """Where a limb would have come from, had it bent all along as it bends at its second joint."""
    x, y, width = (3 * a - 3 * b + c for a, b, c in zip(first, second, third, strict=True))
    return x, y, width


def _open(points: Sequence[Point]) -> list[Step]:
    if len(points) == 2:
        return [(points[1],)]
    headings = [_heading(points, index) for index in range(len(points))]
    headings[0] = _direction(points[0], points[1])
    headings[-1] = _direction(points[-2], points[-1])
    return [
        _curve(points[index], headings[index], points[index + 1], headings[index + 1])
        for index in range(len(points) - 1)
    ]


def _cap(start: Point, end: Point) -> list[Step]:
    """Half a circle over the gap, on the left of the way from `start` to `end`."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    rx, ry = start[0] - x, start[1] - y
    top = (x - ry, y + rx)
    kx, ky = rx * ROUND, ry * ROUND
    return [
        ((start[0] - ky, start[1] + kx), (top[0] + kx, top[1] + ky), top),
        ((top[0] - kx, top[1] - ky), (end[0] - ky, end[1] + kx), end),
    ]


def _curve(here: Point, out: Point, there: Point, into: Point) -> Step:
    reach = REACH * math.dist(here, there)
    return (
        (here[0] + out[0] * reach, here[1] + out[1] * reach),
        (there[0] - into[0] * reach, there[1] - into[1] * reach),
        there,
    )


def _heading(points: Sequence[Point], index: int) -> Point:
    """Which way a smooth closed line runs through a point: as its two neighbours lie."""
    return _direction(points[index - 1], points[(index + 1) % len(points)])


def _direction(start: Point, end: Point) -> Point:
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _towards(start: Point, end: Point, distance: float) -> Point:
    """The point at `distance` from `start` towards `end`, or half-way where that is nearer."""
    share = min(distance / math.dist(start, end), 0.5)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _between(start: Point, end: Point) -> Point:
    return _towards(start, end, ROUND * math.dist(start, end))
