"""Calibrate a camera: find the ball, learn the empty scene, say what is amiss.

It works on one still, or on a stretch of frames: where balls rest, what stands still, what moves.
Advice is given in figures with their good ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision import background, exit_area, finding, health
from draws.balls.vision.exit_area import Area
from draws.balls.vision.finding import Finder
from draws.balls.vision.jpeg_pictures import smaller
from draws.balls.vision.recording import FrameFolder
from draws.balls.vision.values import Frame, Picture, Spot

WORKING = 480  # pixels of the longer side on which circles are sought
SHARES = (0.035, 0.24)  # of the longer side: the least and the largest radius of a ball
BAND = 1.35  # the largest radius of one search against the least
LIKELY = 0.6  # share of the rim that must be edge
FEW = 8  # pairs of frames that prove something of their grain
GRID, GRAINY = 8, 0.8  # parts of each side, and the share of parts that differ where there is grain
LIVELY = 40.0  # grey levels by which what always moves changes
GOOD_LIGHT = (60.0, 215.0)  # mean grey level around the ball
GOOD_FOCUS = 14.0  # mean of the strongest steps that a sharp picture has
GOOD_RADIUS = 32.0  # pixels from which both digits are read well


@dataclass(frozen=True, slots=True)
class Advice:
    """What is amiss with how a camera stands, as a code, and the figure that says so."""

    code: str
    value: float


def suggest(
    picture: Picture, *, at_most: int = 8, shares: tuple[float, float] = SHARES
) -> list[Spot]:
    """Return the likeliest balls of a still, (h, w, 3) or grey, the one with the wholest rim first.

    `shares` of the longer side are the least and the largest radius. Circles within each other, as
    a ball in a cup, are both given.
    """
    scale = min(1.0, WORKING / max(picture.shape[:2]))
    high, wide = picture.shape[:2]
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    # A ball may be as light as its ground and yet of another colour.
    planes = cv2.split(small) if small.ndim == 3 else [small]
    found: list[finding.Rim] = []
    for plane in planes:
        least, most = (share * max(plane.shape) for share in shares)
        while least < most:
            found += _circles(cv2.medianBlur(plane, 3), least, min(least * BAND, most))  # type: ignore[arg-type]
            least *= BAND
    found.sort(key=lambda each: -each.share)
    return _apart([Spot(one.x / scale, one.y / scale, one.radius / scale) for one in found])[
        :at_most
    ]


def _circles(plane: Picture, least: float, most: float) -> list[finding.Rim]:
    """Return the circles of a narrow band of radii: of circles within each other one search gives one."""
    circles = cv2.HoughCircles(
        plane, cv2.HOUGH_GRADIENT_ALT, 1.5, least / 2, param1=70, param2=0.6,
        minRadius=round(least), maxRadius=round(most),
    )  # fmt: skip
    if circles is None:
        return []
    fitted = [
        finding.fit(plane, float(x), float(y), float(radius))
        for x, y, radius in circles.reshape(-1, 3)[:20]
    ]
    return [each for each in fitted if each.share > LIKELY]


def learn(
    area: Area, pictures: Sequence[Picture], *, empty: Sequence[Picture] | None = None
) -> Area:
    """Return an area with what frames teach: light, focus, the still scene, the area without a ball.

    `pictures` are frames of a second or more; one will do, but then nothing is known of what
    moves. `empty` are those of them without a ball, by default all.
    """
    without = pictures if empty is None else empty
    scene, mask = background.learn(area, pictures)
    light = float(scene[mask > 0].mean()) if (mask > 0).any() else float(scene.mean())
    return replace(
        area,
        light=light,
        focus=float(np.median([health.sharpness(picture, area) for picture in pictures[:9]])),
        noisy=_is_noisy(pictures),
        still=exit_area.encode(scene),
        mask=exit_area.encode(mask),
        empty=_empty(area, without) if len(without) else b"",
    )


def require_usable(document: Mapping[str, Any]) -> None:
    """Read settings back as the process that watches will, before they are stored.

    Raises Refusal bad_camera_settings(field).
    """
    area = exit_area.read(document)
    Finder(area)
    background.Still(area)


def lively(run: Sequence[Picture], step: int) -> tuple[int, int, int, int] | None:
    """Suggest a patch that always moves: x, y, width, height, or None where nothing does.

    `run` are grey frames in a row, of three seconds or more, every `step`-th pixel of them; the
    patch changed in each third.
    """
    if len(run) < 24:
        return None
    parts = np.array_split(np.stack(run).astype(np.float32), 3)
    changes = np.min([part.max(axis=0) - part.min(axis=0) for part in parts], axis=0)
    changes = cv2.boxFilter(changes, -1, (7, 7))
    _low, most, _where, (x, y) = cv2.minMaxLoc(changes)
    if most < LIVELY:
        return None
    size = 8 * step
    height, width = (side * step for side in run[0].shape)
    left = min(max(0, x * step - size // 2), width - size - step)
    top = min(max(0, y * step - size // 2), height - size - step)
    return left, top, size, size


def _empty(area: Area, pictures: Sequence[Picture]) -> bytes:
    finder = Finder(replace(area, empty=b""))
    crops = np.stack([finder.crop(picture) for picture in pictures])
    return exit_area.encode(np.median(crops, axis=0).astype(np.uint8))


def advise(picture: Picture, area: Area) -> list[Advice]:
    """Tell what is amiss: too_dark, too_light, not_sharp, too_small, too_near_edge, featureless."""
    left, top, right, bottom = area.box
    grey = float(finding.grey(picture[top:bottom, left:right]).mean())
    focus = health.sharpness(picture, area)
    near = min(left, top, area.size[0] - right, area.size[1] - bottom)
    found = []
    if grey < GOOD_LIGHT[0]:
        found.append(Advice("too_dark", grey))
    if grey > GOOD_LIGHT[1]:
        found.append(Advice("too_light", grey))
    if focus < GOOD_FOCUS:
        found.append(Advice("not_sharp", focus))
    if area.radius < GOOD_RADIUS:
        found.append(Advice("too_small", area.radius))
    if near <= 0:
        found.append(Advice("too_near_edge", float(near)))
    if area.still and background.Still(area).tiles < 6:
        found.append(Advice("featureless", float(background.Still(area).tiles)))
    return found


def is_grainy(one: Picture, other: Picture) -> bool:
    """Return whether two frames in a row differ nearly everywhere, not only where something moves."""
    step_y, step_x = (max(1, side // GRID) for side in one.shape[:2])
    same = total = 0
    for top in range(0, one.shape[0] - step_y + 1, step_y):
        for left in range(0, one.shape[1] - step_x + 1, step_x):
            part = (slice(top, top + step_y), slice(left, left + step_x))
            same += np.array_equal(one[part], other[part])
            total += 1
    return same <= (1 - GRAINY) * total


def _is_noisy(pictures: Sequence[Picture]) -> bool:
    """Return whether frames in a row always differ; a few frames prove nothing."""
    pairs = list(pairwise(pictures))
    return len(pairs) >= FEW and all(is_grainy(one, other) for one, other in pairs)


def _apart(spots: Sequence[Spot]) -> list[Spot]:
    kept: list[Spot] = []
    for spot in spots:
        if not any(_is_like(one, spot, 0.3, 0.12) for one in kept):
            kept.append(spot)
    return kept


def _is_like(one: Spot, other: Spot, off: float, size: float) -> bool:
    """Return whether two circles are one, but for these parts of the first one's radius."""
    near = np.hypot(one.x - other.x, one.y - other.y) < off * one.radius
    return bool(near) and abs(one.radius - other.radius) < size * one.radius


KEPT = 60  # frames spread over the stretch, whatever its length
RUN = 100  # first frames in a row, kept small
SMALL = 320  # pixels of their width
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
        """Add frames; give itself. Raises Refusal resolution_changed(width, height): they are of one size."""
        for frame in frames:
            height, width = frame.picture.shape[:2]
            if self.pictures and self.pictures[0].shape[:2] != (height, width):
                raise Refusal("resolution_changed", width=width, height=height)
            self._add(frame.picture)
        return self

    def _add(self, picture: Picture) -> None:
        if self._count < RUN:
            self._step = max(1, picture.shape[1] // SMALL)
            small = picture[:: self._step, :: self._step]
            self._run.append(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))  # type: ignore[arg-type]
            self._same += self._last is not None and not is_grainy(self._last, picture)
            self._last = picture
        if self._count % self._every == 0:
            self.pictures.append(picture)
        self._count += 1
        if len(self.pictures) > KEPT:
            self.pictures, self._every = self.pictures[::2], self._every * 2

    def lively(self) -> tuple[int, int, int, int] | None:
        """Suggest a patch that always moves; whether it always will, only a person knows."""
        return lively(self._run, self._step)

    def area(self, *, fps: float, spot: Spot | None = None) -> Area:
        """Return the settings; `spot` is where a ball rests, otherwise it is sought.

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
        drawn = exit_area.around(spot.x, spot.y, spot.radius, (width, height), fps=fps)
        empty = [picture for picture in self.pictures if _is_bare(picture, spot)]
        learned = learn(drawn, self.pictures, empty=empty)
        noisy = self._count > FEW and not self._same
        return replace(learned, noisy=noisy)


def _measured(area: Area, pictures: Sequence[Picture]) -> Spot | None:
    """Return the middle of what single balls measure in an area that is known already."""
    finder = Finder(area)
    spots = [finder.look(finder.crop(picture)).spot for picture in pictures]
    found = [spot for spot in spots if spot]
    return Spot.median(found) if len(found) >= LEAST else None


def _resting(pictures: Sequence[Picture]) -> Spot | None:
    """Find the place at which a circle of one size comes and goes."""
    scale = min(1.0, WORKING / max(pictures[0].shape[:2]))
    stack = np.stack([smaller(picture, scale) for picture in pictures])
    # What balls cover for a part of the time only is seen bare in the others, lighter or darker.
    dark, light = np.percentile(stack, BARELY, axis=0).astype(np.uint8)
    best: list[Spot] = []
    for ground in (dark, light):
        seen = [
            spot
            for picture in stack
            for spot in suggest(_beyond(picture, ground, ground is light), at_most=6)
        ]
        alike = ([other for other in seen if _is_like(one, other, 0.5, 0.15)] for one in seen)
        best = max([best, *alike], key=len)
    if len(best) < LEAST:
        return None
    spot = Spot.median(best)
    return Spot(spot.x / scale, spot.y / scale, spot.radius / scale)


def _beyond(picture: Picture, ground: Picture, darker: bool) -> Picture:
    """Return how much lighter, or darker, than the ground the colour is that differs most."""
    change = cv2.subtract(ground, picture) if darker else cv2.subtract(picture, ground)
    return np.ascontiguousarray(change.max(axis=2))


def _is_bare(picture: Picture, spot: Spot) -> bool:
    # Made as small as a ball is sought, so that grain is no edge.
    scale = min(1.0, 20 / spot.radius)
    small = cv2.resize(
        finding.grey(picture), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
    )
    found = finding.fit(small, spot.x * scale, spot.y * scale, spot.radius * scale)  # type: ignore[arg-type]
    return found.share < BARE


TILES = 6  # of the scene that can be recognised, the fewest


@dataclass(frozen=True, slots=True)
class Hint:
    """One figure: `value` between `least` and `most`, good from `low` to `high`."""

    name: str
    value: float
    least: float
    low: float
    high: float
    most: float

    @property
    def verdict(self) -> str:
        """Whether it is good, too low or too high."""
        if self.value < self.low:
            return "low"
        return "high" if self.value > self.high else "good"


def suggested(picture: Picture, empty: Picture | None = None) -> Spot:
    """Return the likeliest ball of a still, or a circle in its middle where none is seen.

    `empty` is the same scene without it: what differs is the ball, whatever else is round.
    """
    found: list[Spot] = []
    if empty is not None and empty.shape == picture.shape:
        change = cv2.absdiff(picture, empty).max(axis=2)
        found = suggest(cv2.cvtColor(change, cv2.COLOR_GRAY2BGR), at_most=1)
    found = found or suggest(picture, at_most=1)
    height, width = picture.shape[:2]
    return found[0] if found else Spot(width / 2, height / 2, min(width, height) / 8)


def hints(picture: Picture, spot: Spot) -> tuple[Hint, ...]:
    """Return light, focus, size and what the scene is known by; Raises Refusal bad_camera_settings."""
    height, width = picture.shape[:2]
    drawn = exit_area.around(spot.x, spot.y, spot.radius, (width, height))
    learned = learn(drawn, [picture], empty=[])
    left, top, right, bottom = drawn.box
    light = float(finding.grey(picture[top:bottom, left:right]).mean())
    tiles = background.Still(learned).tiles if learned.still else 0
    sharp = health.sharpness(picture, drawn)
    return (
        Hint("light", light, 0, GOOD_LIGHT[0], GOOD_LIGHT[1], 255),
        Hint("focus", sharp, 0, GOOD_FOCUS, 1000, GOOD_FOCUS * 4),
        Hint("size", spot.radius, 0, GOOD_RADIUS, 10_000, GOOD_RADIUS * 4),
        Hint("scene", float(tiles), 0, TILES, 10_000, background.ROWS * background.COLUMNS),
    )


def learned(shelves: Iterable[FrameFolder], spot: Spot, *, fps: float, moving: bool) -> Area:
    """Return the settings of a camera from the frames kept of it; `moving`: something always moves.

    Raises Refusal: no_still, bad_camera_settings.
    """
    survey = Survey()
    pictures = [picture for shelf in shelves for picture in shelf.pictures()]
    if not pictures:
        raise Refusal("no_still")
    shape = pictures[0].shape
    alike = [picture for picture in pictures if picture.shape == shape]
    survey.take(Frame(picture, place / fps, place) for place, picture in enumerate(alike))
    area = survey.area(fps=fps, spot=spot)
    patch = survey.lively() if moving else None
    return exit_area.read(area.document() | {"moving_patch": list(patch) if patch else None})


def read_hints(shelf: FrameFolder) -> Picture | None:
    """Return the last frame kept, None where there is none."""
    file = shelf.still()
    return cv2.imread(str(file)) if file.is_file() else None  # type: ignore[return-value]
