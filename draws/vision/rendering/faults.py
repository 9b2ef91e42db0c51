"""What spoils a picture or a stream, on purpose: to prove that the reader and the watch see it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from draws.vision.values import Frame, Picture

Rng = np.random.Generator
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
    """Give the frames of a stream with these faults; lost frames are left out."""
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
    turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.8) * radius
    x, y = wide / 2 + far * np.cos(turn), high / 2 + far * np.sin(turn)
    down, across = np.mgrid[0:high, 0:wide].astype(np.float32)
    size = radius * rng.uniform(0.12, 0.3)
    spot = np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * size**2))
    light = spot * rng.uniform(140, 300)
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def _dim(picture: Picture, radius: float, rng: Rng) -> Picture:
    dark = picture * rng.uniform(0.4, 0.65) + rng.normal(0, 3, picture.shape)
    return np.clip(dark, 0, 255).astype(np.uint8)


def _jpeg(picture: Picture, radius: float, rng: Rng) -> Picture:
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(18, 45))]
    packed = cv2.imencode(".jpg", picture, quality)[1]
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)  # type: ignore[return-value]


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
