"""The health of a camera: each fault told within two seconds, and its end likewise."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from draws.balls.vision.background import Difference, Still
from draws.balls.vision.exit_area import Area
from draws.balls.vision.values import FAULTS, Fault, Frame, Health, Picture

EVERY = 0.15  # seconds between two looks at the whole scene
LASTING = 0.9  # seconds a fault must last to be told, and be gone to be over
GAP = 0.5  # seconds between two frames that are a break
SILENT = 1.3  # seconds without a frame
SAME = 1.0  # seconds without any change in a picture that always changes
PATCH = 1.4  # seconds without a change in the patch that always moves
HIDING: set[Fault] = {"dark", "covered", "moved"}  # in which the patch is not to be seen
STIR = 6.0  # grey levels by which the patch changes when it moves
LOOKS = 6  # looks over which frames are counted
RATE = (0.6, 1.6)  # of the rate the camera was set to
DARK = 0.35  # of the light the scene was set in
GONE_DARK = 14.0  # mean grey level that is dark in whatever light it was set
SOFT = 0.35  # of the sharpness it was set with
CRISP = 0.75  # of it: as sharp as ever
UNLIKE = 0.45  # share of tiles that must look the same
DOUBTFUL = 0.85  # share of tiles from which the movement is told by them alone
SHIFT = 0.22  # ball radii by which the camera may have been moved


class CameraHealth:
    """Watches one camera; `see` every frame, `silence` whenever none came in time."""

    def __init__(self, area: Area, *, live: bool = True) -> None:
        """Prepare; `live` is false for a recording, whose rate is always the one it has."""
        self.area = area
        self.live = live
        self.still = Still(area)
        self.faults: set[Fault] = set()
        self._since: dict[Fault, float] = {}
        self._counts: deque[tuple[float, int]] = deque(maxlen=LOOKS)
        self._last_at = 0.0
        self._begun = False
        self._looked = -EVERY
        self._changed = self._stirred = 0.0
        self._last: Picture | None = None
        self._patch: Picture | None = None

    @property
    def worst(self) -> Fault | None:
        """The gravest fault there is, or None."""
        return next((fault for fault in FAULTS if fault in self.faults), None)

    @property
    def doubted(self) -> set[Fault]:
        """The faults told, and those about to be told if they last."""
        return self.faults | {fault for fault in self._since if fault not in self.faults}

    def see(self, frame: Frame) -> list[Health]:
        """Take a frame; return the faults that began or ended with it."""
        if not self._begun or frame.at - self._last_at > GAP:
            # What was not seen cannot be said to stand still.
            self._begun, self._changed, self._stirred = True, frame.at, frame.at
        self._last_at = frame.at
        told = self._quick(frame)
        if frame.at - self._looked >= EVERY:
            self._looked = frame.at
            told += self._thorough(frame)
        return told

    def silence(self, at: float, frame: int = 0) -> list[Health]:
        """No frame came; `at` is the present."""
        return self._at_once("no_signal", at - self._last_at > SILENT, at, frame)

    def _quick(self, frame: Frame) -> list[Health]:
        told = self._lasting("no_signal", False, frame)
        told += self._at_once("frozen", self._is_frozen(frame), frame.at, frame.index)
        return told

    def _is_frozen(self, frame: Frame) -> bool:
        """Compare what must change: a few lines of a picture with grain, the patch that moves."""
        frozen = False
        if self.area.noisy:
            lines = frame.picture[:: max(1, frame.picture.shape[0] // 16)]
            if self._last is None or not np.array_equal(lines, self._last):
                self._changed, self._last = frame.at, lines.copy()
            frozen = frame.at - self._changed >= SAME
        if self.area.patch:
            x, y, wide, high = self.area.patch
            patch = frame.picture[y : y + high, x : x + wide]
            if self._patch is None or _differ(patch, self._patch):
                self._stirred, self._patch = frame.at, patch.copy()
            if HIDING & self.doubted:
                self._stirred = frame.at
            frozen = frozen or frame.at - self._stirred >= PATCH
        return frozen

    def _thorough(self, frame: Frame) -> list[Health]:
        told: list[Health] = []
        if self.live:
            told += self._lasting("wrong_rate", self._is_wrong_rate(frame), frame)
        if not self.still.tiles:
            grey = float(frame.picture[::8, ::8].mean())
            return told + self._lasting("dark", grey < GONE_DARK, frame)
        difference = self.still.compare(frame.picture)
        grey = difference.light * self.still.light
        dark = difference.light < DARK or grey < GONE_DARK
        told += self._lasting("dark", dark, frame)
        if dark:
            return told
        crisp = self._crispness(frame)
        soft = crisp < SOFT
        away = difference.alike < UNLIKE
        moved = not soft and self._is_moved(frame, difference, crisp)
        told += self._lasting("covered", away and not moved, frame)
        told += self._lasting("moved", moved, frame)
        told += self._lasting("out_of_focus", soft and not away, frame)
        return told

    def _is_moved(self, frame: Frame, difference: Difference, crisp: float) -> bool:
        far = SHIFT * self.area.radius
        if difference.alike >= DOUBTFUL:
            return difference.shift > far
        found = self.still.moved(frame.picture)
        if found is None:
            # What is as sharp as the scene but none of it is another scene.
            return difference.alike < UNLIKE and crisp > CRISP
        return found > far

    def _is_wrong_rate(self, frame: Frame) -> bool:
        """Compare the camera's own count with the clock; frames nobody took are counted too."""
        self._counts.append((frame.at, frame.index))
        began, first = self._counts[0]
        if len(self._counts) < LOOKS or frame.at <= began:
            return False
        rate = (frame.index - first) / (frame.at - began) / self.area.fps
        return not RATE[0] < rate < RATE[1]

    def _crispness(self, frame: Frame) -> float:
        """Return the sharpness against what it was, 1 where that is not known."""
        if not self.area.focus:
            return 1.0
        return sharpness(frame.picture, self.area) / self.area.focus

    def _lasting(self, fault: Fault, bad: bool, frame: Frame) -> list[Health]:
        """Tell a change when it has lasted."""
        if bad == (fault in self.faults):
            self._since.pop(fault, None)
            return []
        since = self._since.setdefault(fault, frame.at)
        if frame.at - since < LASTING:
            return []
        return self._change(fault, bad, frame.at, frame.index)

    def _at_once(self, fault: Fault, bad: bool, at: float, frame: int) -> list[Health]:
        """Tell a change that has waited for its own time already."""
        if bad == (fault in self.faults):
            return []
        return self._change(fault, bad, at, frame)

    def _change(self, fault: Fault, bad: bool, at: float, frame: int) -> list[Health]:
        self._since.pop(fault, None)
        (self.faults.add if bad else self.faults.discard)(fault)
        return [Health(fault, bad, at, frame)]


def sharpness(picture: Picture, area: Area) -> float:
    """Return the strongest steps between neighbouring pixels near the exit area, against its light."""
    left, top, right, bottom = area.box
    more = round(area.radius)
    part = picture[max(0, top - more) : bottom + more, max(0, left - more) : right + more]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.8)
    laplacian = cv2.Laplacian(grey, cv2.CV_16S)
    flat = np.abs(laplacian).ravel()
    # Edges are few: the mean of the strongest hundredth is theirs, and grain hardly counts.
    count = max(1, flat.size // 100)
    return float(np.partition(flat, -count)[-count:].mean()) * 100 / max(8.0, float(grey.mean()))


def _differ(one: Picture, other: Picture) -> bool:
    return one.shape != other.shape or float(cv2.absdiff(one, other).mean()) > STIR
