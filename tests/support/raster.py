"""A symbol as another program may fill it: its SVG path read anew, flattened, sampled."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BOX = 64
PARTS = 12  # straight lines a cubic curve is cut into

Point = tuple[float, float]
Ink = NDArray[np.bool_]


def polygons(path: str) -> list[list[Point]]:
    """Return each subpath's corners; ValueError where anything but absolute M, L, C, Z stands."""
    found: list[list[Point]] = []
    words = iter(path.split(" "))
    for command in words:
        if command == "M":
            found.append([_point(words)])
        elif command == "L":
            found[-1].append(_point(words))
        elif command == "C":
            found[-1].extend(_cubic(found[-1][-1], _point(words), _point(words), _point(words)))
        elif command != "Z":
            raise ValueError(command)
    return found


def filled(path: str, per_unit: int = 8) -> Ink:
    """Fill by the nonzero rule; sample `per_unit` x `per_unit` points a unit, True where there is ink."""
    side = BOX * per_unit
    crossings = np.zeros((side, side + 1), np.int16)
    for corners in polygons(path):
        for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
            sign, top, bottom = (1, y0, y1) if y0 < y1 else (-1, y1, y0)
            rows = np.arange(np.ceil(top * per_unit - 0.5), np.ceil(bottom * per_unit - 0.5))
            at = x0 + ((rows + 0.5) / per_unit - y0) * (x1 - x0) / ((y1 - y0) or 1)
            columns = np.clip(np.ceil(at * per_unit - 0.5), 0, side).astype(int)
            np.add.at(crossings, (rows.astype(int), columns), sign)
    winding = crossings.cumsum(axis=1)[:, :-1]
    ink: Ink = winding != 0
    return ink


def grey(ink: Ink, side: int) -> NDArray[np.float64]:
    """Return the share of ink in each of `side` x `side` cells."""
    step = ink.shape[0] // side
    shares: NDArray[np.float64] = ink.reshape(side, step, side, step).mean(axis=(1, 3))
    return shares


def opened(ink: Ink, radius: float) -> Ink:
    """Keep only the ink that a round nib of `radius` samples could have drawn."""
    reach = range(-int(radius), int(radius) + 1)
    nib = [(y, x) for y in reach for x in reach if x * x + y * y <= radius * radius]
    kept = np.logical_and.reduce([np.roll(ink, at, (0, 1)) for at in nib])
    drawn: Ink = np.logical_or.reduce([np.roll(kept, at, (0, 1)) for at in nib])
    return drawn


def largest_piece(ink: Ink) -> int:
    """Count the samples of the largest connected piece of ink; 0 where there is none."""
    left = {(int(y), int(x)) for y, x in np.argwhere(ink)}
    largest = 0
    while left:
        edge, size = [left.pop()], 0
        while edge:
            y, x = edge.pop()
            size += 1
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            edge.extend(near)
        largest = max(largest, size)
    return largest


def _point(words: Iterator[str]) -> Point:
    return float(next(words)), float(next(words))


def _cubic(a: Point, b: Point, c: Point, d: Point) -> Iterator[Point]:
    for step in range(1, PARTS + 1):
        t = step / PARTS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        yield (
            sum(weight * point[0] for weight, point in zip(weights, (a, b, c, d), strict=True)),
            sum(weight * point[1] for weight, point in zip(weights, (a, b, c, d), strict=True)),
        )
