"""Looks at balls that are shown to be known: several pictures of each, read as in a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from bingo.rules.refusal import Refusal
from draws.vision import calibration, picture
from draws.vision.area import Area
from draws.vision.finding import Finder
from draws.vision.glance import Glance
from draws.vision.marks import other_way_up
from draws.vision.resting import Moment, Rest, State
from draws.vision.stills import FILLING, SHARES, SIZES
from draws.vision.values import Frame, Picture, Reals, Spot
from draws.vision.verdict import Verdict, verdict
from draws.vision.watching import Look

MOST = 6  # pictures of one stay
GLANCES = 3  # looks at one pose, on frames that follow each other
OTHER_POSE = 0.88  # correlation with an earlier pose below which it is another one
REACH = 1.25  # radii of a ball's picture
SIDE = 24  # pixels of a side of a pose's remembered look
SURELY = 0.5  # share from which a number read means something
TROUBLES = {Moment.SEVERAL: "two_balls", Moment.OTHER: "hand"}


@dataclass(frozen=True, slots=True)
class Pose:
    """One picture of a ball that rests: `spot` in that picture's own pixels, `picture` its JPEG.

    `plain` reads a 6 printed as 6, `padded` one printed as 06. Poses of one `stay` are of one ball.
    `guess` is the number read whether or not the set has it, None where nothing was.
    """

    stay: int
    plain: Verdict
    padded: Verdict
    guess: int | None
    marked: float
    angle: float
    spot: Spot
    picture: bytes
    at: float
    frame: int


class Eyes(Protocol):
    """The same reader twice, for sets that print 6 and for those that print 06."""

    @property
    def plain(self) -> Look:
        """Reads 6 as 6."""

    @property
    def padded(self) -> Look:
        """Reads 06 as 6 too."""


class Enroller:
    """One camera before which balls are shown; keeps nothing that grows.

    `trouble` is what lies there that is no single ball: two_balls, hand, or nothing.
    """

    def __init__(self, area: Area, *, format: int, eyes: Eyes) -> None:
        """Prepare to look at an area for the balls of a format."""
        self.area, self.format = area, format
        self.stay = 0
        self.trouble = ""
        self._eyes = eyes
        self._finder = Finder(area)
        self._rest = Rest()
        self._poses: list[Reals] = []
        self._number: int | None = None
        self._plain: list[Glance] = []
        self._padded: list[Glance] = []

    def see(self, frame: Frame) -> list[Pose]:
        """Take the next frame; give the pose that it completed, if any.

        Raises Refusal resolution_changed(width, height) when it is not of the area's size.
        """
        height, width = frame.picture.shape[:2]
        if (width, height) != self.area.size:
            raise Refusal("resolution_changed", width=width, height=height)
        sight = self._finder.look(self._finder.crop(frame.picture))
        moment = self._rest.see(sight, frame.picture, frame.at)
        self.trouble = TROUBLES.get(moment, self.trouble) if moment else self.trouble
        if sight.kind in ("empty", "ball"):
            self.trouble = ""
        if self._rest.state is State.EMPTY:
            self._begin()
        if self._rest.state is State.RESTING and sight.spot:
            return self._look(frame, sight.spot)
        self._plain, self._padded = [], []
        return []

    def _begin(self) -> None:
        """The next ball is another one."""
        self._poses, self._number = [], None

    def _look(self, frame: Frame, spot: Spot) -> list[Pose]:
        seen = look_of(frame.picture, spot)
        if len(self._poses) >= MOST or any(alike(seen, pose) > OTHER_POSE for pose in self._poses):
            return []
        self._plain.append(self._glance(self._eyes.plain, frame.picture, spot, self._plain))
        self._padded.append(self._glance(self._eyes.padded, frame.picture, spot, self._padded))
        if len(self._plain) < GLANCES:
            return []
        pose = self._pose(frame, spot)
        self._poses.append(seen)
        self._plain, self._padded = [], []
        return [pose]

    def _glance(self, eye: Look, shown: Picture, spot: Spot, before: list[Glance]) -> Glance:
        near = before[0].angle if before and before[0].number is not None else None
        return eye.look(shown, centre=spot.centre, radius=spot.radius, near=near, turn=len(before))

    def _pose(self, frame: Frame, spot: Spot) -> Pose:
        plain = verdict(self._plain, format=self.format)
        padded = verdict(self._padded, format=self.format, zeros=True)
        guess = _best(self._plain)
        if not self._poses:
            self.stay += 1
        else:
            self._split(guess)
        self._number = guess or self._number
        cut, place = cut_out(frame.picture, spot)
        best = max(self._plain, key=lambda glance: glance.confidence)
        return Pose(
            stay=self.stay, plain=plain, padded=padded, guess=guess,
            marked=min(glance.marked for glance in self._plain), angle=best.angle,
            spot=place, picture=picture.whole(cut), at=frame.at, frame=frame.index,
        )  # fmt: skip

    def _split(self, number: int | None) -> None:
        """Begin another stay where a hand put another ball in the place of the first, unseen."""
        if None in (number, self._number):
            return
        if number != self._number and number != other_way_up(self._number or 0, zeros=True):
            self._begin()
            self.stay += 1


def posed(frame: Frame, *, stay: int, format: int, eyes: Eyes) -> Pose:
    """Read a picture that shows one ball and nothing is known of, as `stills` does."""
    height, width = frame.picture.shape[:2]
    found = calibration.suggest(frame.picture, at_most=1, shares=SHARES)
    spot = found[0] if found else Spot(width / 2, height / 2, FILLING * min(width, height))
    plain, padded = (_looks(eye, frame.picture, spot) for eye in (eyes.plain, eyes.padded))
    cut, place = cut_out(frame.picture, spot)
    best = max(plain, key=lambda glance: glance.confidence)
    return Pose(
        stay=stay, plain=verdict(plain, format=format),
        padded=verdict(padded, format=format, zeros=True), guess=_best(plain),
        marked=min(glance.marked for glance in plain), angle=best.angle, spot=place,
        picture=picture.whole(cut), at=frame.at, frame=frame.index,
    )  # fmt: skip


def _looks(eye: Look, shown: Picture, spot: Spot) -> list[Glance]:
    first = eye.look(shown, centre=spot.centre, radius=spot.radius)
    near = first.angle if first.number is not None else None
    others = (
        eye.look(shown, centre=spot.centre, radius=spot.radius * size, near=near, turn=turn)
        for turn, size in enumerate(SIZES, start=1)
    )
    return [first, *others]


def cut_out(shown: Picture, spot: Spot, *, widest: int = 160) -> tuple[Picture, Spot]:
    """Give a ball's own small picture, at most `widest` pixels a side, and where it is in it."""
    reach = round(spot.radius * REACH)
    left, top = max(0, round(spot.x) - reach), max(0, round(spot.y) - reach)
    cut = shown[top : round(spot.y) + reach, left : round(spot.x) + reach]
    scale = min(1.0, widest / max(cut.shape[:2]))
    if scale < 1:
        cut = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    # The middle of a large pixel lies half a pixel off its corner, and so does that of a small one.
    x, y = ((at + 0.5) * scale - 0.5 for at in (spot.x - left, spot.y - top))
    return cut, Spot(x, y, spot.radius * scale)


def look_of(shown: Picture, spot: Spot) -> Reals:
    """Give a ball small and grey with mean 0, (SIDE, SIDE), its inner square."""
    reach = spot.radius * 0.7
    left, top = max(0, round(spot.x - reach)), max(0, round(spot.y - reach))
    part = shown[top : round(spot.y + reach) + 1, left : round(spot.x + reach) + 1]
    small = cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey - grey.mean(), np.float32)


def alike(one: Reals, other: Reals) -> float:
    """Give how like two looks are, from -1 to 1."""
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return 1.0 if size < 1e-6 else float((one * other).sum()) / size


def _best(glances: list[Glance]) -> int | None:
    """Give the number that the looks at a pose agree on, if they are sure enough to mean anything."""
    numbers = {glance.number for glance in glances if glance.confidence >= SURELY}
    return numbers.pop() if len(numbers) == 1 else None
