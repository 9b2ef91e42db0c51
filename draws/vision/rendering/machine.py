"""The extractor that the camera looks at: its front, bowl, chute and cup, as one still picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from draws.vision.values import Picture

CUP = 1.6  # ball radii
FLAP = 1.75  # radii below the cup's middle where the front hides a ball that falls
MOUTH = 2.7  # radii to the right of it where the chute comes out of the front


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things are, in pixels: the cup's middle, a ball's radius, bowl and lamp if any."""

    size: tuple[int, int]
    cup: tuple[int, int]
    radius: float
    bowl: tuple[int, int, int] | None
    lamp: tuple[int, int, int]


def plan(size: tuple[int, int], radius: float | None = None) -> Plan:
    """Lay a machine out for frames of this width and height."""
    wide, high = size
    ball = radius or high * 0.09
    close = ball * 8 > wide * 0.75
    cup = (wide // 2, high // 2) if close else (round(wide * 0.66), round(high * 0.58))
    bowl = None if close else (round(wide * 0.27), round(high * 0.45), round(high * 0.36))
    lamp_size = max(3, round(high * 0.016))
    lamp = (wide - 4 * lamp_size, 4 * lamp_size, lamp_size)
    return Plan(size, cup, ball, bowl, lamp)


def front(plan: Plan, rng: np.random.Generator) -> Picture:
    """Draw the front of the machine with an empty cup."""
    wide, high = plan.size
    tint = rng.integers(70, 150, 3)
    slope = np.linspace(1.15, 0.8, high)[:, None, None]
    drawn = np.clip(np.full((high, wide, 3), tint) * slope, 0, 255).astype(np.uint8)
    drawn = _textured(drawn, rng)
    _fittings(drawn, plan, rng)
    _chute(drawn, plan)
    _cup(drawn, plan, rng)
    if plan.bowl:
        _bowl(drawn, plan.bowl)
    return drawn


def _textured(drawn: Picture, rng: np.random.Generator) -> Picture:
    high, wide = drawn.shape[:2]
    coarse = rng.normal(0, 9, (max(2, high // 6), max(2, wide // 6), 1)).astype(np.float32)
    grain = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(drawn + grain[..., None], 0, 255), np.uint8)


def _fittings(drawn: Picture, plan: Plan, rng: np.random.Generator) -> None:
    """Put panels, bolts, slots and writing on the front."""
    wide, high = plan.size
    step = max(40, high // 5)
    for x in range(step // 2, wide, step):
        for y in range(step // 2, high, step):
            shade = int(rng.integers(30, 200))
            cv2.circle(drawn, (x, y), max(2, high // 90), (shade, shade, shade), -1, cv2.LINE_AA)
            corner = (x - step // 3, y + step // 4)
            end = (corner[0] + int(rng.integers(step // 4, step // 2)), corner[1] + step // 14)
            cv2.rectangle(drawn, corner, end, (shade // 2, shade // 2, shade // 2), -1)
    for at in (high // 3, 2 * high // 3):
        cv2.line(drawn, (0, at), (wide, at), (40, 40, 40), max(1, high // 240))
    scale, thick = high / 500, max(1, high // 300)
    for text, place in (
        ("BINGO", (wide // 24, high - high // 30)),
        ("30-75-90", (wide // 2, high // 9)),
    ):
        cv2.putText(
            drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (225, 225, 225), thick, cv2.LINE_AA
        )


def _chute(drawn: Picture, plan: Plan) -> None:
    x, y = plan.cup
    reach, half = round(MOUTH * plan.radius), round(plan.radius * 1.25)
    cv2.rectangle(drawn, (x, y - half), (x + reach, y + half), (62, 60, 58), -1)
    cv2.line(drawn, (x, y + half), (x + reach, y + half), (120, 120, 120), 2)


def _cup(drawn: Picture, plan: Plan, rng: np.random.Generator) -> None:
    x, y = plan.cup
    size = round(CUP * plan.radius)
    base = int(rng.integers(25, 75))
    for part in range(6):
        shade = base + part * 6
        cv2.circle(drawn, (x, y), round(size * (1 - part / 7)), (shade, shade + 2, shade + 4), -1)
    cv2.circle(drawn, (x, y), size, (170, 175, 178), max(1, size // 18), cv2.LINE_AA)


def _bowl(drawn: Picture, bowl: tuple[int, int, int]) -> None:
    x, y, size = bowl
    glass = drawn.copy()
    cv2.circle(glass, (x, y), size, (175, 170, 160), -1)
    cv2.addWeighted(glass, 0.45, drawn, 0.55, 0, dst=drawn)
    cv2.circle(drawn, (x, y), size, (215, 215, 215), max(1, size // 40), cv2.LINE_AA)
