"""Compare two prints of balls: turned to face the viewer, upright, with the light evened.

A ball's radius is known, so that two prints of one set are of one size: they are compared at the
same reach, only turned and shifted a little against each other.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from draws.balls.vision import facing
from draws.balls.vision.facing import NumberPlace
from draws.balls.vision.values import Picture, Reals, Spot

CORE, WHOLE = 28, 44  # pixels of a side: of what is compared, and of what is taken to shift it in
EDGES, HALF_EDGE = (
    WHOLE - CORE,
    (WHOLE - CORE) // 4,
)  # from the rim to the core, in the steps it is shifted by
SOFT = 4.0  # pixels over which light is taken to be even
DEEPEST = 2.0  # deviations: a rim or a highlight counts no more than a stroke
FAINT = 2.0  # grey levels of deviation that are no print
INSIDE, SEEN = 0.9, 0.12  # of a ball: squared radii, and how far outward what is seen must face
# In heights of the digits: caps, rings and letters are the same on all balls, and tell none apart.
ACROSS, DOWN, FOOT, THICK, EDGE = 0.78, 0.6, 0.8, 0.18, 0.12
UNDER = 0.3  # how much the foot of a number counts, where its mark is
TURNS = (-16, -8, 0, 8, 16)  # degrees at which a print is first compared
STEPS = (-2, -1, 0, 1, 2)  # pixels of half the size, likewise
# Levels between which light takes print away, and pixels over which it is looked at.
BRIGHT, BLINDING, GLOW = 215.0, 235.0, 1.5
HALF = 0.5
CLOSER = ((4, 2), (2, 1))  # degrees and half pixels of the steps that follow

Pose = tuple[int, int, int]  # degrees, half pixels across, half pixels down
UNMOVED: Pose = (0, 0, 0)
NOTHING: Reals = np.zeros((0, 0), np.float32)


class Relief:
    """What stands at a place of a ball; strokes are what differs from round about."""

    def __init__(self, plane: Reals) -> None:
        """Keep the plane (WHOLE, WHOLE)."""
        self._plane = plane
        self._windows: dict[int, Reals] = {}
        self._half: dict[int, Reals] = {}

    def core(self) -> Reals:
        """Return its middle (CORE * CORE,), ready to be compared."""
        return np.asarray(weighed(self.plain()[None])[0])

    def coarse(self) -> Reals:
        """Return the same of half the size."""
        return np.asarray(weighed(self.plain(half=True)[None])[0])

    def plain(self, *, half: bool = False) -> Reals:
        """Return its middle as it is, or of half the size."""
        middle = self._halved(0)[HALF_EDGE, HALF_EDGE] if half else self._turned(0)[EDGES, EDGES]
        return np.asarray(middle.ravel())

    def roughly(self) -> tuple[Reals, list[Pose]]:
        """Return it of half the size at all the poses that it is first compared at."""
        rows, poses = self.about()
        return weighed(rows), poses

    def about(self) -> tuple[Reals, list[Pose]]:
        """Return the same as it is."""
        near = slice(HALF_EDGE + STEPS[0], HALF_EDGE + STEPS[-1] + 1)
        rows = [self._halved(angle)[near, near].reshape(len(STEPS) ** 2, -1) for angle in TURNS]
        poses = [
            (angle, 4 * across, 4 * down) for angle in TURNS for down in STEPS for across in STEPS
        ]
        return np.concatenate(rows), poses

    def near(self, pose: Pose, turn: int, shift: int) -> tuple[Reals, list[Pose]]:
        """Return it as it is at the poses a little off this one."""
        angle, across, down = pose
        top, left = (
            slice(EDGES + middle - shift, EDGES + middle + shift + 1, shift)
            for middle in (down, across)
        )
        angles = (angle - turn, angle, angle + turn)
        rows = [self._turned(each)[top, left].reshape(9, -1) for each in angles]
        return np.concatenate(rows), _about(pose, turn, shift)

    def closest(self, core: Reals, pose: Pose = UNMOVED) -> float:
        """Return how like it is to another's core, from -1 to 1, at the best pose near this one."""
        best = -1.0
        for turn, shift in CLOSER:
            rows, poses = self.near(pose, turn, shift)
            fits = np.einsum("ij,j->i", weighed(rows), core)
            best = max(best, float(fits.max()))
            pose = poses[int(fits.argmax())]
        return best

    def _turned(self, angle: int) -> Reals:
        """Return what it shows turned back by an angle, by the half pixels down and across.

        (n, n, CORE, CORE), a view: at [EDGES, EDGES] its middle.
        """
        if angle not in self._windows:
            side = 2 * CORE - 1
            self._windows[angle] = sliding_window_view(self._twice(angle), (side, side))[
                :, :, ::2, ::2
            ]
        return self._windows[angle]

    def _halved(self, angle: int) -> Reals:
        """Return the same of half the size, by double pixels: at [HALF_EDGE, HALF_EDGE] its middle."""
        if angle not in self._half:
            small = self._twice(angle)[::2, ::2]
            half = cv2.resize(small, (WHOLE // 2, WHOLE // 2), interpolation=cv2.INTER_AREA)
            side = CORE // 2
            self._half[angle] = sliding_window_view(np.asarray(half, np.float32), (side, side))
        return self._half[angle]

    def _twice(self, angle: int) -> Reals:
        """Return it turned back by an angle, of twice the size."""
        middle = (WHOLE - 1) / 2
        back = 2 * cv2.getRotationMatrix2D((middle, middle), angle, 1.0)
        return np.asarray(cv2.warpAffine(self._plane, back, (2 * WHOLE, 2 * WHOLE)), np.float32)


def relief(picture: Picture, place: NumberPlace, spot: Spot, *, reach: float) -> Relief:
    """Return what stands at a place of a picture (h, w, 3); `spot` in its pixels.

    `reach` in ball radii from the middle to the edge of the inner CORE pixels.
    """
    level, ball = _turned_to(picture, place, spot, reach)
    return _relief(level, ball)


def unwashed(
    picture: Picture, place: NumberPlace, spot: Spot, *, reach: float
) -> tuple[Relief, Relief]:
    """Return the same without what light may have washed out, and how much of it is left, 0 to 1."""
    level, ball = _turned_to(picture, place, spot, reach)
    left = np.asarray(1 - _washed(level, ball), np.float32)
    return _relief(level, np.asarray(ball * left, np.float32)), Relief(left)


def _turned_to(
    picture: Picture, place: NumberPlace, spot: Spot, reach: float
) -> tuple[Reals, Reals]:
    """Return the colours round a place (WHOLE, WHOLE, 3), and where they are of the ball, 0 or 1."""
    wide = reach * WHOLE / CORE
    line = (np.arange(WHOLE) + 0.5) * 2 * wide / WHOLE - wide
    across, down = np.meshgrid(line, line)
    far = across**2 + down**2
    out = np.sqrt(np.clip(1 - far, 0.0, None))
    seen = np.stack([across, down, out], axis=-1) @ facing.frame(place).T
    x = (seen[..., 0] * spot.radius + spot.x).astype(np.float32)
    y = (seen[..., 1] * spot.radius + spot.y).astype(np.float32)
    step = 2 * wide * spot.radius / WHOLE  # pixels of the picture to one of these
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 * step) if step >= 1.6 else picture
    shown = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ball = ((far < INSIDE) & (seen[..., 2] > SEEN)).astype(np.float32)
    return shown.astype(np.float32), ball


def _relief(level: Reals, ball: Reals) -> Relief:
    return Relief(_evened(np.asarray(level @ _axis(level, ball), np.float32), ball))


def _washed(level: Reals, ball: Reals) -> Reals:
    """Return where all colours are so bright that print could hardly be seen, 0 to 1."""
    darkest = np.asarray(level.min(axis=2) * ball, np.float32)
    cover = cv2.GaussianBlur(ball, (0, 0), GLOW) + 1e-3
    light = cv2.GaussianBlur(darkest, (0, 0), GLOW) / cover
    return np.asarray(np.clip((light - BRIGHT) / (BLINDING - BRIGHT), 0, 1), np.float32)


def weighed(rows: Reals) -> Reals:
    """Return reliefs (n, side * side) such that the product of two is their likeness."""
    weight, root = _weight(round(rows.shape[1] ** 0.5))
    rows = np.asarray((rows - np.einsum("ij,j->i", rows, weight)[:, None]) * root, np.float32)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.maximum(length, 1e-3)[:, None], np.float32)


def likeness(rows: Reals, others: Reals) -> Reals:
    """Return how like each of some weighed reliefs is to each of others (n, m), from -1 to 1."""
    # On one core: NumPy's own product of this size starts threads, which cost more than they save.
    return np.asarray(cv2.gemm(rows, others, 1.0, NOTHING, 0.0, flags=cv2.GEMM_2_T), np.float32)


def likeness_of_left(rows: Reals, left: Reals, others: Reals) -> Reals:
    """Return likewise (n, m) how like reliefs as they are are to others, by what is left of each.

    -1 where less than half of what counts is left.
    """
    seen = np.asarray(left * _weight(round(rows.shape[1] ** 0.5))[0], np.float32)
    whole = np.maximum(seen.sum(axis=1, keepdims=True), 1e-3)
    value = np.asarray(seen * rows, np.float32)
    mine = value.sum(axis=1, keepdims=True) / whole
    own = (value * rows).sum(axis=1, keepdims=True) / whole - mine**2
    theirs = likeness(seen, others) / whole
    other = likeness(seen, np.asarray(others**2, np.float32)) / whole - theirs**2
    both = likeness(value, others) / whole - mine * theirs
    fits = both / np.sqrt(np.maximum(own, 1e-4) * np.maximum(other, 1e-4))
    return np.asarray(np.where(whole >= HALF, fits, -1.0), np.float32)


def _about(pose: Pose, turn: int, shift: int) -> list[Pose]:
    angle, across, down = pose
    return [
        (angle + more, across + right, down + lower)
        for more in (-turn, 0, turn)
        for lower in (-shift, 0, shift)
        for right in (-shift, 0, shift)
    ]


def _axis(level: Reals, ball: Reals) -> Reals:
    """Return the line (3,) of colours along which near pixels of a ball differ most, towards light."""
    across = (level[:, 2:] - level[:, :-2]) * (ball[:, 2:] * ball[:, :-2])[..., None]
    down = (level[2:] - level[:-2]) * (ball[2:] * ball[:-2])[..., None]
    steps = np.concatenate([across.reshape(-1, 3), down.reshape(-1, 3)])
    axis = np.linalg.eigh(steps.T @ steps)[1][:, 2]
    return np.asarray(axis if axis.sum() >= 0 else -axis, np.float32)


def _evened(level: Reals, ball: Reals) -> Reals:
    cover = cv2.GaussianBlur(ball, (0, 0), SOFT) + 1e-3
    light = cv2.GaussianBlur(level * ball, (0, 0), SOFT) / cover
    strokes = (level - light) * ball
    spread = float(np.sqrt((strokes**2).sum() / max(1.0, float(ball.sum()))))
    return np.asarray(np.clip(strokes / (spread + FAINT), -DEEPEST, DEEPEST), np.float32)


@lru_cache(maxsize=2)
def _weight(side: int) -> tuple[Reals, Reals]:
    """Return how much each pixel counts, (side * side,): as shares of all, and its root."""
    line = ((np.arange(side) + 0.5) * 2 / side - 1).astype(np.float32)
    across, down = (np.asarray(each, np.float32) for each in np.meshgrid(line, line))
    digits = _within(down, 0.0, DOWN)
    foot = UNDER * _within(down, FOOT, THICK)
    weight = (_within(across, 0.0, ACROSS) * np.maximum(digits, foot)).ravel()
    return np.asarray(weight / weight.sum(), np.float32), np.asarray(np.sqrt(weight), np.float32)


def _within(line: Reals, middle: float, reach: float) -> Reals:
    """Return 1 within reach of the middle and 0 beyond it, softly."""
    return np.asarray(np.clip(0.5 - (np.abs(line - middle) - reach) / EDGE, 0, 1), np.float32)
