"""Render a ball as a camera sees it: its number wrapped round a lit sphere; and a coin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from draws.balls.vision.rendering.style import LETTERS, Style, roll, tilt
from draws.balls.vision.values import Picture

Plane = NDArray[np.float32]

DECAL = 160  # pixels
REACH = 1.0  # ball radii from the middle of a decal to its edge
HIDDEN = 0.12  # how far outward a print must face the viewer to be seen
AMBIENT = 0.35
HALF = 0.01, 0.03  # ball radii from the middle of a seam to its edge
BESIDE = 0.4  # ball radii from a print's middle to the seam
SLIP = 0.03  # radians by which one half is turned against the other: a pixel or two
THICKER = 0.008  # of a face's size to each weight: more would close the eyes of an 8


@dataclass(frozen=True, slots=True)
class Light:
    """What falls on each pixel of a ball (size, size): `shade` a factor, `shine` levels added."""

    shade: Plane
    shine: Plane

    def on(self, bare: Plane) -> Picture:
        """Return the colours (size, size, 3) in this light."""
        lit = bare * self.shade[..., None] + self.shine[..., None]
        return np.asarray(np.clip(lit, 0, 255), np.uint8)


def paint(
    style: Style,
    number: int | None,
    *,
    rotation: NDArray[np.float64],
    size: int,
    rng: np.random.Generator,
) -> tuple[Picture, Plane]:
    """Return a ball filling a square of `size` pixels, in BGR (size, size, 3).

    Its second value tells how far each pixel is of the ball (size, size), 0 to 1. `number` None is
    a ball without a print.
    """
    bare = unlit(style, number, rotation=rotation, size=size)
    return light(style, size=size, rng=rng).on(bare), cover(size)


def unlit(style: Style, number: int | None, *, rotation: NDArray[np.float64], size: int) -> Plane:
    """Return the colours of a ball filling a square of `size` pixels, in BGR (size, size, 3)."""
    if not style.seam:
        return _whole(style, number, rotation, size)
    seam = _seam(style, number)
    bare = _whole(style, number, rotation, size)
    other = _whole(style, number, rotation @ seam.slip, size)
    across, down, outward, _alpha = sphere(size)
    x, y, z = (rotation @ seam.axis).astype(np.float32)
    off = across * x + down * y + outward * z
    bare[off < 0] = other[off < 0]
    line = np.clip((seam.half - np.abs(off)) * size / 2 + 0.5, 0, 1) * style.seam
    bare += (seam.shade - bare) * line[..., None]
    return bare


@dataclass(frozen=True, slots=True)
class _Seam:
    """The join of a ball's halves: the axis it lies across, half its width, its shade as a level.

    `slip` (3, 3) is how one half is turned against the other.
    """

    axis: NDArray[np.float64]
    half: float
    shade: float
    slip: NDArray[np.float64]


def _seam(style: Style, number: int | None) -> _Seam:
    """Return the seam of a ball, the same each time; it is a great circle."""
    rng = np.random.default_rng([number or 0, round(style.seam * 1e6)])
    turn, beside = rng.uniform(0, 2 * math.pi), math.asin(rng.uniform(-BESIDE, BESIDE))
    frame = style.prints[0] @ roll(turn) @ tilt(math.pi / 2 - beside, 0.0)
    slip = float(rng.choice([-SLIP, 0.0, 0.0, SLIP]))
    shade = float(rng.choice([rng.uniform(0, 90), rng.uniform(170, 255)]))
    return _Seam(frame[:, 2], float(rng.uniform(*HALF)), shade, frame @ roll(slip) @ frame.T)


def _whole(style: Style, number: int | None, rotation: NDArray[np.float64], size: int) -> Plane:
    """Return the colours of a ball that has no seam (size, size, 3)."""
    bare = np.empty((size, size, 3), np.float32)
    bare[:] = style.body
    if style.stripe is not None:
        _stripe(bare, style, rotation)
    if number is not None:
        print_all(bare, style, number, rotation)
    return bare


def print_all(bare: Plane, style: Style, number: int, rotation: NDArray[np.float64]) -> None:
    """Print a number at all its places onto the colours of a ball (size, size, 3)."""
    for place in style.prints:
        lay(bare, _decal(style, number), rotation @ place)


def cover(size: int) -> Plane:
    """Return how far each pixel of a square is of the ball that fills it (size, size), 0 to 1."""
    return sphere(size)[3]


def _stripe(bare: Plane, style: Style, rotation: NDArray[np.float64]) -> None:
    """Leave a band of the body's colour round the prints, the rest in the stripe's."""
    across, down, outward, _alpha = sphere(bare.shape[0])
    axis = rotation[:, 1]
    off = np.abs(across * axis[0] + down * axis[1] + outward * axis[2])
    bare[off > 0.75] = style.stripe


def lay(bare: Plane, decal: Picture, place: NDArray[np.float64]) -> None:
    """Lay a decal (DECAL, DECAL, 4) onto a ball where this place (3, 3) is."""
    if place[2, 2] < -0.5:
        return
    across, down, outward, _alpha = sphere(bare.shape[0])
    right, foot, out = place.astype(np.float32).T
    seen = across * out[0] + down * out[1] + outward * out[2]
    scale = DECAL / 2 / REACH
    x = (across * right[0] + down * right[1] + outward * right[2]) * scale + DECAL / 2
    y = (across * foot[0] + down * foot[1] + outward * foot[2]) * scale + DECAL / 2
    x[seen < HIDDEN] = -10
    found = cv2.remap(decal, x, y, cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    cover = found[..., 3:].astype(np.float32) / 255
    bare += (found[..., :3] - bare) * cover


def light(style: Style, *, size: int, rng: np.random.Generator) -> Light:
    """Light the sphere from somewhere above, with a highlight as sharp as the set is glossy."""
    across, down, outward, _alpha = sphere(size)
    lamp = np.array([rng.uniform(-0.7, 0.7), rng.uniform(-0.9, 0.3), rng.uniform(0.5, 1.2)])
    lamp /= np.linalg.norm(lamp)
    ambient = AMBIENT + rng.uniform(0, 0.3)
    facing = across * lamp[0] + down * lamp[1] + outward * lamp[2]
    shade = ambient + (1 - ambient) * np.clip(facing, 0, None)
    half = lamp + np.array([0, 0, 1])
    half /= np.linalg.norm(half)
    glint = np.clip(across * half[0] + down * half[1] + outward * half[2], 0, None)
    shine = style.gloss * 230 * glint ** rng.uniform(30, 160)
    return Light(np.asarray(shade, np.float32), np.asarray(shine, np.float32))


@lru_cache(maxsize=8)
def sphere(size: int) -> tuple[Plane, Plane, Plane, Plane]:
    """Return the normals' three parts and the cover of a sphere filling the square."""
    line = ((np.arange(size, dtype=np.float32) + 0.5) * 2 / size - 1).astype(np.float32)
    across, down = np.meshgrid(line, line)
    radius = np.sqrt(across**2 + down**2)
    alpha = np.clip((1 - radius) * size / 2 + 0.5, 0, 1).astype(np.float32)
    outward = np.sqrt(np.clip(1 - radius**2, 0, 1)).astype(np.float32)
    return across, down, outward, alpha


@lru_cache(maxsize=256)
def _decal(style: Style, number: int) -> Picture:
    """Return what is printed at one place: (DECAL, DECAL, 4), its last plane how far it covers."""
    page = Image.new("RGBA", (DECAL, DECAL), (*style.body[::-1], 0))
    pen = ImageDraw.Draw(page)
    unit = DECAL / 2 / REACH
    if style.cap is not None:
        pen.circle((DECAL / 2, DECAL / 2), style.cap_radius * unit, fill=style.cap[::-1])
    if style.ring is not None:
        pen.circle(
            (DECAL / 2, DECAL / 2),
            style.cap_radius * unit,
            outline=style.ring[::-1],
            width=max(1, round(style.ring_width * unit)),
        )
    ink = _written(style, number, unit)
    if style.wear:
        ink = _worn(ink, style, number)
    page.paste(style.ink[::-1], mask=ink)
    cover = page.getchannel("A")
    cover.paste(255, mask=ink)
    page.putalpha(cover)
    return np.asarray(page)[..., [2, 1, 0, 3]].copy()


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number as it is set: its face and stroke, its left edge, its size in pixels of a decal."""

    font: ImageFont.FreeTypeFont
    stroke: float
    corner: tuple[float, float]
    width: float
    tall: float


def tallness(style: Style, number: int) -> float:
    """Return how tall the digits of a number are, in ball radii."""
    unit = DECAL / 2 / REACH
    return _figure(style, number, unit).tall / unit


@lru_cache(maxsize=256)
def _figure(style: Style, number: int, unit: float) -> _Figure:
    """Set the digits as high and wide as the cap has room for."""
    pen = ImageDraw.Draw(Image.new("L", (1, 1)))
    text = style.text(number)
    room = style.cap_radius * 2 * (0.86 if style.cap or style.ring else 1.0)
    height = min(style.height, room * (0.72 if len(text) > 1 else 0.8)) * unit
    font = _font(str(style.font), round(height * 1.4))
    for _try in range(2):
        left, top, right, bottom = pen.textbbox(
            (0, 0), text, font=font, stroke_width=_stroke(style, font)
        )
        over = max((bottom - top) / height, (right - left) / (room * 0.86 * unit), 1e-6)
        font = _font(str(style.font), max(8, int(font.size / over)))
    stroke = _stroke(style, font)
    left, top, right, bottom = pen.textbbox((0, 0), text, font=font, stroke_width=stroke)
    return _Figure(font, stroke, (left, top), (right - left) * style.squeeze, bottom - top)


def _stroke(style: Style, font: ImageFont.FreeTypeFont) -> float:
    return style.weight * THICKER * font.size


def _written(style: Style, number: int, unit: float) -> Image.Image:
    """Write the digits, their mark and letter."""
    figure = _figure(style, number, unit)
    high = DECAL / 2 - figure.tall / 2 - (0.06 * unit if style.is_marked(number) else 0)
    if style.letter:
        high += 0.12 * unit
    ink = _digits(style, number, figure, high)
    pen = ImageDraw.Draw(ink)
    if style.letter:
        _letter(pen, style, number, high, unit)
    if style.is_marked(number):
        _foot(pen, style, (figure.width, high + figure.tall), unit)
    return ink


def _digits(style: Style, number: int, figure: _Figure, high: float) -> Image.Image:
    """Write the digits, as narrow and as slanted as the set has them."""
    left, top = figure.corner
    middle = DECAL / 2
    ink = Image.new("L", (DECAL, DECAL), 0)
    ImageDraw.Draw(ink).text(
        (middle - figure.width / style.squeeze / 2 - left, high - top), style.text(number),
        font=figure.font, fill=255, stroke_width=figure.stroke,
    )  # fmt: skip
    if style.squeeze == 1 and style.slant == 0:
        return ink
    lean, foot = style.slant / style.squeeze, high + figure.tall / 2
    back = (1 / style.squeeze, lean, middle - middle / style.squeeze - lean * foot, 0, 1, 0)
    return ink.transform(ink.size, Image.Transform.AFFINE, back, Image.Resampling.BILINEAR)


def _letter(pen: ImageDraw.ImageDraw, style: Style, number: int, high: float, unit: float) -> None:
    font = _font(str(style.font), max(8, round(0.3 * unit)))
    letter = LETTERS[min((number - 1) // 15, 4)]
    pen.text((DECAL / 2, high - 0.05 * unit), letter, font=font, fill=255, anchor="mb")


def _foot(pen: ImageDraw.ImageDraw, style: Style, figure: tuple[float, float], unit: float) -> None:
    """Mark the foot: a bar under the digits, or a full stop behind them."""
    width, bottom = figure
    if style.mark == "dot":
        size = 0.075 * unit
        pen.circle((DECAL / 2 + width / 2 + size * 1.6, bottom - size), size, fill=255)
        return
    thick = (0.06 + 0.015 * style.weight) * unit
    top = bottom + 0.07 * unit
    half = max(width * 0.5, 0.2 * unit)
    pen.rectangle((DECAL / 2 - half, top, DECAL / 2 + half, top + thick), fill=255)


def _worn(ink: Image.Image, style: Style, number: int) -> Image.Image:
    """Rub some of the print off, the same places of the same ball each time."""
    rng = np.random.default_rng([number, round(style.wear * 1e6)])
    small = rng.random((24, 24)).astype(np.float32)
    patches = cv2.resize(small, (DECAL, DECAL), interpolation=cv2.INTER_CUBIC)
    kept = np.clip(1 + (patches - 0.35 * style.wear) * 8, 0, 1)
    return Image.fromarray((np.asarray(ink) * kept).astype(np.uint8))


@lru_cache(maxsize=512)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


METALS = (
    (60, 140, 190),
    (170, 175, 180),
    (70, 100, 160),
)  # brass, nickel, copper as blue, green, red


def paint_coin(
    rng: np.random.Generator, fonts: Sequence[Path], *, size: int, words: Sequence[str]
) -> Picture:
    """Return a coin filling a square of `size` pixels, light on one side of its strokes: (size, size, 3)."""
    raised = Image.new("L", (size, size), 0)
    pen = ImageDraw.Draw(raised)
    middle = size / 2
    font = _font_sized(rng, fonts, size * rng.uniform(0.26, 0.57))
    at = (middle + rng.uniform(-0.07, 0.07) * size, middle + rng.uniform(-0.07, 0.07) * size)
    pen.text(at, str(int(rng.integers(1, 100))), font=font, fill=255, anchor="mm")
    pen.circle((middle, middle), middle * rng.uniform(0.86, 0.97), outline=200, width=2)
    below = (middle, middle * 1.65)
    pen.text(
        below,
        str(rng.choice(words)),
        font=_font_sized(rng, fonts, size * 0.11),
        fill=200,
        anchor="mm",
    )
    turned = raised.rotate(float(rng.uniform(0, 360)), Image.Resampling.BILINEAR)
    high = cv2.GaussianBlur(np.asarray(turned, np.float32), (0, 0), rng.uniform(0.6, 1.4))
    lit = rng.uniform(0, 2 * math.pi)
    slope = cv2.Sobel(high, cv2.CV_32F, 1, 0) * math.cos(lit)
    slope += cv2.Sobel(high, cv2.CV_32F, 0, 1) * math.sin(lit)
    metal = np.asarray(METALS[int(rng.integers(len(METALS)))], np.float32) * rng.uniform(0.6, 1.2)
    shade = 1 + slope * rng.uniform(0.0006, 0.0018) + rng.normal(0, 0.03, (size, size))
    return np.asarray(np.clip(metal * shade[..., None], 0, 255), np.uint8)


def _font_sized(
    rng: np.random.Generator, fonts: Sequence[Path], size: float
) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(fonts[int(rng.integers(len(fonts)))]), max(6, round(size)))
