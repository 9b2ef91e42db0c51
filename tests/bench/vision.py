"""The camera: CPU a frame and a reading, beside plain circle search and two general readers.

Rates are of CPU time (all threads), so that a busy machine changes them less. RapidOCR and
Tesseract are measured where they are installed; the project needs neither.
"""

import importlib
import importlib.util
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import cv2
import numpy as np

from draws.balls.vision import jpeg_pictures, prints
from draws.balls.vision.network_training import trial as training_trial
from draws.balls.vision.network_training.trial import ShownAct as Tried
from draws.balls.vision.network_training.trial import Trial, run
from draws.balls.vision.prints import Prints
from draws.balls.vision.reader import Eye, is_taught
from draws.balls.vision.rendering.lens import BALL_FAULTS
from draws.balls.vision.rendering.scene import Act
from draws.balls.vision.rendering.style import unseen_fonts
from draws.balls.vision.values import Picture, Spot
from draws.balls.vision.verdict import verdict
from draws.balls.vision.watching import Watcher
from tests.bench.measure import Row, against, compare
from tests.support import trial_tallies
from tests.support.machines import LARGE, SMALL, Knowing, learned, machine

FRAMES = 90
BALLS = 24
FRAME_CPU, READING_CPU = 1 / 0.005, 1 / 0.040  # frames and readings a CPU second at least
TRIED = 1_200  # balls of a trial
ENROLLED, TRIED_ENROLLED = 3, 480  # pictures of each ball of an enrolled set, and balls of a trial
# Percent asked of the reader: of an enrolled set what a hall needs, without enrolment what it
# reaches today, so that a fall is seen.
ENROLLED_READ = {"": 98.0, "blur": 90.0, "glare": 90.0}
UNENROLLED_READ = {"": 91.0, "blur": 89.0, "glare": 73.0}
TURNS = (0, 90, 180, 270)


@dataclass(frozen=True, slots=True)
class Shown:
    """A ball at rest: the frame, where it lies, and its number."""

    frame: Picture
    spot: Spot
    number: int


def rows() -> list[Row]:
    """Compare frames without a ball, whole readings, and how many are right."""
    found = [
        against("camera: frames without a ball", _empty, floor=FRAME_CPU, unit="frames/CPU s"),
        compare("camera: against circles", _empty, _circles, unit="frames/CPU s", asked=1.0),
    ]
    if not is_taught():
        return found
    found.append(
        against("camera: readings", _readings, floor=READING_CPU, unit="readings/CPU s", rounds=3)
    )
    found.append(
        against(
            "camera: readings of an enrolled set", partial(_readings, known=True),
            floor=READING_CPU, unit="readings/CPU s", rounds=3,
        )
    )  # fmt: skip
    for name, read in _others():
        found.append(
            compare(
                f"camera: right, against {name}", partial(_right, _ours), partial(_right, read),
                unit="% right and sure", asked=1.0, rounds=1,
            )
        )  # fmt: skip
    return found + _by_fault() + _by_fault(enrolled=ENROLLED) + _by_pair()


def _by_fault(enrolled: int = 0) -> list[Row]:
    """Return the share read without the caller, by what spoils the picture; none may be wrong."""
    count, of = (TRIED_ENROLLED, ", enrolled") if enrolled else (TRIED, "")
    trial = Trial(count, 21, 90, unseen_fonts(), ("", *BALL_FAULTS), enrolled=enrolled)
    shown = run(trial, cores=2)
    found = [_none_wrong(f"camera: balls not told wrongly{of}", shown)]
    for fault, tally in trial_tallies.by_fault(shown).items():
        name = f"camera: read{of}, {fault or 'clean'}"
        share = 100 * tally["right"] / max(1, tally.total())
        asked = ENROLLED_READ if enrolled else UNENROLLED_READ
        found.append(_of(name, share, floor=asked.get(fault)))
    return found


def _by_pair() -> list[Row]:
    """Return the same for each pair that turns into another; without a mark all must be asked."""
    trial = Trial(TRIED, 22, 90, unseen_fonts())
    shown = run(trial, cores=2) + run(replace(trial, seed=23, marks=False), cores=2)
    found = [_none_wrong("camera: pairs not told wrongly", shown)]
    for pair, tally in trial_tallies.tally_by_pair(shown).items():
        unmarked = pair.endswith("unmarked")
        share = 100 * tally["asked" if unmarked else "right"] / max(1, tally.total())
        verb = "asked" if unmarked else "read"
        found.append(_of(f"camera: {verb}, {pair}", share, floor=100 if unmarked else None))
    return found


def _none_wrong(name: str, shown: Sequence[Tried]) -> Row:
    return _of(name, 100 * (1 - len(training_trial.wrong(shown)) / len(shown)), floor=100)


def _of(name: str, share: float, *, floor: float | None) -> Row:
    """Set a share in percent against what is asked of it, in whole percent: a ball is one or two."""
    asked, met = (None, None) if floor is None else (1.0, round(share) >= floor)
    beside = floor or 100.0
    return Row(name, share, beside, share / beside, asked, met, "% of the balls")


def _empty() -> float:
    """Watch an empty cup at 1280×720."""
    scene, area, frames = _stretch()
    watcher = Watcher(area, format=90, eye=Knowing(scene), judge=verdict)
    begun = time.process_time()
    for frame in frames:
        watcher.see(frame)
    return len(frames) / (time.process_time() - begun)


def _circles() -> float:
    scene, _area, frames = _stretch()
    radius = round(scene.plan.radius)
    begun = time.process_time()
    for frame in frames[::6]:
        grey = cv2.cvtColor(frame.picture, cv2.COLOR_BGR2GRAY)
        cv2.HoughCircles(
            grey, cv2.HOUGH_GRADIENT_ALT, 1.5, radius, param1=200, param2=0.8,
            minRadius=round(radius * 0.85), maxRadius=round(radius * 1.15),
        )  # fmt: skip
    return len(frames[::6]) / (time.process_time() - begun)


def _readings(*, known: bool = False) -> float:
    enrolled = _prints() if known else None
    begun = time.process_time()
    for one in _shown():
        _ours(one, enrolled)
    return len(_shown()) / (time.process_time() - begun)


def _right(read: Callable[[Shown], int | None]) -> float:
    """Return the share in percent that is read as it is; what is read wrong counts against it."""
    told = [(read(one), one.number) for one in _shown()]
    wrong = sum(1 for number, truth in told if number not in (None, truth))
    right = sum(1 for number, truth in told if number == truth)
    return max(0.1, 100 * (right - wrong) / len(told))


def _ours(one: Shown, known: Prints | None = None) -> int | None:
    eye = _eye()
    first = eye.look(one.frame, centre=one.spot.centre, radius=one.spot.radius)
    others = [
        eye.look(
            one.frame, centre=one.spot.centre, radius=one.spot.radius, near=first.angle, turn=turn
        )
        for turn in (1, 2)
    ]
    opinion = known.compare(one.frame, one.spot, first) if known else None
    return verdict([first, *others], format=90, opinion=opinion).number


def _others() -> list[tuple[str, Callable[[Shown], int | None]]]:
    found: list[tuple[str, Callable[[Shown], int | None]]] = []
    if importlib.util.find_spec("rapidocr_onnxruntime"):
        found.append(("RapidOCR", partial(_rapid, importlib.import_module("rapidocr_onnxruntime"))))
    if program := shutil.which("tesseract"):
        found.append(("Tesseract", partial(_tesseract, program)))
    return found


def _rapid(module: Any, one: Shown) -> int | None:
    """Read with the surest of four turns."""
    engine = _engine(module)
    best: tuple[float, int | None] = (0.0, None)
    for turned in _turned(one):
        for _box, text, sure in engine(turned)[0] or []:
            if re.fullmatch(r"\d{1,2}", text) and float(sure) > best[0]:
                best = (float(sure), int(text))
    return best[1]


def _tesseract(program: str, one: Shown) -> int | None:
    command = [program, "-", "-", "--psm", "8", "-c", "tessedit_char_whitelist=0123456789"]
    for turned in _turned(one):
        done = subprocess.run(
            command, input=jpeg_pictures.whole(turned), capture_output=True, check=False
        )
        text = done.stdout.decode().strip()
        if re.fullmatch(r"\d{1,2}", text):
            return int(text)
    return None


def _turned(one: Shown) -> list[Picture]:
    reach = round(one.spot.radius)
    x, y = round(one.spot.x), round(one.spot.y)
    cut = one.frame[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    large = cv2.resize(cut, (160, 160), interpolation=cv2.INTER_CUBIC)
    return [np.ascontiguousarray(np.rot90(large, turn // 90)) for turn in TURNS]


@lru_cache
def _engine(module: Any) -> Any:
    return module.RapidOCR()


@lru_cache
def _eye() -> Eye:
    return Eye()


@lru_cache
def _prints() -> Prints:
    """Learn the prints of some set: what a comparison costs is the same whosever they are."""
    scene = machine(200, size=SMALL)
    x, y = scene.plan.cup
    spot = Spot(x, y, scene.plan.radius)
    found = prints.learned(
        (
            (number, scene.still_of(number).picture, spot)
            for number in range(1, 91)
            for _time in range(ENROLLED)
        ),
        _eye(),
    )
    assert found is not None
    return found


@lru_cache
def _stretch() -> tuple[Any, Any, Sequence[Any]]:
    scene = machine(1, size=LARGE)
    area = learned(scene)
    return scene, area, list(scene.still(FRAMES / 30))


@lru_cache
def _shown() -> tuple[Shown, ...]:
    """Balls of four sets at rest, some of them in bad light."""
    found = []
    for seed in range(4):
        scene = machine(200 + seed, size=SMALL, rest=(0.2, 0.2))
        rng = np.random.default_rng(seed)
        acts = [
            Act("ball", int(number), str(rng.choice(["", *BALL_FAULTS])))
            for number in rng.permutation(90)[: BALLS // 4] + 1
        ]
        frames = list(scene.play(acts))
        x, y = scene.plan.cup
        found += [
            Shown(frames[label.frame + 3].picture, Spot(x, y, scene.plan.radius), label.act.number)
            for label in scene.labels
            if label.act.number
        ]
    return tuple(found)
