"""How much of a print light washes out: half an 8 in a lamp's reflection is a 3 to anybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from draws.vision.rendering import ball
from draws.vision.rendering.ball import Light
from draws.vision.rendering.lens import Lens
from draws.vision.rendering.style import Style

Plane = NDArray[np.float32]

FAINT = 0.3  # a contrast, as a part of what most of the print has, that is washed out
USUAL = 75  # the percentile of the contrasts that most of it has
REACH = 0.95  # digits' heights from a print's middle to its farthest corner
ALIKE = 0.3  # of the way from ink to ground up to which a pixel is ink


@dataclass(frozen=True, slots=True)
class Print:
    """A number at one of its places on a ball, (3, 3) as in `rendering.pose`."""

    look: Style
    number: int
    place: NDArray[np.float64]


def washed_out(
    printed: Print,
    bare: Plane,
    light: Light,
    camera: Lens,
    reflected: Plane,
    corner: tuple[int, int],
) -> float:
    """Give the share of a print that light washes out, 0 where it cannot be seen.

    `bare` (size, size, 3) and `light` as the ball was painted, its corner at (left, top) of the
    picture to which lamps add `reflected` (h, w).
    """
    look = printed.look
    ink, ground = (np.asarray(each, np.float32) for each in (look.ink, look.cap or look.body))
    apart = float(np.abs(ink - ground).max())
    down, across = np.nonzero(_ink(printed, bare, ink, apart))
    if not len(down):
        return 0.0
    shade, shine = (each[down, across, None] for each in (light.shade, light.shine))
    below = np.clip(down + corner[1], 0, reflected.shape[0] - 1)
    beside = np.clip(across + corner[0], 0, reflected.shape[1] - 1)
    lamps = reflected[below, beside, None]
    tint = np.asarray(camera.tint, np.float32) * np.float32(camera.light)
    inked, plain = (
        np.clip(np.clip(each * shade + shine, 0, 255) * tint + lamps, 0, 255)
        for each in (ink, ground)
    )
    left = np.abs(inked - plain).max(axis=1) / (apart * shade[:, 0])
    return float((left < FAINT * np.percentile(left, USUAL)).mean())


def _ink(printed: Print, bare: Plane, ink: Plane, apart: float) -> NDArray[np.bool_]:
    """Tell which pixels of a ball are the ink of this print (size, size)."""
    radius = bare.shape[0] / 2
    middle = radius * (1 + printed.place[:2, 2])
    reach = REACH * ball.tallness(printed.look, printed.number) * radius
    down, across = np.indices(bare.shape[:2])
    within = np.hypot(across - middle[0], down - middle[1]) < reach
    return np.asarray(within & (np.abs(bare - ink).max(axis=2) < ALIKE * apart))
