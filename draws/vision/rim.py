"""The rim of a ball: how much of a circle is edge, and where the circle that fits it lies."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from draws.vision.values import Picture, Reals

RAYS = 48
REACH = np.linspace(0.8, 1.2, 17).astype(np.float32)  # radii at which a ray is looked at
TURNS = np.arange(RAYS) * (2 * np.pi / RAYS)
RIGHT, DOWN = np.cos(TURNS).astype(np.float32), np.sin(TURNS).astype(np.float32)
EDGE = 6.0  # grey levels a pixel, the least step that is an edge
NEAR = 0.07  # radii an edge may lie off the fitted circle


@dataclass(frozen=True, slots=True)
class Rim:
    """A circle in pixels and the share of it, 0 to 1, that is edge."""

    x: float
    y: float
    radius: float
    share: float


def fit(plane: Picture, x: float, y: float, radius: float, *, edge: float = EDGE) -> Rim:
    """Lay the circle near x, y over the edges that face its middle; plane is (height, width).

    `edge` in levels a pixel: a lesser step is none.
    """
    levels = _rays(plane, x, y, radius)
    steps = np.abs(levels[:, 2:] - levels[:, :-2]) / (2 * radius * float(REACH[1] - REACH[0]))
    best = steps.argmax(axis=1)
    strong = steps[np.arange(RAYS), best] > edge
    if strong.sum() < RAYS // 4:
        return Rim(x, y, radius, float(strong.mean()))
    found = REACH[1:-1][best] * radius
    at_x, at_y = RIGHT * found, DOWN * found
    shift_x, shift_y, size = _circle(at_x, at_y, strong, radius)
    off = np.abs(np.hypot(at_x - shift_x, at_y - shift_y) - size)
    share = float((strong & (off < NEAR * radius)).mean())
    return Rim(x + shift_x, y + shift_y, size, share)


def _rays(plane: Picture, x: float, y: float, radius: float) -> Reals:
    at_x = (x + RIGHT[:, None] * REACH * radius).astype(np.float32)
    at_y = (y + DOWN[:, None] * REACH * radius).astype(np.float32)
    seen = cv2.remap(plane, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float32)


def _circle(x: Reals, y: Reals, kept: Reals, radius: float) -> tuple[float, float, float]:
    """Least squares over the rays kept, twice: the second time without those far off."""
    shift_x = shift_y = 0.0
    size = radius
    for limit in (0.2, 0.1):
        off = np.abs(np.hypot(x - shift_x, y - shift_y) - size)
        used = kept & (off < limit * radius)
        if used.sum() < RAYS // 4:
            break
        at = np.stack([x[used], y[used], np.ones(used.sum(), np.float32)], axis=1)
        solved = np.linalg.lstsq(at, x[used] ** 2 + y[used] ** 2, rcond=None)[0]
        shift_x, shift_y = float(solved[0] / 2), float(solved[1] / 2)
        size = float(np.sqrt(max(solved[2] + shift_x**2 + shift_y**2, 1.0)))
    return shift_x, shift_y, size
