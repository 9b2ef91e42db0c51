"""Put photographs of real balls onto the rolling spheres of a rendered scene, in place of drawn ones.

A photograph shows the half of a ball that faced it. That half is laid onto a sphere again, turned as
the scene turns it, and lit; the half that nobody saw has the ball's own middling colour.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from draws.balls.vision.rendering import ball
from draws.balls.vision.rendering.style import Style
from draws.balls.vision.values import Picture, Reals

FILLING = 0.47  # of a photograph's side: its ball's radius
SEEN = 0.25  # how far outward a point must have faced the photograph to be known
SOFT = 0.15  # likewise, over which known and unknown run into each other
UNSURE = "|"  # between numbers of which nobody can tell which it is


@dataclass(frozen=True, slots=True)
class RealBall:
    """A ball cut out of a photograph: its number as written, and the photograph's name."""

    picture: Picture
    number: str
    photograph: str

    @property
    def spot(self) -> tuple[tuple[float, float], float]:
        """Its middle and radius in pixels of the picture."""
        high, wide = self.picture.shape[:2]
        return ((wide - 1) / 2, (high - 1) / 2), FILLING * min(high, wide)

    def is_read(self, number: int | None) -> bool:
        """Return whether that is its number, or one of two where nobody can tell."""
        return str(number) in self.number.split(UNSURE)


def read_folder(folder: Path) -> list[RealBall]:
    """Return the balls of a folder. Raises OSError, KeyError, and ValueError for a picture that is none."""
    found = []
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            picture = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
            if picture is None:
                raise ValueError(row["file"])
            found.append(RealBall(np.asarray(picture, np.uint8), row["number"], row["photo"]))
    return found


def by_number(balls: Iterable[RealBall]) -> dict[int, list[Picture]]:
    """Return the pictures of balls by number, without those of which nobody can tell it."""
    found: dict[int, list[Picture]] = defaultdict(list)
    for one in balls:
        if UNSURE not in one.number:
            found[int(one.number)].append(one.picture)
    return dict(found)


class Photographed:
    """Paints a ball of a number as one of its photographs shows it; see `ball.paint`."""

    def __init__(self, photographs: Mapping[int, Sequence[Picture]]) -> None:
        """Keep the photographs by number."""
        self._photographs = photographs

    def __call__(
        self,
        style: Style,
        number: int | None,
        *,
        rotation: NDArray[np.float64],
        size: int,
        rng: np.random.Generator,
    ) -> tuple[Picture, Reals]:
        """Return the ball filling a square of `size` pixels, and how far each pixel is of it."""
        if number is None or number not in self._photographs:
            return ball.paint(style, number, rotation=rotation, size=size, rng=rng)
        offered = self._photographs[number]
        photograph = offered[int(rng.integers(len(offered)))]
        light = ball.light(style, size=size, rng=rng)
        bare = _turned(photograph, rotation, size)
        # The photograph has a light of its own: what is added must not darken it twice.
        shade = light.shade * 0.5 + 0.5 * float(light.shade.max())
        lit = bare * shade[..., None] + 0.5 * light.shine[..., None]
        return np.asarray(np.clip(lit, 0, 255), np.uint8), ball.cover(size)


def _turned(photograph: Picture, rotation: NDArray[np.float64], size: int) -> Reals:
    """Return a photograph's ball turned, (size, size, 3)."""
    across, down, outward, _cover = ball.sphere(size)
    seen = np.stack([across, down, outward], axis=-1) @ rotation.astype(np.float32)
    high, wide = photograph.shape[:2]
    radius = FILLING * min(high, wide)
    # A large photograph is made small first, so that no thin stroke falls between two pixels.
    scale = min(1.0, size / (2 * radius))
    small = cv2.resize(photograph, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    middle = (small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2
    x = (seen[..., 0] * radius * scale + middle[0]).astype(np.float32)
    y = (seen[..., 1] * radius * scale + middle[1]).astype(np.float32)
    shown = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    own = np.median(small.reshape(-1, 3), axis=0)
    known = np.clip((seen[..., 2] - SEEN) / SOFT, 0, 1)[..., None]
    return np.asarray(shown * known + own * (1 - known), np.float32)
