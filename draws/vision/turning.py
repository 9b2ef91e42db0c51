"""A ball as the locator is shown it: cut out, turned, its light evened out."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

SIDE = 48  # pixels of what the locator sees
RADIUS = 22.0  # pixels of the ball in it


def turned(
    picture: Picture, angles: NDArray[np.float64], *, centre: tuple[float, float], radius: float
) -> NDArray[np.float32]:
    """Give a ball (n, 3, SIDE, SIDE) turned back by each of n angles, its light evened out.

    `centre`, `radius` and `angles` as for `cut`.
    """
    return evened(cut(picture, angles, centre=centre, radius=radius))


def cut(
    picture: Picture, angles: NDArray[np.float64], *, centre: tuple[float, float], radius: float
) -> NDArray[np.uint8]:
    """Give a ball (n, SIDE, SIDE, 3) turned back by each of n angles.

    `centre` and `radius` in pixels of the picture (h, w, 3); `angles` in degrees clockwise.
    """
    small, middle, scale = _reduced(picture, centre, radius)
    found = np.empty((len(angles), SIDE, SIDE, 3), np.uint8)
    for shown, angle in zip(found, angles, strict=True):
        # Positive angles of OpenCV turn a picture's content the other way round, which is back.
        turn = cv2.getRotationMatrix2D(middle, angle, RADIUS / scale)
        turn[0, 2] += (SIDE - 1) / 2 - middle[0]
        turn[1, 2] += (SIDE - 1) / 2 - middle[1]
        cv2.warpAffine(small, turn, (SIDE, SIDE), dst=shown, borderMode=cv2.BORDER_REPLICATE)
    return found


def evened(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give (n, 3, SIDE, SIDE) of (n, SIDE, SIDE, 3): mean 0 and deviation 1 within the ball, 0 outside."""
    inside = disc()
    values = pictures.astype(np.float32)
    within = values[:, inside]
    mean = within.mean(axis=(1, 2), keepdims=True)[..., None]
    spread = within.std(axis=(1, 2), keepdims=True)[..., None]
    values = (values - mean) / (spread + 4.0)
    values *= inside[None, ..., None]
    return np.ascontiguousarray(values.transpose(0, 3, 1, 2))


@lru_cache(maxsize=1)
def disc() -> NDArray[np.bool_]:
    """Give (SIDE, SIDE): what is ball."""
    line = np.arange(SIDE) - (SIDE - 1) / 2
    inside: NDArray[np.bool_] = line[:, None] ** 2 + line[None] ** 2 <= (RADIUS + 0.5) ** 2
    return inside


def _reduced(
    picture: Picture, centre: tuple[float, float], radius: float
) -> tuple[Picture, tuple[float, float], float]:
    """Cut the ball out: the picture, the ball's centre in it, and its radius.

    A large one is made small first, so that no thin stroke falls between two pixels.
    """
    reach = int(np.ceil(radius * 1.15))
    left, top = int(centre[0]) - reach, int(centre[1]) - reach
    right, bottom = left + 2 * reach + 1, top + 2 * reach + 1
    height, width = picture.shape[:2]
    cut = picture[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    middle = (centre[0] - max(left, 0), centre[1] - max(top, 0))
    wanted = RADIUS * 1.4
    if radius <= wanted:
        return cut, middle, radius
    scale = wanted / radius
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (middle[0] * scale, middle[1] * scale), radius * scale
