"""Cut a ball out of a picture and turn its number upright, near, facing the viewer.

For the locator the ball is cut out and turned and its light evened out; for the reader the number
is turned too. Also which numbers read as another one upside down and need a mark at their foot, and
which a number may be when light has washed a stroke or a figure out: a 13 may be an 18.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

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
class NumberPlace:
    """Where a number stands.

    Turned clockwise by `angle` degrees in the picture, its middle at
    `towards` (x, y) in ball radii from the ball's, its digits `tall` radii high on the ball.
    """

    angle: float
    towards: tuple[float, float]
    tall: float

    @property
    def upside_down(self) -> NumberPlace:
        """The same place seen from the other side."""
        return NumberPlace((self.angle + 180) % 360, self.towards, self.tall)


def frame(place: NumberPlace) -> NDArray[np.float64]:
    """Return a place's rotation (3, 3): the columns point right, down and outward of the number."""
    x, y = place.towards
    out = np.array([x, y, math.sqrt(max(1e-4, 1 - x * x - y * y))])
    out /= np.linalg.norm(out)
    cos, sin = math.cos(math.radians(place.angle)), math.sin(math.radians(place.angle))
    # Seen from the front it reads along the angle; how far it leans back follows from where it is.
    right = np.array([cos, sin, -(cos * out[0] + sin * out[1]) / out[2]])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(out, right), out], axis=1)


def faced(
    picture: Picture, place: NumberPlace, *, centre: tuple[float, float], radius: float
) -> Picture:
    """Return the number alone (SIDE, SIDE, 3), as if the ball were turned to show it upright.

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
    """Return (n, 1, SIDE, SIDE) of (n, SIDE, SIDE, 3): print dark on light, whatever its colours.

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
    """Return how the colours of near pixels differ (n, 3, 3): by print, and hardly by shade."""
    seen = pictures.astype(np.float32)
    across = (seen[:, :, 2:] - seen[:, :, :-2]).reshape(len(seen), -1, 3)
    down = (seen[:, 2:] - seen[:, :-2]).reshape(len(seen), -1, 3)
    steps = np.concatenate([across, down], axis=1)
    return np.asarray(np.matmul(steps.transpose(0, 2, 1), steps), np.float64)


TURNING_SIDE = 48  # pixels of what the locator sees
RADIUS = 22.0  # pixels of the ball in it


def turned(
    picture: Picture, angles: NDArray[np.float64], *, centre: tuple[float, float], radius: float
) -> NDArray[np.float32]:
    """Return a ball (n, 3, SIDE, SIDE) turned back by each of n angles, its light evened out.

    `centre`, `radius` and `angles` as for `cut`.
    """
    return evened(cut(picture, angles, centre=centre, radius=radius))


def cut(
    picture: Picture, angles: NDArray[np.float64], *, centre: tuple[float, float], radius: float
) -> NDArray[np.uint8]:
    """Return a ball (n, SIDE, SIDE, 3) turned back by each of n angles.

    `centre` and `radius` in pixels of the picture (h, w, 3); `angles` in degrees clockwise.
    """
    small, middle, scale = _reduced(picture, centre, radius)
    found = np.empty((len(angles), TURNING_SIDE, TURNING_SIDE, 3), np.uint8)
    for shown, angle in zip(found, angles, strict=True):
        # Positive angles of OpenCV turn a picture's content the other way round, which is back.
        turn = cv2.getRotationMatrix2D(middle, angle, RADIUS / scale)
        turn[0, 2] += (TURNING_SIDE - 1) / 2 - middle[0]
        turn[1, 2] += (TURNING_SIDE - 1) / 2 - middle[1]
        cv2.warpAffine(
            small, turn, (TURNING_SIDE, TURNING_SIDE), dst=shown, borderMode=cv2.BORDER_REPLICATE
        )
    return found


def evened(pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return (n, 3, SIDE, SIDE) of (n, SIDE, SIDE, 3): mean 0 and deviation 1 within the ball, 0 outside."""
    inside = disc()
    values = pictures.astype(np.float32)
    within = values[:, inside]
    mean = within.mean(axis=(1, 2), keepdims=True)[..., None]
    spread = within.std(axis=(1, 2), keepdims=True)[..., None]
    values = (values - mean) / (spread + 4.0)
    values *= inside[None, ..., None]
    return np.ascontiguousarray(values.transpose(0, 3, 1, 2))


@lru_cache(maxsize=1)
def disc() -> NDArray[np.bool_]:
    """Return (SIDE, SIDE): what is ball."""
    line = np.arange(TURNING_SIDE) - (TURNING_SIDE - 1) / 2
    inside: NDArray[np.bool_] = line[:, None] ** 2 + line[None] ** 2 <= (RADIUS + 0.5) ** 2
    return inside


def _reduced(
    picture: Picture, centre: tuple[float, float], radius: float
) -> tuple[Picture, tuple[float, float], float]:
    """Cut the ball out: the picture, the ball's centre in it, and its radius.

    A large one is made small first, so that no thin stroke falls between two pixels.
    """
    reach = int(np.ceil(radius * 1.15))
    left, top = int(centre[0]) - reach, int(centre[1]) - reach
    right, bottom = left + 2 * reach + 1, top + 2 * reach + 1
    height, width = picture.shape[:2]
    cut = picture[max(top, 0) : min(bottom, height), max(left, 0) : min(right, width)]
    middle = (centre[0] - max(left, 0), centre[1] - max(top, 0))
    wanted = RADIUS * 1.4
    if radius <= wanted:
        return cut, middle, radius
    scale = wanted / radius
    small = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (middle[0] * scale, middle[1] * scale), radius * scale


UPSIDE_DOWN = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}
# What a figure is upside down in one typeface or another: there 44 is 77, and 49 is 67.
LIKE = {"1": "17", "4": "7", "6": "9", "7": "14", "8": "8", "9": "6"}
# Where print is slanted, a 1 without a foot is a 7 upside down. Of two figures the other tells.
SLANTED = 7, 1
# How surely a mark may be seen at a number's head: a ring looks like one there and at the foot.
HEADED = 0.25


def other_way_up(number: int, *, zeros: bool = False) -> int | None:
    """Return what a number reads as upside down: 6 gives 9, 8 gives 8, 7 gives None.

    `zeros`: the set prints 6 as 06, which upside down is 90. Without them 90 gives None, since no
    ball reads 06.
    """
    text = f"{number:02d}" if zeros else str(number)
    if any(digit not in UPSIDE_DOWN for digit in text):
        return None
    turned = "".join(UPSIDE_DOWN[digit] for digit in reversed(text))
    if turned.startswith("0") and not zeros:
        return None
    return int(turned)


def has_other_way_up(number: int, *, zeros: bool = False) -> bool:
    """Return whether a number upside down is a different one, of this set or a stranger's.

    66 is one of them: 99 is on no ball of ours, but a stray ball of another set may bear it.
    """
    return other_way_up(number, zeros=zeros) not in (None, number)


def may_be_turned(number: int, other: int) -> bool:
    """Return whether one number may read as another upside down, in some typeface."""
    figures, turned = str(number), str(other)[::-1]
    return len(figures) == len(turned) and all(
        to in LIKE.get(figure, "") for figure, to in zip(figures, turned, strict=True)
    )


def turned_numbers(number: int) -> list[int]:
    """Return the other numbers of up to two figures that one may be upside down, in some typeface."""
    return [each for each in range(1, 100) if each != number and may_be_turned(number, each)]


def taken_for(number: int, *, zeros: bool = False) -> int | None:
    """Return what else a ball may be that reads as this number, and shows no mark at its foot.

    That is what the number reads as upside down, and 1 for 7 (where zeros are printed 10 for 07),
    which a 1 in slanted print reads as; None where it can be nothing else.
    """
    slanted, other = SLANTED
    if number == slanted:
        return other * 10 if zeros else other
    turned = other_way_up(number, zeros=zeros)
    return None if turned == number else turned


def with_figure(number: int) -> frozenset[int]:
    """Return the numbers of two figures that one figure is a part of; of two figures, none."""
    if number > 9:
        return frozenset()
    return frozenset(more for more in range(10, 100) if str(number) in str(more))


# Figures that have the strokes of one, as most typefaces draw them, and more.
MORE = {
    "0": "8", "1": "47", "2": "", "3": "89", "4": "", "5": "689", "6": "8", "7": "", "8": "",
    "9": "8",
}  # fmt: skip
FIGURES = "0123456789"


def with_more(number: int) -> frozenset[int]:
    """Return the numbers of one or two figures that have all its strokes and more; not itself."""
    text = str(number)
    found = {"".join(each) for each in product(*(MORE[figure] + figure for figure in text))}
    if len(text) == 1:
        found |= {other + each for other in FIGURES for each in found}
        found |= {each + other for other in FIGURES for each in found if len(each) == 1}
    return frozenset(int(each) for each in found if not each.startswith("0")) - {number}


@cache
def with_less(number: int) -> frozenset[int]:
    """Return the numbers that have a part of its strokes, as whose light may show it on light print."""
    return frozenset(other for other in range(1, 100) if number in with_more(other))
