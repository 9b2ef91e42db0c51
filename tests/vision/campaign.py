"""Many balls of many sets before the reader: what came of each, by fault and by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from draws.vision import calibration
from draws.vision.glance import Eye
from draws.vision.marks import has_other_way_up
from draws.vision.rendering import fonts
from draws.vision.rendering.faults import BALL_FAULTS
from draws.vision.rendering.scene import Act, Scene
from draws.vision.rendering.style import random_style
from draws.vision.values import Frame, Reading
from draws.vision.verdict import verdict
from draws.vision.watching import Watcher

SIZE, RADIUS, RATE = (240, 180), 36.0, 15.0
SET = 40  # balls of one set before another is filmed
RIGHT, WRONG, ASKED, UNSEEN = "right", "wrong", "asked", "unseen"
STRANGE = ("two_balls", "hand", "blank", "empty")


@dataclass(frozen=True, slots=True)
class Shown:
    """An act before the camera and what the reader said; `must_ask`: nobody can tell the number."""

    act: Act
    must_ask: bool
    number: int | None
    reason: str

    @property
    def outcome(self) -> str:
        """Right, wrong, asked or unseen: announced as it is, otherwise, put to the caller, missed."""
        if self.number is not None:
            right = self.number == self.act.number and not self.must_ask
            return RIGHT if right else WRONG
        return ASKED if self.reason else UNSEEN


def campaign(
    count: int, *, seed: int, format: int, faults: Sequence[str] = ("",), marks: bool = True
) -> list[Shown]:
    """Show `count` balls of random sets, each spoilt by one of the faults at random."""
    eye = Eye()
    shown: list[Shown] = []
    for number, start in enumerate(range(0, count, SET)):
        rng = np.random.default_rng([seed, format, number])
        acts = [
            Act("ball", int(ball), str(rng.choice(faults)))
            for ball in rng.choice(format, min(SET, count - start), replace=format < SET) + 1
        ]
        shown += _shown(eye, rng, acts, format=format, marks=marks)
    return shown


def strange(count: int, *, seed: int, format: int) -> list[Shown]:
    """Show what must never be announced: no ball, a hand, two, a blank one, a stranger's."""
    rng = np.random.default_rng([seed, format])
    acts = [_strange_act(rng, format) for _each in range(count)]
    return _shown(Eye(), rng, acts, format=format, marks=True)


def _strange_act(rng: np.random.Generator, format: int) -> Act:
    if rng.random() < 0.4:
        # Numbers over 80 and under 100: a ball of 100 or more has no place on any set.
        return Act("ball", int(rng.integers(format + 1, 100)))
    first, second = (int(number) for number in rng.choice(format, 2, replace=False) + 1)
    kind = str(rng.choice(STRANGE))
    return Act(kind, first if kind == "two_balls" else None, other=second)


def _shown(
    eye: Eye, rng: np.random.Generator, acts: list[Act], *, format: int, marks: bool
) -> list[Shown]:
    style = random_style(rng, fonts.test_fonts(), format=format, marks=marks)
    scene = Scene(
        style, rng, size=SIZE, radius=RADIUS, fps=RATE, rest=(0.55, 0.65), roll=(0.13, 0.14),
        gap=(0.2, 0.24),
    )  # fmt: skip
    learned = calibration.learn(scene.area(), [frame.picture for frame in scene.still(2.2)])
    watcher = Watcher(learned, format=format, eye=eye, judge=verdict, live=False)
    told = [_told(watcher, scene.play([act])) for act in acts]
    return [
        Shown(act, _must_ask(act, style.is_marked(act.number or 0), format), number, reason)
        for act, (number, reason) in zip(acts, told, strict=True)
    ]


def _told(watcher: Watcher, frames: Iterable[Frame]) -> tuple[int | None, str]:
    """Give the announced number of an act, or why somebody is asked; neither where nothing was told."""
    events = [event for frame in frames for event in watcher.see(frame)]
    readings = [event for event in events if isinstance(event, Reading)]
    announced = [reading.number for reading in readings if reading.number is not None]
    if announced:
        return announced[0], ""
    return None, readings[0].reason if readings else ""


def _must_ask(act: Act, marked: bool, format: int) -> bool:
    if act.kind != "ball" or act.number is None or act.number > format:
        return True
    return has_other_way_up(act.number) and not marked


def share(shown: Iterable[Shown], outcome: str = RIGHT) -> float:
    """Give the share of the balls that could be read of which this came."""
    fair = [one.outcome for one in shown if not one.must_ask]
    return fair.count(outcome) / max(1, len(fair))


def wrong(shown: Iterable[Shown]) -> list[str]:
    """Name the balls announced as what they are not, or though nobody could tell."""
    return [
        f"{one.act.kind} {one.act.number} {one.act.fault} announced as {one.number}"
        for one in shown
        if one.outcome == WRONG
    ]


def by_fault(shown: Iterable[Shown]) -> dict[str, Counter[str]]:
    """Count the outcomes by fault; clean light is the empty one."""
    ordered = sorted(shown, key=lambda one: one.act.fault)
    return {
        fault: Counter(one.outcome for one in some)
        for fault, some in groupby(ordered, key=lambda one: one.act.fault)
    }


ALL_FAULTS = ("", *BALL_FAULTS)
