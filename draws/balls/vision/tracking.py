"""Track balls in the exit area: from what it holds frame by frame to stays of single balls.

    empty → moving → resting → read → gone

A stay lasts until the area was seen empty, however often a hand or a fault hid the ball between;
a ball that lies where the last one lay and looks the same is the same ball. The next ball after
an empty area is another one, look as it may.

Two pictures of an exit are compared to tell whether they show the same thing, lying as it lay.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from draws.balls.vision.values import Picture, Reals, Sight, Spot

STILL = 0.25  # radii by which what is found of a resting ball's middle may be off
TRACKING_ALIKE = 4.5  # mean grey levels by which a resting ball's picture may differ from the last
FLICKER = 0.75, 1.33  # how much lighter or darker a lamp may be in the next frame
SPOTS = 9  # findings of its middle from which the true one is taken
SAME = 0.80  # correlation of two looks at one ball that stays
CALM = 0.06  # seconds without a movement that are rest
GONE = 0.06  # seconds of emptiness that end a stay
LASTING = 0.35  # seconds that two balls or a hand must last to be told
PASSING = 0.5  # seconds of a ball that are more than its way through the exit
LOOK = 24  # pixels of a side of a ball's remembered look
NEXT = 0.5  # seconds between two frames in which a ball may have been nudged, and not replaced


class ExitState(Enum):
    """Where the exit area stands."""

    EMPTY = auto()
    MOVING = auto()
    RESTING = auto()
    READ = auto()


class FrameChange(Enum):
    """What a frame changed: a ball began to rest, left, passed without a rest, or it is no ball."""

    RESTED = auto()
    GONE = auto()
    PASSED = auto()
    SEVERAL = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class _Last:
    spot: Spot
    look: Reals
    at: float


class Rest:
    """The state of one exit area; `see` each frame in its order."""

    def __init__(self) -> None:
        """Begin with an area of which nothing is known."""
        self.state = ExitState.EMPTY
        self.rested = 0.0
        self._anchor: Spot | None = None
        self._spots: deque[Spot] = deque(maxlen=SPOTS)
        self._last: _Last | None = None
        self._read: _Last | None = None
        self._calm_since: float | None = None
        self._empty_since: float | None = None
        self._odd_since: float | None = None
        self._odd = ""
        self._full_since: float | None = None
        self._ball_until = -1.0
        self._lay = self._was_odd = False

    @property
    def is_calm(self) -> bool:
        """Whether the ball has not moved since the frame before; it may not rest for long yet."""
        return self._calm_since is not None

    @property
    def spot(self) -> Spot | None:
        """The middle of where the ball was found while it lay there."""
        return Spot.median(self._spots) if self._spots else None

    def see(self, sight: Sight, picture: Picture, at: float) -> FrameChange | None:
        """Take what a frame holds; `picture` is the frame it was found in, `at` its seconds."""
        if sight.kind != "empty" and self._full_since is None:
            self._full_since, self._ball_until = at, -1.0
        if sight.kind == "ball" and sight.spot:
            return self._ball(sight.spot, picture, at)
        self._last, self._calm_since = None, None
        if sight.kind == "empty":
            return self._empty(at)
        self._empty_since = None
        if self.state is not ExitState.READ:
            self.state = ExitState.MOVING
        return self._strange(sight.kind, at)

    def hide(self) -> None:
        """Nothing can be said of this frame: a fault covers it; a stay goes on."""
        self._last, self._calm_since, self._empty_since = None, None, None
        self._odd_since, self._odd = None, ""
        if self.state is not ExitState.READ:
            self.state = ExitState.MOVING if self.state is not ExitState.EMPTY else ExitState.EMPTY

    def mark_read(self) -> None:
        """The resting ball was read: it is read once, however long it stays."""
        self._read = self._last
        self.state = ExitState.READ

    def _ball(self, spot: Spot, picture: Picture, at: float) -> FrameChange | None:
        self._empty_since, self._odd_since, self._odd = None, None, ""
        self._ball_until = at
        last, self._last = self._last, self._seen(spot, picture, at)
        if last is not None and not 0 <= at - last.at <= NEXT:
            # The camera stalled: nobody saw whether it is the same ball.
            last = None
        if self.state is ExitState.READ:
            return self._still_there(last)
        calm = last is not None and _is_calm(last, self._last)
        if not calm:
            self._calm_since = None
            self._spots = deque([spot], maxlen=SPOTS)
            self.state = ExitState.MOVING
            return None
        self._lay = True
        if self._calm_since is None:
            self._calm_since = at
        if self.state is ExitState.RESTING or at - self._calm_since < CALM:
            return None
        self.state, self.rested = ExitState.RESTING, self._calm_since
        return FrameChange.RESTED

    def _seen(self, spot: Spot, picture: Picture, at: float) -> _Last:
        """Look where the ball was seen first: a place found anew each time differs by a hair."""
        if self._anchor is None or _distance(self._anchor, spot) > STILL:
            self._anchor = spot
            self._spots.clear()
        self._spots.append(spot)
        return _Last(spot, look_of(picture, self._anchor, reach=0.75), at)

    def _still_there(self, last: _Last | None) -> FrameChange | None:
        """Follow the ball that was read; one that is not it begins a stay of its own."""
        assert self._last is not None
        if last is not None and _distance(last.spot, self._last.spot) < 0.5:
            # A ball that was nudged is remembered as it lies now.
            self._read = self._last
            return None
        if self._read is not None and _is_same(self._read, self._last):
            return None
        self._leave(ExitState.MOVING)
        return FrameChange.GONE

    def _empty(self, at: float) -> FrameChange | None:
        self._odd_since, self._odd = None, ""
        if self.state is ExitState.EMPTY:
            return None
        if self._empty_since is None:
            self._empty_since = at
        if at - self._empty_since < GONE:
            return None
        was_read = self.state is ExitState.READ
        passed = not was_read and (self._lay or self._was_long_there())
        self._leave(ExitState.EMPTY)
        if passed:
            return FrameChange.PASSED
        return FrameChange.GONE if was_read else None

    def _was_long_there(self) -> bool:
        """Return whether a ball was there, however ill it was seen, and nothing was told of that."""
        since = self._full_since
        return since is not None and self._ball_until - since >= PASSING and not self._was_odd

    def _strange(self, kind: str, at: float) -> FrameChange | None:
        """Tell two balls or another thing once, when it lasts."""
        if kind not in ("several", "other"):
            return None
        if self._odd_since is None:
            self._odd_since = at
        if self._odd or at - self._odd_since < LASTING:
            return None
        self._odd, self._was_odd = kind, True
        return FrameChange.SEVERAL if kind == "several" else FrameChange.OTHER

    def _leave(self, state: ExitState) -> None:
        self.state, self._read, self._lay, self._was_odd = state, None, False, False
        self._empty_since, self._calm_since, self._full_since = None, None, None


def look_of(picture: Picture, spot: Spot, *, reach: float) -> Reals:
    """Return a ball small and grey, (LOOK, LOOK), as far as `reach` of its radii."""
    far = spot.radius * reach
    left, right = max(0, round(spot.x - far)), round(spot.x + far)
    top, bottom = max(0, round(spot.y - far)), round(spot.y + far)
    part = picture[top : bottom + 1, left : right + 1]
    small = cv2.resize(part, (LOOK, LOOK), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)


def correlation(one: Reals, other: Reals) -> float:
    """Return how like two looks are, from -1 to 1; the mean of each is 0."""
    size = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return 1.0 if size < 1e-6 else float((one * other).sum()) / size


def _is_calm(before: _Last, now: _Last) -> bool:
    if _distance(before.spot, now.spot) > STILL:
        return False
    # Lamps flicker: all of a ball that rests is as much lighter or darker.
    gain = float(before.look.mean()) / max(1.0, float(now.look.mean()))
    return FLICKER[0] < gain < FLICKER[1] and (
        float(np.abs(before.look - now.look * gain).mean()) < TRACKING_ALIKE
    )


def _is_same(read: _Last, now: _Last) -> bool:
    if _distance(read.spot, now.spot) > 0.3:
        return False
    return correlation(read.look - read.look.mean(), now.look - now.look.mean()) > SAME


def _distance(one: Spot, other: Spot) -> float:
    """Return the distance of two middles in radii."""
    return float(np.hypot(one.x - other.x, one.y - other.y)) / one.radius


LIKENESS_LOOK, PART = 48, 8  # pixels of a side to which a picture is shrunk, and of its parts
# Grey levels: a part of a ball that stays is off by one or two, of another or a turned one by 20.
LIKENESS_ALIKE = 8.0


def alike(first: bytes, second: bytes) -> bool:
    """Return whether two JPEGs of one exit area show the same in each part, light aside.

    In doubt they do not: what is asked twice can be dismissed, a ball taken for another is lost.
    """
    one, other = _look_likeness(first), _look_likeness(second)
    if one is None or other is None:
        return False
    away = one - other
    parts = np.abs(away - np.median(away)).reshape(
        LIKENESS_LOOK // PART, PART, LIKENESS_LOOK // PART, PART
    )
    return float(parts.mean(axis=(1, 3)).max()) < LIKENESS_ALIKE


def _look_likeness(jpeg: bytes) -> Reals | None:
    """Return a picture small and grey, (LOOK, LOOK); None where it is none."""
    read = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) if jpeg else None
    if read is None:
        return None
    return cv2.resize(read, (LIKENESS_LOOK, LIKENESS_LOOK), interpolation=cv2.INTER_AREA).astype(
        np.float32
    )
