"""What stands between a ball and its picture: air, glass, focus, movement, light, the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Lens:
    """How one camera sees at one moment.

    `blur` and `motion` in pixels, `light` a factor, `tint` one per channel, `grain` in levels,
    `glare` from 0 to 1, `quality` of the JPEG (0: none).
    """

    blur: float = 0.0
    motion: float = 0.0
    motion_angle: float = 0.0
    light: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    grain: float = 2.0
    glare: float = 0.0
    quality: int = 0


def random_lens(rng: np.random.Generator, *, size: int) -> Lens:
    """Give a camera that there might be, for pictures whose ball is `size` pixels wide."""
    return Lens(
        blur=float(rng.choice([0.0, rng.uniform(0, 0.02), rng.uniform(0, 0.032)]) * size),
        motion=float(rng.choice([0.0, 0.0, 0.0, float(rng.uniform(0, 0.08))]) * size),
        motion_angle=float(rng.uniform(0, 180)),
        light=float(rng.choice([1.0, rng.uniform(0.3, 1.5)])),
        tint=_tint(rng),
        grain=float(rng.choice([1.0, rng.uniform(0, 12)])),
        glare=float(rng.choice([0.0, 0.0, rng.uniform(0, 1)])),
        quality=int(rng.choice([0, int(rng.integers(25, 95))])),
    )


def _tint(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = (float(one) for one in rng.uniform(0.8, 1.2, 3))
    return blue, green, red


def through(picture: Picture, lens: Lens, rng: np.random.Generator) -> Picture:
    """Give the picture (h, w, 3) as this camera takes it."""
    seen: NDArray[Any] = picture.astype(np.float32)
    if lens.motion > 1:
        seen = cv2.filter2D(seen, -1, _smear(lens))
    if lens.blur > 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), lens.blur)
    seen *= np.asarray(lens.tint, np.float32) * np.float32(lens.light)
    if lens.glare > 0:
        seen += _glare(seen.shape[:2], lens.glare, rng)[..., None]
    if lens.grain > 0:
        seen += rng.standard_normal(seen.shape, np.float32) * np.float32(lens.grain)
    taken = np.clip(seen, 0, 255).astype(np.uint8)
    return as_file(taken, lens.quality) if lens.quality else taken


def as_file(picture: Picture, quality: int) -> Picture:
    """Give a picture as it comes back out of a JPEG file."""
    _done, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def _smear(lens: Lens) -> NDArray[np.float32]:
    size = 2 * int(lens.motion / 2) + 1
    line = np.zeros((size, size), np.float32)
    line[size // 2] = 1
    turned = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), lens.motion_angle, 1)
    line = np.asarray(cv2.warpAffine(line, turned, (size, size)), np.float32)
    return line / max(float(line.sum()), 1e-6)


def _glare(
    shape: tuple[int, int], strength: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Give the reflections of one or two lamps in the glass before the ball."""
    height, width = shape
    layer = np.zeros(shape, np.float32)
    for _lamp in range(int(rng.integers(1, 3))):
        middle = (int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.9) * height))
        axes = tuple(max(1, int(rng.uniform(0.03, 0.16) * width)) for _side in range(2))
        cv2.ellipse(layer, middle, axes, rng.uniform(0, 180), 0, 360, 255.0 * strength, -1)
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.02 * width, 0.5)), np.float32)
