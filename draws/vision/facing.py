"""A number as the reader is shown it: the ball turned until it faces the viewer, upright and near."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

SIDE = 40  # pixels of what the reader sees
AROUND = 21  # pixels round about which what is print is told from what is shade
BLOWN = 246  # a level from which on all colours are one
REACH = 1.25  # heights of the digits from the middle of it to its edge
TALL = (0.15, 1.3)  # ball radii between which the digits of a number are tall


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number stands.

    Turned clockwise by `angle` degrees in the picture, its middle at
    `towards` (x, y) in ball radii from the ball's, its digits `tall` radii high on the ball.
    """

    angle: float
    towards: tuple[float, float]
    tall: float

    @property
    def upside_down(self) -> Place:
        """The same place seen from the other side."""
        return Place((self.angle + 180) % 360, self.towards, self.tall)


def frame(place: Place) -> NDArray[np.float64]:
    """Give a place's rotation (3, 3): the columns point right, down and outward of the number."""
    x, y = place.towards
    out = np.array([x, y, math.sqrt(max(1e-4, 1 - x * x - y * y))])
    out /= np.linalg.norm(out)
    cos, sin = math.cos(math.radians(place.angle)), math.sin(math.radians(place.angle))
    # Seen from the front it reads along the angle; how far it leans back follows from where it is.
    right = np.array([cos, sin, -(cos * out[0] + sin * out[1]) / out[2]])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(out, right), out], axis=1)


def faced(picture: Picture, place: Place, *, centre: tuple[float, float], radius: float) -> Picture:
    """Give the number alone (SIDE, SIDE, 3), as if the ball were turned to show it upright.

    `centre` and `radius` in pixels of the picture (h, w, 3).
    """
    line = (np.arange(SIDE) + 0.5) * 2 / SIDE - 1
    reach = REACH * min(max(place.tall, TALL[0]), TALL[1])
    x, y = np.meshgrid(line * reach, line * reach)
    up = np.sqrt(np.clip(1 - x * x - y * y, 0.0, None))
    seen = np.stack([x, y, up], axis=-1) @ frame(place).T
    across = (seen[..., 0] * radius + centre[0]).astype(np.float32)
    down = (seen[..., 1] * radius + centre[1]).astype(np.float32)
    return taken(picture, across, down, reach=reach, radius=radius)


def taken(
    picture: Picture,
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    *,
    reach: float,
    radius: float,
) -> Picture:
    """Take (SIDE, SIDE, 3) from these places of a picture (h, w, 3), in its pixels.

    `reach` in ball radii from the number's middle to its edge, `radius` in pixels.
    """
    soft = _soft(picture, reach, radius)
    shown = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.uint8)


def _soft(picture: Picture, reach: float, radius: float) -> Picture:
    """Soften a picture that is much finer than what the reader sees of it."""
    step = 2 * reach * radius / SIDE  # pixels of the picture to one of the reader's
    if step < 1.6:
        return picture
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * step), np.uint8)


def plain(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Give (n, 1, SIDE, SIDE) of (n, SIDE, SIDE, 3): print dark on light, whatever its colours.

    Each picture's colours are laid on the line along which its edges differ most; what there is
    less of, the print, comes out negative. Mean 0, deviation 1.
    """
    flat = pictures.reshape(len(pictures), -1, 3).astype(np.float32)
    flat -= flat.mean(axis=1, keepdims=True)
    # The last of the axes is the one along which there is most.
    along = np.linalg.eigh(_edges(pictures))[1][:, :, -1:].astype(np.float32)
    values = np.matmul(flat, along)[:, :, 0]
    values /= values.std(axis=1, keepdims=True) + 4.0
    squares = values.reshape(-1, SIDE, SIDE)
    apart = squares - np.stack([cv2.blur(one, (AROUND, AROUND)) for one in squares])
    values *= np.where((apart**3).mean(axis=(1, 2))[:, None] > 0, -1.0, 1.0)
    return np.ascontiguousarray(values.reshape(-1, 1, SIDE, SIDE), np.float32)


def blown_beside(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Tell how much of a figure's sides is blown out (n,) of pictures (n, SIDE, SIDE, 3), 0 to 1.

    What is as bright all round is a white ball in much light; a patch on one side may hide a figure.
    """
    blown = pictures.min(axis=3) >= BLOWN
    third, two = SIDE // 3, SIDE - SIDE // 3
    left, right = blown[:, third:two, 2:third], blown[:, third:two, two:-2]
    above, below = blown[:, 2:third, third:two], blown[:, two:-2, third:two]
    shares = np.stack([part.mean(axis=(1, 2)) for part in (left, right, above, below)])
    return np.asarray(shares[:2].max(axis=0) - shares.min(axis=0))


def sharpness(squares: NDArray[np.float32]) -> NDArray[np.float64]:
    """Tell how steep the steepest edges are (n,) of what `plain` gave, as parts of print to paper a pixel."""
    seen = squares[:, 0, 6:-6, 6:-6]
    down, across = seen[:, 2:, 1:-1] - seen[:, :-2, 1:-1], seen[:, 1:-1, 2:] - seen[:, 1:-1, :-2]
    steps = np.hypot(down, across).reshape(len(seen), -1) / 2
    flat = seen.reshape(len(seen), -1)
    low, high = np.percentile(flat, (5, 95), axis=1)
    return np.asarray(np.percentile(steps, 95, axis=1) / np.maximum(high - low, 0.5), np.float64)


def _edges(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Give how the colours of near pixels differ (n, 3, 3): by print, and hardly by shade."""
    seen = pictures.astype(np.float32)
    across = (seen[:, :, 2:] - seen[:, :, :-2]).reshape(len(seen), -1, 3)
    down = (seen[:, 2:] - seen[:, :-2]).reshape(len(seen), -1, 3)
    steps = np.concatenate([across, down], axis=1)
    return np.asarray(np.matmul(steps.transpose(0, 2, 1), steps), np.float64)
