"""Try the reader on many balls of many sets: what it saw of each, and what came of it.

`python -m draws.balls.vision.network_training.trial --help` chooses by that how sure the reader must be:
it tells what other limits would let through. There the balls are in typefaces that the reader was
taught with, so that those it was not taught stay a test.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from draws.balls.vision import calibration, jpeg_pictures, prints
from draws.balls.vision.enrolment import cut_out
from draws.balls.vision.exit_area import Area
from draws.balls.vision.facing import has_other_way_up
from draws.balls.vision.finding import Finder
from draws.balls.vision.network import Glance, Scores
from draws.balls.vision.prints import Opinion
from draws.balls.vision.reader import Eye
from draws.balls.vision.rendering.lens import BALL_FAULTS
from draws.balls.vision.rendering.scene import Act, Scene
from draws.balls.vision.rendering.style import enough_training_fonts, random_style
from draws.balls.vision.values import BallReading, Frame
from draws.balls.vision.verdict import FROZEN, Limits, ReadingVerdict, verdict
from draws.balls.vision.watching import Watcher

# A ball as wide as docs/camera.md asks for at least.
SIZE, RADIUS, RATE = (240, 180), 40.0, 15.0
# More wear takes strokes away, until an 8 is a 3 to anybody; balls are replaced before (R25). More
# gloss blots digits out, which is what the fault of glare is there for.
WEAR, GLOSS = 0.25, 0.5
SET = 40  # balls of one set before another is filmed
RIGHT, WRONG, ASKED, UNSEEN = "right", "wrong", "asked", "unseen"
STRANGE = ("two_balls", "hand", "blank", "empty")
# Limits that are tried:
SURE = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
DOUBT = (0.03, 0.05, 0.08, 0.1, 0.15, 0.2)
MARKED = (0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class ShownAct:
    """An act before the camera and what the reader said of it.

    `must_ask`: nobody can tell the number. `glances` are what it was said by, none where there was
    no single ball at rest, and `opinion` what the set's own prints said, if it was enrolled.
    """

    act: Act
    must_ask: bool
    number: int | None
    reason: str
    glances: tuple[Glance, ...] = ()
    opinion: Opinion | None = None

    @property
    def outcome(self) -> str:
        """Right, wrong, asked or unseen: announced as it is, otherwise, put to the caller, missed."""
        if self.number is not None:
            right = self.number == self.act.number and not self.must_ask
            return RIGHT if right else WRONG
        return ASKED if self.reason else UNSEEN

    def under(self, limits: Limits, *, format: int) -> ShownAct:
        """Return what would have been said within other limits."""
        if not self.glances:
            return self
        found = verdict(self.glances, format=format, limits=limits, opinion=self.opinion)
        return replace(self, number=found.number, reason=found.reason)


@dataclass(frozen=True, slots=True)
class Trial:
    """What is shown: `count` balls of random sets, each spoilt by one of the faults at random.

    `enrolled` pictures of every ball of a set are had before, in clean light, with its number. `seam`
    is how plainly the join of a ball's halves is seen (`Style`).
    """

    count: int
    seed: int
    format: int
    fonts: Sequence[Path]
    faults: Sequence[str] = ("",)
    marks: bool = True
    enrolled: int = 0
    seam: float = 0.0


def run(trial: Trial, *, cores: int = 1) -> list[ShownAct]:
    """Show the balls, set after set; the same trial gives the same, on however many cores."""
    parts = range(-(-trial.count // SET))
    if cores == 1:
        return [one for part in parts for one in _set((trial, part))]
    with ProcessPoolExecutor(cores) as workers:
        return [
            one for some in workers.map(_set, ((trial, part) for part in parts)) for one in some
        ]


def strange(trial: Trial) -> list[ShownAct]:
    """Show what must never be announced: no ball, a hand, two, a blank one, a stranger's."""
    rng = np.random.default_rng([trial.seed, trial.format])
    acts = [_strange_act(rng, trial.format) for _each in range(trial.count)]
    return _filmed(trial, rng, acts)


def _set(asked: tuple[Trial, int]) -> list[ShownAct]:
    trial, part = asked
    rng = np.random.default_rng([trial.seed, trial.format, part])
    count = min(SET, trial.count - part * SET)
    numbers = rng.choice(trial.format, count, replace=trial.format < SET) + 1
    acts = [Act("ball", int(number), str(rng.choice(trial.faults))) for number in numbers]
    return _filmed(trial, rng, acts)


def _strange_act(rng: np.random.Generator, format: int) -> Act:
    if rng.random() < 0.4:
        # Numbers over 80 and under 100: a ball of 100 or more has no place on any set.
        return Act("ball", int(rng.integers(format + 1, 100)))
    first, second = (int(number) for number in rng.choice(format, 2, replace=False) + 1)
    kind = str(rng.choice(STRANGE))
    return Act(kind, first if kind == "two_balls" else None, other=second)


def _filmed(trial: Trial, rng: np.random.Generator, acts: list[Act]) -> list[ShownAct]:
    style = random_style(
        rng, trial.fonts, format=trial.format, marks=trial.marks, wear=WEAR, gloss=GLOSS
    )
    style = replace(style, seam=trial.seam)
    scene = Scene(
        style, rng, size=SIZE, radius=RADIUS, fps=RATE, rest=(0.55, 0.65), roll=(0.13, 0.14),
        gap=(0.2, 0.24),
    )  # fmt: skip
    learned = calibration.learn(scene.area(), [frame.picture for frame in scene.still(2.2)])
    judge = _Judge()
    eye = Eye()
    watcher = Watcher(learned, format=trial.format, eye=eye, judge=judge, live=False)
    if trial.enrolled:
        watcher.prints = prints.learned(_enrolled(trial, scene, learned), eye)
    shown = []
    for act in acts:
        must_ask = _must_ask(act, style.is_marked(act.number or 0), trial.format)
        number, reason = _outcome(watcher, scene.play([act]))
        shown.append(ShownAct(act, must_ask, number, reason, *judge.taken()))
    return shown


def _enrolled(trial: Trial, scene: Scene, area: Area) -> Iterator[prints.Shown]:
    """Return pictures of every ball, as an enrolment keeps them."""
    finder = Finder(area)
    for number in range(1, trial.format + 1):
        for _time in range(trial.enrolled):
            frame = scene.still_of(number)
            sight = finder.look(finder.crop(frame.picture))
            if sight.spot is None:
                continue
            cut, spot = cut_out(frame.picture, sight.spot)
            kept = jpeg_pictures.decode(jpeg_pictures.whole(cut))
            if kept is not None:
                yield number, kept, spot


class _Judge:
    """Judges as always, and keeps what by."""

    def __init__(self) -> None:
        self._seen: tuple[Glance, ...] = ()
        self._opinion: Opinion | None = None

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
        """Return the verdict."""
        self._seen, self._opinion = tuple(glances), opinion
        return verdict(
            glances, format=format, drawn=drawn, opinion=opinion, second=second, third=third
        )

    def taken(self) -> tuple[tuple[Glance, ...], Opinion | None]:
        """Return the glances at the last ball and the second opinion on it, and forget them."""
        seen, self._seen = (self._seen, self._opinion), ()
        self._opinion = None
        return seen


def _outcome(watcher: Watcher, frames: Iterable[Frame]) -> tuple[int | None, str]:
    """Return the announced number of an act, or why somebody is asked; neither where nothing was told."""
    events = [event for frame in frames for event in watcher.see(frame)]
    readings = [event for event in events if isinstance(event, BallReading)]
    announced = [reading.number for reading in readings if reading.number is not None]
    if announced:
        return announced[0], ""
    return None, readings[0].reason if readings else ""


def _must_ask(act: Act, marked: bool, format: int) -> bool:
    if act.kind != "ball" or act.number is None or act.number > format:
        return True
    return has_other_way_up(act.number) and not marked


def share(shown: Iterable[ShownAct], outcome: str = RIGHT) -> float:
    """Return the share of the balls that could be read of which this came."""
    fair = [one.outcome for one in shown if not one.must_ask]
    return fair.count(outcome) / max(1, len(fair))


def wrong(shown: Iterable[ShownAct]) -> list[str]:
    """Name the balls announced as what they are not, or though nobody could tell."""
    return [
        f"{one.act.kind} {one.act.number} {one.act.fault} announced as {one.number}"
        for one in shown
        if one.outcome == WRONG
    ]


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits, the share of the balls read within them, and how many are read wrongly."""

    limits: Limits
    read: float
    wrong: int


def choices(shown: Sequence[ShownAct], *, format: int) -> list[ReaderLimits]:
    """Return what each of the limits would let through, the fewest wrong first, then the most read."""
    found = [
        _choice(shown, Limits(sure=sure, doubt=doubt, marked=marked), format)
        for sure, doubt, marked in product(SURE, DOUBT, MARKED)
    ]
    return sorted(found, key=lambda one: (one.wrong, -one.read))


def _choice(shown: Sequence[ShownAct], limits: Limits, format: int) -> ReaderLimits:
    told = [one.under(limits, format=format) for one in shown]
    return ReaderLimits(limits, share(told, RIGHT), len(wrong(told)))


def main() -> int:
    """Show the balls, print what the limits in use and the others let through; status 2 without typefaces."""
    asked = _asked()
    try:
        fonts = enough_training_fonts()
    except LookupError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    trial = Trial(
        asked.balls, asked.seed, asked.format, fonts, ("", *BALL_FAULTS),
        marks=not asked.unmarked, enrolled=asked.enrolled,
    )  # fmt: skip
    shown = run(trial, cores=asked.cores)
    sys.stdout.write(f"{'sure':>6}{'doubt':>7}{'marked':>8}{'read':>8}{'wrong':>7}\n")
    for choice in [_choice(shown, FROZEN, asked.format), *choices(shown, format=asked.format)]:
        sys.stdout.write(_line(choice))
    for name in wrong(shown):
        sys.stdout.write(f"{name}\n")
    return 0


def _line(choice: ReaderLimits) -> str:
    limits = choice.limits
    return (
        f"{limits.sure:6.2f}{limits.doubt:7.2f}{limits.marked:8.2f}"
        f"{choice.read:8.1%}{choice.wrong:7}\n"
    )


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(
        prog="draws.balls.vision.network_training.trial", description=__doc__
    )
    words.add_argument("--balls", type=int, default=4_000)
    words.add_argument("--format", type=int, default=90, choices=(90, 80, 75, 30))
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument(
        "--enrolled", type=int, default=0, help="pictures of each ball had before, none by default"
    )
    words.add_argument("--unmarked", action="store_true", help="sets that mark no foot")
    return words.parse_args()


if __name__ == "__main__":
    sys.exit(main())
