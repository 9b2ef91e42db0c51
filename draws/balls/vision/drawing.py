"""Tell a drawing from a photograph of a ball: by its missing grain, and by its missing shade.

A camera gives no two pixels side by side quite alike, and no lamp lights a ball evenly: its ground
is lighter on one side than on the other. Compression, softness and noise give a drawing grain, but
no shade.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.finding import grey
from draws.balls.vision.values import Picture, Spot

TOLD_FROM = 24.0  # pixels of a ball's radius from which on it can be told
DARK, BLOWN = 8, 247  # levels under and from which a photograph is even too
GRAINLESS = 0.90  # of a ball's pixels, how many may be quite like the one beside them
WORKING = 40.0  # pixels of radius that shade is looked at with
WITHIN = 0.85  # ball radii that are looked at: the rim is soft
NEAR = 20  # levels that the ground's may be off its commonest
GROUND = 0.33  # of a ball, how much must be of one colour for its shade to be told
CELLS, FEWEST = 3, 4  # cells across a ball, and how many of all must show enough of the ground
ENOUGH = 0.015  # of a ball: ground that tells a cell's level
# Levels between the lightest cell and the darkest that a photograph has at least: docs/reading-balls.md.
SHADE = 1.0


def is_drawn(picture: Picture, spot: Spot) -> bool:
    """Return whether what lies there is a drawing; never of what is too small or too bright to tell."""
    if spot.radius < TOLD_FROM:
        return False
    return _is_grainless(picture, spot) or _is_without_shade(picture, spot)


def _is_grainless(picture: Picture, spot: Spot) -> bool:
    reach = spot.radius / math.sqrt(2)
    x, y = spot.centre
    inner = picture[int(y - reach) : int(y + reach) + 1, int(x - reach) : int(x + reach) + 1]
    if min(inner.shape[:2]) < TOLD_FROM:
        return False
    alike = np.asarray(np.abs(np.diff(inner.astype(np.int16), axis=1)).max(axis=2)) == 0
    lit = np.asarray(((inner > DARK) & (inner < BLOWN)).max(axis=2))[:, 1:]
    return bool(lit.mean() > 0.2 and alike[lit].mean() > GRAINLESS)


def _is_without_shade(picture: Picture, spot: Spot) -> bool:
    plane, across, down = _reduced(grey(picture), spot)
    inside = np.hypot(across, down) < WITHIN
    soft = cv2.medianBlur(plane, 5)
    # Noise makes many levels of one: the commonest is where most lie near.
    levels = np.convolve(np.bincount(soft[inside], minlength=256), np.ones(9), "same")
    common = DARK + int(levels[DARK:BLOWN].argmax())
    near = (np.abs(soft.astype(np.int16) - common) < NEAR) & inside
    ground = cv2.erode(near.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    ball = int(inside.sum())
    if not levels[common] or ground.sum() < GROUND * ball:
        return False
    cells = _cell(across) * CELLS + _cell(down)
    shown = [plane[ground & (cells == cell)] for cell in range(CELLS**2)]
    means = [float(one.mean()) for one in shown if len(one) > ENOUGH * ball]
    return len(means) >= FEWEST and max(means) - min(means) < SHADE


def _reduced(
    plane: Picture, spot: Spot
) -> tuple[Picture, NDArray[np.float64], NDArray[np.float64]]:
    """Return a small copy, and how far each pixel lies from the ball's middle, in its radii."""
    scale = min(1.0, WORKING / spot.radius)
    small = plane if scale == 1 else cv2.resize(
        plane, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )  # fmt: skip
    rows, columns = np.indices(small.shape)
    x, y = ((each + 0.5) * scale - 0.5 for each in spot.centre)
    radius = spot.radius * scale
    across, down = np.asarray((columns - x) / radius), np.asarray((rows - y) / radius)
    return np.asarray(small, np.uint8), across, down


def _cell(off: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.clip(((off + WITHIN) / (2 * WITHIN) * CELLS).astype(np.int64), 0, CELLS - 1)
