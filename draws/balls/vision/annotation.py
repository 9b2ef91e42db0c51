"""Draw onto a picture what was read on it: each ball's circle, which way its number stands, the guesses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from draws.balls.vision.images import NO_BALL, FoundBall
from draws.balls.vision.values import Picture

READ, ASKED, EDGE = (90, 200, 60), (40, 160, 250), (20, 20, 20)  # blue, green, red
WIDEST = 1280  # pixels of what is drawn on
SHOWN = 3  # guesses
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(picture: Picture, found: Sequence[FoundBall]) -> Picture:
    """Return a copy, of at most WIDEST pixels a side, with a circle and the guesses at each ball."""
    scale = min(1.0, WIDEST / max(picture.shape[:2]))
    drawn = np.ascontiguousarray(
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if scale < 1
        else picture.copy()
    )
    # A small picture has no room for words.
    if max(drawn.shape[:2]) < WIDEST // 3:
        up = WIDEST // 3 / max(drawn.shape[:2])
        drawn = np.ascontiguousarray(cv2.resize(drawn, None, fx=up, fy=up))
        scale *= up
    for ball in found:
        if ball.reading.reason == NO_BALL:
            continue
        _draw(np.asarray(drawn, np.uint8), ball, scale)
    return np.asarray(drawn, np.uint8)


def write(path: Path, picture: Picture) -> None:
    """Write a picture into a file, as its name ends. Raises OSError."""
    try:
        written = cv2.imwrite(str(path), picture)
    except cv2.error as error:
        raise OSError(path) from error
    if not written:
        raise OSError(path)


def _draw(drawn: Picture, ball: FoundBall, scale: float) -> None:
    reading = ball.reading
    colour = ASKED if reading.number is None else READ
    x, y, radius = (round(each * scale) for each in (*ball.spot.centre, ball.spot.radius))
    thick = max(1, round(max(drawn.shape[:2]) / 320))
    for width, ink in ((thick * 3, EDGE), (thick, colour)):
        cv2.circle(drawn, (x, y), radius, ink, width, cv2.LINE_AA)
        if reading.candidates:
            up = math.radians(ball.angle - 90)
            foot = (
                round(x + 0.72 * radius * math.cos(up)),
                round(y + 0.72 * radius * math.sin(up)),
            )
            head = (round(x + 1.0 * radius * math.cos(up)), round(y + 1.0 * radius * math.sin(up)))
            cv2.arrowedLine(drawn, foot, head, ink, width, cv2.LINE_AA, tipLength=0.5)
    words = [f"{number} {share:.0%}" for number, share in reading.candidates[:SHOWN]]
    _write(drawn, words if reading.number is not None else ["?", *words], (x, y + radius), colour)


def _write(
    drawn: Picture, lines: Sequence[str], foot: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    """Write lines under a ball, or over its foot where the picture ends there."""
    size = max(drawn.shape[:2]) / 900
    high = round(30 * size)
    top = min(foot[1] + high, drawn.shape[0] - high * len(lines) + high // 2)
    for row, line in enumerate(lines):
        (wide, _tall), _base = cv2.getTextSize(line, FONT, size, 1)
        left = min(max(0, foot[0] - wide // 2), max(0, drawn.shape[1] - wide))
        for width, ink in ((max(3, round(5 * size)), EDGE), (max(1, round(1.6 * size)), colour)):
            cv2.putText(drawn, line, (left, top + row * high), FONT, size, ink, width, cv2.LINE_AA)
