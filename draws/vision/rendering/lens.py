"""What stands between a ball and its picture: air, glass, focus, movement, light, the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

ON_THE_BALL = 0.5  # the share of reflections that are not in the glass before it


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
        glare=float(rng.choice([0.0, rng.uniform(0, 1)])),
        quality=int(rng.choice([0, int(rng.integers(25, 95))])),
    )


def _tint(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = (float(one) for one in rng.uniform(0.8, 1.2, 3))
    return blue, green, red


def reflections(
    shape: tuple[int, int], lens: Lens, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Give the light that lamps add to each pixel of a picture of a ball, in levels (h, w)."""
    if lens.glare <= 0:
        return np.zeros(shape, np.float32)
    return (_spot if rng.random() < ON_THE_BALL else _glass)(shape, lens.glare, rng)


def through(
    picture: Picture, lens: Lens, reflected: NDArray[np.float32], rng: np.random.Generator
) -> Picture:
    """Give the picture (h, w, 3) as this camera takes it, with what lamps add to it (h, w)."""
    seen: NDArray[Any] = picture.astype(np.float32)
    if lens.motion > 1:
        seen = cv2.filter2D(seen, -1, _smear(lens))
    if lens.blur > 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), lens.blur)
    seen *= np.asarray(lens.tint, np.float32) * np.float32(lens.light)
    seen += reflected[..., None]
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


def _spot(shape: tuple[int, int], strength: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Give a lamp's soft reflection on a ball that fills most of the picture."""
    height, width = shape
    turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.38) * width
    x, y = width / 2 + far * np.cos(turn), height / 2 + far * np.sin(turn)
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    size = width * rng.uniform(0.05, 0.14)
    bright = np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * size**2))
    return np.asarray(bright * (100 + 220 * strength), np.float32)


def _glass(
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
