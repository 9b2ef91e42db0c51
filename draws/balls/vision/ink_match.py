"""Recognise a ball by comparing it with pictures of the set's own balls: an untrained second reader.

A ball is a sphere, so that each print can be turned to face the viewer, upright, wherever on the
ball it was seen; then two prints of one number are the same picture. It errs otherwise than the
network does, which is what it is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from draws.balls.vision.values import Picture, Reals, Spot

RADIUS = 30.0  # pixels to which every ball is brought
SIDE = 2 * round(RADIUS) + 9
CORE = 30  # pixels of a side of what is compared
REACH = 0.56  # radii of the ball from a print's middle to the side of that square
STROKE = 4.0  # pixels over which light is taken to be even
DEEPEST = 1.2  # deviations: a rim or a highlight counts no more than a stroke
INSIDE = 0.93  # radii within which there is print to be seen
FAR = 0.72  # radii a print's middle may lie off the ball's
ANGLES = (-16.0, -8.0, 0.0, 8.0, 16.0)  # degrees about the angle that was told
SHIFTS = (-0.16, -0.08, 0.0, 0.08, 0.16)  # radii about the place of the ink
CLOSE_ANGLES, CLOSE_SHIFTS = (-4.0, 0.0, 4.0), (-0.04, 0.0, 0.04)
BEST = 6  # prints that are compared once more, closely
AGREES = 0.60  # likeness from which a ball is taken for one that is known
AHEAD = 0.04  # by how much it must be likelier than any other

Pose = tuple[float, float, float]  # a print's middle across and down in radii, its turn in degrees


@dataclass(frozen=True, slots=True)
class Likeness:
    """The two numbers whose pictures a ball is most like, and how like, from -1 to 1."""

    number: int | None
    likeness: float
    runner_up: int | None
    second: float

    def agrees(self, number: int) -> bool:
        """Return whether the comparison itself says this number, and says it clearly."""
        clear = self.likeness >= AGREES and self.likeness - self.second >= AHEAD
        return self.number == number and clear


class Gallery:
    """The pictures of one set before one camera; `add` them all, then `compare`."""

    def __init__(self) -> None:
        """Begin with none."""
        self.numbers: list[int] = []
        self._prints: list[Reals] = []

    def add(self, number: int, picture: Picture, spot: Spot, *, angle: float) -> None:
        """Keep a picture (h, w, 3) of a ball; `angle` is how far its print is turned, in degrees."""
        ball = _ball(picture, spot)
        self.numbers.append(number)
        self._prints.append(_facing(ball, [(*_ink(ball), angle)])[0])

    def compare(
        self, picture: Picture, spot: Spot, *, angle: float, without: frozenset[int] = frozenset()
    ) -> Likeness:
        """Tell which number's pictures a ball is most like; `without` leaves out some by place."""
        kept = [place for place in range(len(self.numbers)) if place not in without]
        if not kept:
            return Likeness(None, 0.0, None, 0.0)
        ball = _ball(picture, spot)
        prints = np.stack([self._prints[place] for place in kept])
        x, y = _ink(ball)
        poses = _about((x, y, angle), SHIFTS, ANGLES)
        fits = _facing(ball, poses) @ prints.T
        likeness = fits.max(axis=0)
        for print_ in np.argsort(-likeness)[:BEST]:
            close = _about(poses[int(fits[:, print_].argmax())], CLOSE_SHIFTS, CLOSE_ANGLES)
            likeness[print_] = (_facing(ball, close) @ prints[print_]).max()
        best: dict[int, float] = {}
        for place, like in zip(kept, likeness, strict=True):
            number = self.numbers[place]
            best[number] = max(best.get(number, -1.0), float(like))
        return _ranked(best)

    def itself(self, pictures: Iterable[tuple[Picture, Spot, float]]) -> list[Likeness]:
        """Compare each of its own pictures, in their order, with all the others."""
        return [
            self.compare(picture, spot, angle=angle, without=frozenset([place]))
            for place, (picture, spot, angle) in enumerate(pictures)
        ]


def _ranked(best: Mapping[int, float]) -> Likeness:
    order = sorted(best, key=lambda number: -best[number])
    if len(order) == 1:
        return Likeness(order[0], best[order[0]], None, 0.0)
    return Likeness(order[0], best[order[0]], order[1], best[order[1]])


def _about(pose: Pose, shifts: tuple[float, ...], angles: tuple[float, ...]) -> list[Pose]:
    x, y, angle = pose
    return [
        (x + right, y + down, angle + turn)
        for right in shifts
        for down in shifts
        for turn in angles
    ]


def _ball(picture: Picture, spot: Spot) -> Reals:
    """Return a ball (SIDE, SIDE), grey, its light evened out: strokes are what is left."""
    scale = RADIUS / spot.radius
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    x, y = spot.centre
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        x, y, scale = (x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5, 1.0
    middle = (SIDE - 1) / 2
    move = np.array([[scale, 0, middle - x * scale], [0, scale, middle - y * scale]])
    ball = cv2.warpAffine(grey, move, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    inside = _disc()
    level = ball.astype(np.float32)
    within = level[inside > 0]
    level = (level - within.mean()) / (within.std() + 4.0) * inside
    light = cv2.GaussianBlur(level, (0, 0), STROKE)
    cover = cv2.GaussianBlur(inside, (0, 0), STROKE)
    strokes = (level - light / np.maximum(cover, 1e-3)) * inside
    return np.asarray(np.clip(strokes, -DEEPEST, DEEPEST), np.float32)


def _ink(ball: Reals) -> tuple[float, float]:
    """Return the middle of the ink that faces the viewer most, across and down in radii."""
    ink = cv2.GaussianBlur(ball**2, (0, 0), RADIUS * REACH / 2)
    across, down = _grid(SIDE, (SIDE - 1) / 2 / RADIUS)
    far = np.hypot(across, down)
    # What stands at the edge is seen small; it is not the print that was read.
    ink = ink * np.where(far <= FAR, 1.0 - 0.5 * far, 0.0)
    _low, _high, _where, (x, y) = cv2.minMaxLoc(ink)
    return float(across[y, x]), float(down[y, x])


def _facing(ball: Reals, poses: list[Pose]) -> Reals:
    """Return the ball (n, CORE * CORE) with what stands at each pose turned to the viewer, upright.

    Each is flat, of mean 0 and length 1.
    """
    right, down = _grid(CORE, REACH)
    out = np.sqrt(1 - right**2 - down**2)
    seen = np.stack([right.ravel(), down.ravel(), out.ravel()])
    turns = np.stack([_turn(pose) for pose in poses]).astype(np.float32)
    x, y = (turns[:, :2] @ seen).transpose(1, 0, 2) * RADIUS + (SIDE - 1) / 2
    shown = cv2.remap(ball, x, y, cv2.INTER_LINEAR, borderValue=0.0)
    shown = shown - shown.mean(axis=1, keepdims=True)
    length = np.linalg.norm(shown, axis=1, keepdims=True)
    return np.asarray(shown / np.maximum(length, 1e-3), np.float32)


def _turn(pose: Pose) -> Reals:
    """Return the rotation (3, 3) from an upright print that faces the viewer to one at this pose."""
    x, y, angle = pose
    far = min(float(np.hypot(x, y)), 0.95)
    towards, off, roll = np.arctan2(y, x), np.arcsin(far), np.radians(angle)
    axis = np.array([-np.sin(towards), np.cos(towards), 0.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    tilt = np.eye(3) + np.sin(off) * cross + (1 - np.cos(off)) * cross @ cross
    cos, sin = np.cos(roll), np.sin(roll)
    return np.asarray(tilt @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]), np.float32)


@lru_cache(maxsize=4)
def _grid(side: int, reach: float) -> tuple[Reals, Reals]:
    line = np.linspace(-reach, reach, side, dtype=np.float32)
    across, down = np.meshgrid(line, line)
    return across, down


@lru_cache(maxsize=1)
def _disc() -> Reals:
    across, down = _grid(SIDE, (SIDE - 1) / 2 / RADIUS)
    return np.asarray(np.hypot(across, down) <= INSIDE, np.float32)
