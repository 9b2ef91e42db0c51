"""Sets a camera up from a stretch of its frames: where balls rest, what stands still, what moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.vision import area as areas
from draws.vision import calibration, rim
from draws.vision.area import Area
from draws.vision.finding import Finder
from draws.vision.values import Frame, Picture, Spot

KEPT = 60  # frames spread over the stretch, whatever its length
RUN = 100  # first frames in a row, kept small
SMALL = 320  # pixels of their width
WORKING = 480  # pixels of the longer side on which the ball is sought
BARELY = (8, 92)  # percent of the frames that show what lies under a ball, dark or light
LEAST = 3  # frames in which a resting ball must be seen
BARE = 0.45  # share of a rim below which no ball lies there


class Survey:
    """Takes frames in their order and keeps a bounded choice of them."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.pictures: list[Picture] = []
        self._step = self._count = self._same = 0
        self._every = 1
        self._run: list[Picture] = []
        self._last: Picture | None = None

    def take(self, frames: Iterable[Frame]) -> Survey:
        """Add frames; give itself."""
        for frame in frames:
            self._add(frame.picture)
        return self

    def _add(self, picture: Picture) -> None:
        if self._count < RUN:
            self._step = max(1, picture.shape[1] // SMALL)
            small = picture[:: self._step, :: self._step]
            self._run.append(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))  # type: ignore[arg-type]
            self._same += self._last is not None and not calibration.is_grainy(self._last, picture)
            self._last = picture
        if self._count % self._every == 0:
            self.pictures.append(picture)
        self._count += 1
        if len(self.pictures) > KEPT:
            self.pictures, self._every = self.pictures[::2], self._every * 2

    def lively(self) -> tuple[int, int, int, int] | None:
        """Suggest a patch that always moves; whether it always will, only a person knows."""
        return calibration.lively(self._run, self._step)

    def area(self, *, fps: float, spot: Spot | None = None) -> Area:
        """Give the settings; `spot` is where a ball rests, otherwise it is sought.

        Raises Refusal no_ball_found when nothing round comes and goes at one place.
        """
        if not self.pictures:
            raise Refusal("no_ball_found")
        if spot is not None:
            return self._learned(spot, fps)
        spot = _resting(self.pictures)
        if spot is None:
            raise Refusal("no_ball_found")
        rough = self._learned(spot, fps)
        return self._learned(_measured(rough, self.pictures) or spot, fps)

    def _learned(self, spot: Spot, fps: float) -> Area:
        height, width = self.pictures[0].shape[:2]
        drawn = areas.around(spot.x, spot.y, spot.radius, (width, height), fps=fps)
        empty = [picture for picture in self.pictures if _is_bare(picture, spot)]
        learned = calibration.learn(drawn, self.pictures, empty=empty)
        noisy = self._count > calibration.FEW and not self._same
        return replace(learned, noisy=noisy)


def _measured(area: Area, pictures: Sequence[Picture]) -> Spot | None:
    """Give the middle of what single balls measure in an area that is known already."""
    finder = Finder(area)
    spots = [finder.look(finder.crop(picture)).spot for picture in pictures]
    values = [(spot.x, spot.y, spot.radius) for spot in spots if spot]
    if len(values) < LEAST:
        return None
    x, y, radius = np.median(values, axis=0)
    return Spot(float(x), float(y), float(radius))


def _resting(pictures: Sequence[Picture]) -> Spot | None:
    """Find the place at which a circle of one size comes and goes."""
    scale = min(1.0, WORKING / max(pictures[0].shape[:2]))
    stack = np.stack(
        [
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            for picture in pictures
        ]
    )
    # What balls cover for a part of the time only is seen bare in the others, lighter or darker.
    dark, light = np.percentile(stack, BARELY, axis=0).astype(np.uint8)
    best: list[Spot] = []
    for ground in (dark, light):
        seen = [
            spot
            for picture in stack
            for spot in calibration.suggest(_beyond(picture, ground, ground is light), at_most=6)
        ]
        best = max([best, *([o for o in seen if _is_like(s, o)] for s in seen)], key=len)
    if len(best) < LEAST:
        return None
    x, y, radius = np.median([(spot.x, spot.y, spot.radius) for spot in best], axis=0)
    return Spot(float(x) / scale, float(y) / scale, float(radius) / scale)


def _beyond(picture: Picture, ground: Picture, darker: bool) -> Picture:
    """Give how much lighter, or darker, than the ground the colour is that differs most."""
    change = cv2.subtract(ground, picture) if darker else cv2.subtract(picture, ground)
    return np.ascontiguousarray(change.max(axis=2))


def _is_like(one: Spot, other: Spot) -> bool:
    near = np.hypot(one.x - other.x, one.y - other.y) < 0.5 * one.radius
    return bool(near) and abs(one.radius - other.radius) < 0.15 * one.radius


def _is_bare(picture: Picture, spot: Spot) -> bool:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    # Made as small as a ball is sought, so that grain is no edge.
    scale = min(1.0, 20 / spot.radius)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = rim.fit(small, spot.x * scale, spot.y * scale, spot.radius * scale)  # type: ignore[arg-type]
    return found.share < BARE
