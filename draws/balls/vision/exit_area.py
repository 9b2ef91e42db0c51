"""The exit area of a camera, set once on a still: where balls rest, how large, in what light."""

from __future__ import annotations

import base64
import binascii
import math
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision.values import Picture

VERSION = 1
LEAST_RADIUS = 12.0  # pixels; below it the print of two digits is no longer there
REACH = 2.2  # radii of a ball that a circular area reaches when nobody says otherwise
SIDES = 48  # corners of the polygon that stands for a circle
LEAST_SIDE, MOST = 64, 8192  # pixels of a side
CORNERS = 200  # of an area at most
DIGITS = {"radius": 2, "fps": 2, "light": 2, "focus": 3}  # of the fractions that a document tells

Point = tuple[float, float]


@dataclass(frozen=True)
class Area:
    """Where and how a camera sees its balls; all lengths in pixels of the frame.

    `size` width and height of the frames it was set on; `corners` the polygon around the place
    where balls come to rest; `radius` a ball's; `light` the mean grey and `focus` the sharpness
    of the still scene (0: unknown); `patch` x, y, width, height of something that always moves;
    `noisy` whether no two frames of this camera are ever the same; `still` the scene made small,
    `mask` what of it stands still, and `empty` the exit area without a ball, each as a PNG or b"".
    """

    size: tuple[int, int]
    corners: tuple[Point, ...]
    radius: float
    fps: float = 30.0
    light: float = 0.0
    focus: float = 0.0
    patch: tuple[int, int, int, int] | None = None
    noisy: bool = False
    still: bytes = b""
    mask: bytes = b""
    empty: bytes = b""

    def __post_init__(self) -> None:
        """Round to what the document tells; raise Refusal bad_camera_settings(field).

        All that is learned of an area follows from its corners and radius: had they more digits
        here than in the document, what is read back would be cut out a pixel larger or smaller.
        """
        corners = tuple((round(x, 1), round(y, 1)) for x, y in self.corners)
        object.__setattr__(self, "corners", corners)
        for field, digits in DIGITS.items():
            object.__setattr__(self, field, round(getattr(self, field), digits))
        width, height = self.size
        _require("size", min(self.size) >= LEAST_SIDE and max(self.size) <= MOST)
        _require("radius", LEAST_RADIUS <= self.radius <= min(self.size) / 2)
        _require("fps", 1 <= self.fps <= 240)
        _require("area", 3 <= len(self.corners) <= CORNERS)
        _require("area", all(0 <= x <= width and 0 <= y <= height for x, y in self.corners))
        left, top, right, bottom = self.box
        # A ball must fit in whole, or it is never seen to be one.
        _require("area", min(right - left, bottom - top) >= 2 * self.radius)
        _require("light", 0 <= self.light <= 255)
        _require("focus", self.focus >= 0)
        if self.patch:
            x, y, wide, high = self.patch
            inside = x >= 0 and y >= 0 and x + wide <= width and y + high <= height
            _require("moving_patch", inside and wide >= 2 and high >= 2)
        for field in ("still", "mask", "empty"):
            png = getattr(self, field)
            _require(field, not png or decode(png) is not None)

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the smallest upright rectangle around the area."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys))

    @cached_property
    def middle(self) -> Point:
        """The middle of the rectangle around the area."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    def document(self) -> dict[str, Any]:
        """Return the settings as JSON values; `read` takes them back.

        Fractions are texts, so that the document has one canonical form and digest.
        """
        return {
            "version": VERSION,
            "size": list(self.size),
            "area": {"polygon": [[f"{x:.1f}", f"{y:.1f}"] for x, y in self.corners]},
            **{field: f"{getattr(self, field):.{digits}f}" for field, digits in DIGITS.items()},
            "moving_patch": list(self.patch) if self.patch else None,
            "noisy": self.noisy,
            **{
                name: base64.b64encode(getattr(self, name)).decode()
                for name in ("still", "mask", "empty")
            },
        }


def circle(x: float, y: float, reach: float, size: tuple[int, int]) -> tuple[Point, ...]:
    """Return the corners of a circular area, cut off at the frame's edges."""
    turns = [2 * math.pi * side / SIDES for side in range(SIDES)]
    return tuple(
        (min(max(x + reach * math.cos(turn), 0), size[0]),
         min(max(y + reach * math.sin(turn), 0), size[1]))
        for turn in turns
    )  # fmt: skip


def around(x: float, y: float, radius: float, size: tuple[int, int], **more: Any) -> Area:
    """Make the usual area around a ball that rests at x, y."""
    return Area(size=size, corners=circle(x, y, REACH * radius, size), radius=radius, **more)


def read(document: Any) -> Area:
    """Read settings back. Raises Refusal bad_camera_settings(field)."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise Refusal("bad_camera_settings", field="version")
    size = _numbers(document, "size", 2)
    whole = (int(size[0]), int(size[1]))
    patch = _numbers(document, "moving_patch", 4) if document.get("moving_patch") else None
    return Area(
        size=whole,
        corners=_corners(document.get("area"), whole),
        radius=_numbers(document, "radius")[0],
        fps=_numbers(document, "fps", default=30.0)[0],
        light=_numbers(document, "light", default=0.0)[0],
        focus=_numbers(document, "focus", default=0.0)[0],
        patch=tuple(int(value) for value in patch) if patch else None,  # type: ignore[arg-type]
        noisy=document.get("noisy") is True,
        still=_bytes(document, "still"),
        mask=_bytes(document, "mask"),
        empty=_bytes(document, "empty"),
    )


def encode(picture: Picture) -> bytes:
    """Make a small picture a PNG."""
    return cv2.imencode(".png", picture)[1].tobytes()


def decode(file: bytes, how: int = cv2.IMREAD_UNCHANGED) -> Picture | None:
    """Make a PNG or a JPEG a picture, read as OpenCV's flag says; None when it is none."""
    data = np.frombuffer(file, np.uint8)
    # It raises for what says that it is larger than any picture may be.
    with suppress(cv2.error):
        return cv2.imdecode(data, how) if data.size else None  # type: ignore[return-value]
    return None


def _corners(shape: Any, size: tuple[int, int]) -> tuple[Point, ...]:
    _require("area", isinstance(shape, dict) and len(shape) == 1)
    if "circle" in shape:
        x, y, reach = _numbers({"area": shape["circle"]}, "area", 3)
        return circle(x, y, reach, size)
    points = shape.get("polygon")
    _require("area", isinstance(points, list) and len(points) <= CORNERS)
    pairs = [_numbers({"area": point}, "area", 2) for point in points]
    return tuple((x, y) for x, y in pairs)


def _numbers(
    document: dict[str, Any], field: str, count: int = 0, *, default: float | None = None
) -> list[float]:
    value = document.get(field, default)
    values: Any = value if count else [value]
    _require(field, isinstance(values, list) and len(values) == max(1, count))
    numbers = [_number(each) for each in values]
    _require(field, all(math.isfinite(each) for each in numbers))
    return numbers


def _number(value: Any) -> float:
    """Return a number written as one or as a text; not a number for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _bytes(document: dict[str, Any], field: str) -> bytes:
    value = document.get(field, "")
    _require(field, isinstance(value, str) and len(value) < 400_000)
    try:
        return base64.b64decode(value, validate=True)
    except (ValueError, binascii.Error):
        raise Refusal("bad_camera_settings", field=field) from None


def _require(field: str, condition: bool) -> None:
    if not condition:
        raise Refusal("bad_camera_settings", field=field)
