"""How a ball lies: where its prints point, as (3, 3) rotations.

Axes as in a picture: x to the right, y down, z to the viewer. The columns of a print's rotation
are its reading direction, its downward direction and its outward one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rotation = NDArray[np.float64]

SIX = ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))
CORNERS = tuple((x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1))


def prints(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Give (count, 3, 3): the first print faces the viewer upright, the others turned at will."""
    others = (
        looking(np.asarray(outward, float)) @ roll(rng.uniform(0, 2 * math.pi))
        for outward in _directions(rng, count)[1:]
    )
    return np.stack([np.eye(3), *others])


def _directions(rng: np.random.Generator, count: int) -> list[Any]:
    if count <= len(SIX):
        return list(SIX[:count])
    if count == len(CORNERS):
        # The cube's corners, turned so that one of them faces the viewer.
        facing_first = looking(np.asarray(CORNERS[0], float) / math.sqrt(3))
        return [facing_first.T @ (np.asarray(corner, float) / math.sqrt(3)) for corner in CORNERS]
    steps = np.arange(count) + 0.5
    high = 1 - 2 * steps / count
    turn = math.pi * (1 + 5**0.5) * steps + rng.uniform(0, 1)
    flat = np.sqrt(1 - high**2)
    points = np.stack([flat * np.cos(turn), flat * np.sin(turn), high], axis=1)
    first = looking(points[0])
    return [first.T @ point for point in points]


def looking(outward: NDArray[np.float64]) -> Rotation:
    """Give a rotation whose third column is this unit vector."""
    helper = np.array([0.0, 1.0, 0.0]) if abs(outward[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    right = np.cross(helper, outward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(outward, right), outward], axis=1)


def roll(angle: float) -> Rotation:
    """Give the turn by `angle` radians in the picture's plane, clockwise as seen."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def tilt(angle: float, towards: float) -> Rotation:
    """Give the turn by `angle` radians that moves what faces the viewer to `towards` radians."""
    axis = np.array([-math.sin(towards), math.cos(towards), 0.0])
    cross = np.array(
        [[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]], float
    )
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def facing(rng: np.random.Generator, within: float) -> Rotation:
    """Give a ball's rotation with its first print at most `within` degrees off the viewer."""
    off = math.radians(within) * math.sqrt(rng.random())
    turn, towards = rng.uniform(0, 2 * math.pi, 2)
    return np.asarray(tilt(off, towards) @ roll(turn))


def tumbling(rng: np.random.Generator) -> Rotation:
    """Give any rotation, each equally likely."""
    made, upper = np.linalg.qr(rng.standard_normal((3, 3)))
    made = made * np.sign(np.diag(upper))
    if np.linalg.det(made) < 0:
        made[:, 0] = -made[:, 0]
    return np.asarray(made)


def angle_of(seen: Rotation) -> float:
    """Give how far a print is turned clockwise in the picture, in degrees from 0 to 360."""
    return math.degrees(math.atan2(seen[1, 0], seen[0, 0])) % 360
