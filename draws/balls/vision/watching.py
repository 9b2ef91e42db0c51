"""Watch one camera's frames and report the balls that come to rest, and its faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np

from bingo.rules.refusal import Refusal
from draws.balls.vision import jpeg_pictures
from draws.balls.vision.exit_area import Area
from draws.balls.vision.finding import Finder
from draws.balls.vision.health import HIDING, CameraHealth
from draws.balls.vision.network import Glance, Scores
from draws.balls.vision.prints import Opinion, Prints
from draws.balls.vision.second_look import is_coin
from draws.balls.vision.tracking import ExitState, FrameChange, Rest
from draws.balls.vision.values import BallReading, Event, Frame, Health, Picture, Spot
from draws.balls.vision.verdict import ReadingVerdict, is_doubtful, is_open

FEWEST, MOST = 3, 5  # glances at one ball
SURE = 0.97  # confidence that needs no more glances
REASONS = {FrameChange.SEVERAL: "two_balls", FrameChange.OTHER: "hand", FrameChange.PASSED: "moved"}
COIN = "coin"  # the reason why a coin's number may not be announced
BLINDING = {"no_signal", "frozen", "dark", "covered", "moved", "out_of_focus"}


class BallReader(Protocol):
    """What reads a ball whose place is known: `draws.balls.vision.reader.Eye`, or a test's."""

    def look(
        self,
        picture: Picture,
        *,
        centre: tuple[float, float],
        radius: float,
        near: float | None = None,
        turn: int = 0,
    ) -> Glance:
        """Read one picture of a ball, the `turn`th; `near` an angle in degrees already found."""

    def look_closely(
        self, picture: Picture, *, centre: tuple[float, float], radius: float, first: Glance
    ) -> Sequence[Glance]:
        """Look a second time at a ball that is left in doubt; nothing where there is no second look."""

    def spell(
        self, picture: Picture, *, centre: tuple[float, float], radius: float
    ) -> Scores | None:
        """Return each number's share (100,) at a third look, None where there is none."""


class Judge(Protocol):
    """What makes one verdict of the glances at a ball: `draws.balls.vision.verdict.verdict`."""

    def __call__(
        self,
        glances: Sequence[Glance],
        *,
        format: int,
        drawn: frozenset[int] = frozenset(),
        opinion: Opinion | None = None,
        second: Sequence[Glance] = (),
        third: Scores | None = None,
    ) -> ReadingVerdict:
        """Return the number, or the reason why none may be announced."""


def look_closer(
    eye: BallReader, judge: Callable[..., ReadingVerdict], picture: Picture, spot: Spot,
    glances: Sequence[Glance], second: Sequence[Glance] | None = None,
) -> ReadingVerdict:  # fmt: skip
    """Return the verdict on a ball looked at a second time, and a third where that leaves it open.

    What is a coin gets no number. `second` is the second look where it was taken already.
    """
    found = _looked_closer(eye, judge, picture, spot, glances, second)
    if found.number is not None and is_coin(picture, centre=spot.centre, radius=spot.radius):
        return replace(found, number=None, reason=COIN)
    return found


def _looked_closer(
    eye: BallReader, judge: Callable[..., ReadingVerdict], picture: Picture, spot: Spot,
    glances: Sequence[Glance], second: Sequence[Glance] | None,
) -> ReadingVerdict:  # fmt: skip
    if second is None:
        second = eye.look_closely(picture, centre=spot.centre, radius=spot.radius, first=glances[0])
    found = judge(glances, second=second)
    if not second or not is_open(judge(glances), found, second):
        return found
    third = eye.spell(picture, centre=spot.centre, radius=spot.radius)
    return found if third is None else judge(glances, second=second, third=third)


class Watcher:
    """One camera in one game: frames in, readings and faults out; keeps nothing that grows.

    Set `drawn` to the numbers already drawn before each ball, `prints` to those of the set's balls
    where they are known; `wait` says after how many seconds
    without a ball one is said to be missing, once (0, as at first: never).
    """

    def __init__(
        self, area: Area, *, format: int, eye: BallReader, judge: Judge, live: bool = True
    ) -> None:
        """Prepare to watch an area for the balls of a format."""
        self.area, self.format = area, format
        self.drawn: frozenset[int] = frozenset()
        self.prints: Prints | None = None
        self.patience = 0.0
        self.health = CameraHealth(area, live=live)
        self._eye, self._judge = eye, judge
        self._finder = Finder(area)
        self._rest = Rest()
        self._glances: list[Glance] = []
        self._opinion: Opinion | None = None
        self._small: Picture | None = None
        self._ball: Frame | None = None
        self._waiting_since: float | None = None

    def read_by(self, *, format: int, eye: BallReader, judge: Judge) -> None:
        """Read the balls from now on as those of another format or set."""
        self.format, self._eye, self._judge = format, eye, judge

    def wait(self, patience: float) -> None:
        """Begin to wait for a ball: after so many seconds of an empty exit it is missing; 0 never."""
        self.patience, self._waiting_since = patience, None

    @property
    def state(self) -> ExitState:
        """What stands in the exit area."""
        return self._rest.state

    def see(self, frame: Frame) -> list[Event]:
        """Take the next frame; return what it brought.

        Raises Refusal resolution_changed(width, height) when it is not of the area's size.
        """
        self._require_size(frame.picture)
        told: list[Event] = list(self.health.see(frame))
        if self.health.faults & BLINDING or self.health.doubted & HIDING:
            self._rest.hide()
            self._glances = []
            self._waiting_since = None
            return told
        small = self._finder.crop(frame.picture)
        if self._is_repeated(small):
            return told
        told += self._follow(frame, small)
        return told

    def silence(self, at: float) -> list[Health]:
        """Say that no frame came; `at` seconds on the frames' clock."""
        return self.health.silence(at)

    def _require_size(self, shown: Picture) -> None:
        height, width = shown.shape[:2]
        if (width, height) != self.area.size:
            raise Refusal("resolution_changed", width=width, height=height)

    def _is_repeated(self, small: Picture) -> bool:
        """Tell a frame given twice by a camera whose frames always differ: it proves no rest."""
        before, self._small = self._small, small
        return self.area.noisy and before is not None and bool(np.array_equal(before, small))

    def _follow(self, frame: Frame, small: Picture) -> list[Event]:
        sight = self._finder.look(small)
        moment = self._rest.see(sight, frame.picture, frame.at)
        if sight.kind != "empty":
            self._waiting_since = None
        if moment is FrameChange.PASSED and self._ball:
            # A ball that never lay still must not be lost: its last picture is put to the caller.
            frame, self._ball = self._ball, None
        if moment in REASONS:
            return [self._unread_ball(frame, REASONS[moment], frame.at)]
        self._ball = frame if sight.kind == "ball" else self._ball
        if self._rest.is_calm and self._rest.state is not ExitState.READ and self._rest.spot:
            # Looked at before its rest is sure: nothing is told of it unless it stays.
            return self._glance(frame, self._rest.spot)
        self._glances = []
        return self._missing(frame) if sight.kind == "empty" else []

    def _glance(self, frame: Frame, spot: Spot) -> list[Event]:
        """Look once more, and tell when the ball surely rests and was looked at often enough."""
        if len(self._glances) < MOST:
            self._look(frame, spot)
        if len(self._glances) < FEWEST or self._rest.state is not ExitState.RESTING:
            return []
        found = self._judge(
            self._glances, format=self.format, drawn=self.drawn, opinion=self._opinion
        )
        if len(self._glances) < MOST and (found.number is None or found.confidence < SURE):
            return []
        if is_doubtful(found, self._opinion):
            judge = partial(
                self._judge, format=self.format, drawn=self.drawn, opinion=self._opinion
            )
            found = look_closer(self._eye, judge, frame.picture, spot, self._glances)
        self._rest.mark_read()
        self._glances = []
        return [
            BallReading(
                found.number, found.confidence, found.runner_up, found.candidates, found.reason,
                frame.at, frame.index, self._rest.rested,
                jpeg_pictures.jpeg(frame.picture, self.area), frame.file,
            )
        ]  # fmt: skip

    def _look(self, frame: Frame, spot: Spot) -> None:
        """Look at all angles at first, then near the best of those found so far."""
        best = max(self._glances, key=lambda glance: glance.confidence, default=None)
        near = best.angle if best and best.number is not None else None
        turn = len(self._glances)
        glance = self._eye.look(
            frame.picture, centre=spot.centre, radius=spot.radius, near=near, turn=turn
        )
        self._glances.append(glance)
        if turn == 0:
            # Only the first looks for numbers all round the ball.
            self._opinion = (
                self.prints.compare(frame.picture, spot, glance) if self.prints else None
            )

    def _missing(self, frame: Frame) -> list[Event]:
        if not self.patience:
            return []
        if self._waiting_since is None:
            self._waiting_since = frame.at
        if frame.at - self._waiting_since < self.patience:
            return []
        self._waiting_since = float("inf")
        return [self._unread_ball(frame, "missing", frame.at)]

    def _unread_ball(self, frame: Frame, reason: str, since: float) -> BallReading:
        shown = jpeg_pictures.jpeg(frame.picture, self.area)
        return BallReading(
            None, 0.0, None, (), reason, frame.at, frame.index, since, shown, frame.file
        )
