"""Balls as a camera takes them: rendered, each with a picture of its own."""

from __future__ import annotations

import numpy as np

from draws.balls.vision import jpeg_pictures
from draws.balls.vision.rendering.ball import paint
from draws.balls.vision.rendering.style import facing, random_style, unseen_fonts

SIZE, BALL = 320, 250  # pixels
NIGHT = (34, 30, 28)


def photograph(number: int | None) -> bytes:
    """Return the JPEG of a ball that lies in a dark exit; the same ball looks the same each time."""
    rng = np.random.default_rng([2017, number or 0])
    style = random_style(np.random.default_rng(7), unseen_fonts())
    ball, cover = paint(style, number, rotation=facing(rng, 12.0), size=BALL, rng=rng)
    frame = np.full((SIZE, SIZE, 3), NIGHT, np.uint8)
    place = slice((SIZE - BALL) // 2, (SIZE + BALL) // 2)
    under = frame[place, place].astype(np.float32)
    share = cover[..., None]
    frame[place, place] = np.asarray(under * (1 - share) + ball * share, np.uint8)
    return jpeg_pictures.whole(frame)
