"""Render a coin: round, with a number that stands out of the metal and is no print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from draws.balls.vision.values import Picture

METALS = (
    (60, 140, 190),
    (170, 175, 180),
    (70, 100, 160),
)  # brass, nickel, copper as blue, green, red


def paint(
    rng: np.random.Generator, fonts: Sequence[Path], *, size: int, words: Sequence[str]
) -> Picture:
    """Return a coin filling a square of `size` pixels, light on one side of its strokes: (size, size, 3)."""
    raised = Image.new("L", (size, size), 0)
    pen = ImageDraw.Draw(raised)
    middle = size / 2
    font = _font(rng, fonts, size * rng.uniform(0.26, 0.57))
    at = (middle + rng.uniform(-0.07, 0.07) * size, middle + rng.uniform(-0.07, 0.07) * size)
    pen.text(at, str(int(rng.integers(1, 100))), font=font, fill=255, anchor="mm")
    pen.circle((middle, middle), middle * rng.uniform(0.86, 0.97), outline=200, width=2)
    below = (middle, middle * 1.65)
    pen.text(
        below, str(rng.choice(words)), font=_font(rng, fonts, size * 0.11), fill=200, anchor="mm"
    )
    turned = raised.rotate(float(rng.uniform(0, 360)), Image.Resampling.BILINEAR)
    high = cv2.GaussianBlur(np.asarray(turned, np.float32), (0, 0), rng.uniform(0.6, 1.4))
    lit = rng.uniform(0, 2 * math.pi)
    slope = cv2.Sobel(high, cv2.CV_32F, 1, 0) * math.cos(lit)
    slope += cv2.Sobel(high, cv2.CV_32F, 0, 1) * math.sin(lit)
    metal = np.asarray(METALS[int(rng.integers(len(METALS)))], np.float32) * rng.uniform(0.6, 1.2)
    shade = 1 + slope * rng.uniform(0.0006, 0.0018) + rng.normal(0, 0.03, (size, size))
    return np.asarray(np.clip(metal * shade[..., None], 0, 255), np.uint8)


def _font(rng: np.random.Generator, fonts: Sequence[Path], size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(fonts[int(rng.integers(len(fonts)))]), max(6, round(size)))
