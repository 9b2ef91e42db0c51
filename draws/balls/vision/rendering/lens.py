"""Lens effects on rendered pictures: air, glass, focus, movement, light, compression, and faults.

A fault spoils a picture or a stream on purpose, to prove that the reader and the watch see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.values import Frame, Picture

Rng = np.random.Generator

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


def random_lens(rng: Rng, *, size: int) -> Lens:
    """Return a camera that there might be, for pictures whose ball is `size` pixels wide."""
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


def _tint(rng: Rng) -> tuple[float, float, float]:
    blue, green, red = (float(one) for one in rng.uniform(0.8, 1.2, 3))
    return blue, green, red


def reflections(shape: tuple[int, int], lens: Lens, rng: Rng) -> NDArray[np.float32]:
    """Return the light that lamps add to each pixel of a picture of a ball, in levels (h, w)."""
    if lens.glare <= 0:
        return np.zeros(shape, np.float32)
    return (_spot if rng.random() < ON_THE_BALL else _glass)(shape, lens.glare, rng)


def through(picture: Picture, lens: Lens, reflected: NDArray[np.float32], rng: Rng) -> Picture:
    """Return the picture (h, w, 3) as this camera takes it, with what lamps add to it (h, w)."""
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
    """Return a picture as it comes back out of a JPEG file."""
    _done, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def _smear(lens: Lens) -> NDArray[np.float32]:
    size = 2 * int(lens.motion / 2) + 1
    line = np.zeros((size, size), np.float32)
    line[size // 2] = 1
    turned = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), lens.motion_angle, 1)
    line = np.asarray(cv2.warpAffine(line, turned, (size, size)), np.float32)
    return line / max(float(line.sum()), 1e-6)


def _spot(shape: tuple[int, int], strength: float, rng: Rng) -> NDArray[np.float32]:
    """Return a lamp's soft reflection on a ball that fills most of the picture."""
    bright = _gleam(shape, shape[1], (0.05, 0.38), (0.05, 0.14), rng)
    return np.asarray(bright * (100 + 220 * strength), np.float32)


def _gleam(
    shape: tuple[int, int],
    unit: float,
    far: tuple[float, float],
    size: tuple[float, float],
    rng: Rng,
) -> NDArray[Any]:
    """Return a soft bright spot (h, w), 0 to 1: how far off the middle and how large, in units."""
    height, width = shape
    turn, off = rng.uniform(0, 2 * np.pi), rng.uniform(*far) * unit
    x, y = width / 2 + off * np.cos(turn), height / 2 + off * np.sin(turn)
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = unit * rng.uniform(*size)
    return np.asarray(np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * reach**2)))


def _glass(shape: tuple[int, int], strength: float, rng: Rng) -> NDArray[np.float32]:
    """Return the reflections of one or two lamps in the glass before the ball."""
    height, width = shape
    layer = np.zeros(shape, np.float32)
    for _lamp in range(int(rng.integers(1, 3))):
        middle = (int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.9) * height))
        axes = tuple(max(1, int(rng.uniform(0.03, 0.16) * width)) for _side in range(2))
        cv2.ellipse(layer, middle, axes, rng.uniform(0, 180), 0, 360, 255.0 * strength, -1)
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.02 * width, 0.5)), np.float32)


BALL_FAULTS = ("blur", "glare", "dim", "jpeg", "motion")
STREAM_FAULTS = (
    "no_signal", "frozen", "dark", "out_of_focus", "moved", "covered", "wrong_rate", "resolution",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault of the stream from `start` for `length` seconds; `degree` 1 is the usual one."""

    fault: str
    start: float
    length: float
    degree: float = 1.0


def spoil(fault: str, picture: Picture, radius: float, seed: int) -> Picture:
    """Spoil a picture of a ball of `radius` pixels, the same way for the same seed."""
    return _SPOILING[fault](picture, radius, np.random.default_rng(seed))


def disturb(frames: Iterable[Frame], troubles: Sequence[Trouble]) -> Iterator[Frame]:
    """Return the frames of a stream with these faults; lost frames are left out."""
    held: Picture | None = None
    count = index = 0
    for frame in frames:
        now = [each for each in troubles if each.start <= frame.at < each.start + each.length]
        fault = now[0].fault if now else ""
        count = count + 1 if now else 0
        if fault == "no_signal" or (fault == "wrong_rate" and count % 3):
            continue
        held = frame.picture if fault != "frozen" or held is None else held
        shown = _disturbed(frame, now[0], held, count) if now else held
        yield replace(frame, picture=shown, index=index)
        index += 1


def _disturbed(frame: Frame, trouble: Trouble, held: Picture, count: int) -> Picture:
    shown = frame.picture
    high, wide = shown.shape[:2]
    match trouble.fault:
        case "frozen":
            return held
        case "dark":
            return cv2.convertScaleAbs(shown, alpha=0.12 * trouble.degree)  # type: ignore[return-value]
        case "out_of_focus":
            return cv2.GaussianBlur(shown, (0, 0), high / 90 * trouble.degree)  # type: ignore[return-value]
        case "moved":
            by = high / 24 * trouble.degree
            shift = np.array([[1, 0, by], [0, 1, -by * 0.7]], np.float32)
            return cv2.warpAffine(shown, shift, (wide, high), borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]
        case "covered":
            return _covered(shown, count)
        case "resolution":
            return cv2.resize(shown, (wide // 2, high // 2))  # type: ignore[return-value]
    return shown


def _covered(shown: Picture, count: int) -> Picture:
    """Lay a cloth over the lens that lets some light through, with the camera's grain."""
    grain = np.random.default_rng(count).integers(0, 8, shown.shape, np.uint8)
    cloth = np.full_like(shown, (70, 62, 66))
    glow = np.linspace(0, 40, shown.shape[1], dtype=np.uint8)[None, :, None]
    return np.asarray(cloth + glow + grain, np.uint8)


def _blur(picture: Picture, radius: float, rng: Rng) -> Picture:
    sigma = radius * rng.uniform(0.02, 0.05)
    return cv2.GaussianBlur(picture, (0, 0), sigma)  # type: ignore[return-value]


def _glare(picture: Picture, radius: float, rng: Rng) -> Picture:
    """Add a soft bright spot somewhere on the ball."""
    high, wide = picture.shape[:2]
    light = _gleam((high, wide), radius, (0.25, 0.8), (0.12, 0.3), rng) * rng.uniform(140, 300)
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def _dim(picture: Picture, radius: float, rng: Rng) -> Picture:
    dark = picture * rng.uniform(0.4, 0.65) + rng.normal(0, 3, picture.shape)
    return np.clip(dark, 0, 255).astype(np.uint8)


def _jpeg(picture: Picture, radius: float, rng: Rng) -> Picture:
    return as_file(picture, int(rng.integers(18, 45)))


def _motion(picture: Picture, radius: float, rng: Rng) -> Picture:
    length = max(3, int(radius * rng.uniform(0.06, 0.14)))
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    middle = ((length - 1) / 2, (length - 1) / 2)
    turned = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 180)), 1)
    slanted = cv2.warpAffine(kernel, turned, (length, length))
    even = np.asarray(slanted / max(float(slanted.sum()), 1e-3), np.float32)
    return cv2.filter2D(picture, -1, even)  # type: ignore[return-value]


_SPOILING: dict[str, Callable[[Picture, float, Rng], Picture]] = {
    "blur": _blur, "glare": _glare, "dim": _dim, "jpeg": _jpeg, "motion": _motion,
}  # fmt: skip
