"""Tell what bears a number and is no ball: a drawing, a sheet of paper, a ball in a mirror.

A drawing is told from a photograph by its missing grain, and by its missing shade: a camera gives no
two pixels side by side quite alike, and no lamp lights a ball evenly. Compression, softness and noise
give a drawing grain, but no shade. Paper goes on where a ball would end. Asked of single pictures
alone, which may show anything.
"""

from __future__ import annotations

import math
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.finding import grey
from draws.balls.vision.values import Picture, Spot
from draws.balls.vision.watching import BallReader

DRAWN, FLAT, MIRRORED = "no_photograph", "flat", "mirrored"


def lookalike(picture: Picture, spot: Spot, eye: BallReader) -> str:
    """Return the reason why a number that was read there may not be announced, or nothing."""
    if is_flat(picture, spot):
        return FLAT
    return MIRRORED if is_mirrored(picture, spot, eye) else ""


CLEARER = 0.1  # sureness by which the mirror image of a mirrored ball is read more surely


def is_mirrored(picture: Picture, spot: Spot, eye: BallReader) -> bool:
    """Return whether the second look reads the mirror image more surely than the picture."""
    turned_over = np.ascontiguousarray(picture[:, ::-1])
    across = picture.shape[1] - 1 - spot.x
    here, there = (
        min(
            (glance.confidence for glance in eye.look_closely(
                shown, centre=centre, radius=spot.radius,
                first=eye.look(shown, centre=centre, radius=spot.radius),
            )),
            default=0.0,
        )
        for shown, centre in ((picture, spot.centre), (turned_over, (across, spot.y)))
    )  # fmt: skip
    return there > here + CLEARER


OFF = 8.0  # levels by which what is no more of the same paper differs from it
ELSEWHERE = 0.12  # of what lies about the rim, how much does so beside any ball
STROKE = 9  # pixels of the working size under which what is dark, or light, is print
PRINTS = cv2.MORPH_CLOSE, cv2.MORPH_OPEN  # which take away dark print, and light
ABOUT = 0.85, 1.25  # ball radii from the middle between which rim and surroundings lie
PAPER = 20.0, 12.0  # levels off the commonest, then off the plane found, of what is of one paper
ROUNDS, FEWEST_PIXELS = 4, 30


def is_flat(picture: Picture, spot: Spot) -> bool:
    """Return whether the ground of the number goes on, as evenly lit, where a ball would end.

    The number may be darker or lighter than its paper.
    """
    return min(map(partial(_share_elsewhere, picture, spot), PRINTS)) < ELSEWHERE


def _share_elsewhere(picture: Picture, spot: Spot, without: int) -> float:
    """Return how much of what lies about the rim is not of the ground, `without` its print."""
    plane, across, down = _reduced(grey(picture), spot)
    scale = plane.shape[0] / picture.shape[0]
    size = (plane.shape[1], plane.shape[0])
    small = picture if scale == 1 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    bare = cv2.morphologyEx(
        cv2.medianBlur(small, 3), without, np.ones((STROKE, STROKE), np.uint8)
    ).astype(np.float32)
    far = np.hypot(across, down)
    inside = far < ABOUT[0]
    levels = bare.mean(axis=2)
    often = np.convolve(np.bincount(levels[inside].astype(int), minlength=256), np.ones(17), "same")
    used = inside & (np.abs(levels - int(often.argmax())) < PAPER[0])
    # A lamp lights a sheet of paper as a plane.
    lit = np.stack([np.ones_like(across), across, down], axis=-1)
    off = np.full(far.shape, np.inf)
    for _round in range(ROUNDS):
        if used.sum() < FEWEST_PIXELS:
            return 1.0
        slope = np.linalg.lstsq(lit[used], bare[used], rcond=None)[0]
        off = np.abs(bare - lit @ slope).max(axis=2)
        used = inside & (off < PAPER[1])
    beyond = (far > ABOUT[0]) & (np.maximum(np.abs(across), np.abs(down)) < ABOUT[1])
    return float((off[beyond] > OFF).mean()) if beyond.any() else 1.0


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
    shown = [soft[ground & (cells == cell)] for cell in range(CELLS**2)]
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
