"""Render draws as files: a video, and one line of truth a ball beside it.

`example` is a machine with a usual set of balls before a camera that has been set: for
demonstrations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from draws.balls.vision import calibration
from draws.balls.vision.exit_area import Area
from draws.balls.vision.rendering import style as rendering_style
from draws.balls.vision.rendering.lens import Trouble, disturb
from draws.balls.vision.rendering.scene import Act, ActTruth, Scene
from draws.balls.vision.rendering.style import Style, house_font, prints, random_style
from draws.balls.vision.values import Frame

CODECS = {".mp4": "mp4v", ".avi": "MJPG"}
EMPTY = 3.0  # seconds of the empty cup before the first ball
ODD = 0.15  # share of acts that are no single ball of the set


@dataclass(frozen=True, slots=True)
class VideoPlan:
    """What a video is to show; `numbers` in their order, or how many at random."""

    format: int
    numbers: tuple[int, ...] | int
    seed: int
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    faults: tuple[str, ...] = ("",)
    odd: bool = False
    marks: bool = True
    troubles: tuple[Trouble, ...] = ()


def render_video(out: Path, order: VideoPlan) -> tuple[int, int]:
    """Write a video and its truth; return the frames and the lines written. Raises OSError."""
    rng = np.random.default_rng(order.seed)
    faces = rendering_style.unseen_fonts() or (rendering_style.house_font(),)
    style = random_style(rng, faces, format=order.format, marks=order.marks)
    scene = Scene(style, rng, size=order.size, fps=order.fps)
    acts = _acts(rng, order)
    shown = disturb(_played(scene, acts), order.troubles)
    count = write_video(out, shown, fps=order.fps)
    lines = [truth(label, out.name) for label in scene.labels]
    out.with_suffix(".jsonl").write_text("".join(f"{line}\n" for line in lines))
    return count, len(lines)


def write_video(path: Path, frames: Iterable[Frame], *, fps: float) -> int:
    """Write frames as a video, MP4 or MJPG by the file's ending; return how many. Raises OSError."""
    writer: cv2.VideoWriter | None = None
    count = 0
    for frame in frames:
        if writer is None:
            writer = _writer(path, frame, fps)
        writer.write(frame.picture)
        count += 1
    if writer is not None:
        writer.release()
    return count


def random_acts(
    rng: np.random.Generator, count: int, *, highest: int, faults: Sequence[str] = ("",)
) -> list[Act]:
    """Return balls of a format in a random order, each spoilt by one of the faults at random."""
    numbers: list[int] = []
    while len(numbers) < count:
        numbers += [int(number) for number in rng.permutation(highest) + 1]
    return [Act("ball", number, str(rng.choice(faults))) for number in numbers[:count]]


def odd_act(rng: np.random.Generator, highest: int, before: Sequence[Act]) -> Act:
    """Return something that must not be announced: two balls, a hand, a blank or a stranger."""
    one, other = (int(number) for number in rng.integers(1, highest + 1, 2))
    seen = [act.number for act in before if act.kind == "ball" and act.number]
    acts = [
        Act("two_balls", one, other=other),
        Act("hand"),
        Act("blank"),
        Act("empty"),
        Act("ball", highest + int(rng.integers(1, 10))),
        Act("ball", int(rng.choice(seen)) if seen else highest + 1),
    ]  # fmt: skip
    return acts[int(rng.integers(len(acts)))]


def truth(label: ActTruth, file: str) -> str:
    """Return one line of JSON about an act."""
    values: dict[str, Any] = {
        "file": file,
        "kind": label.act.kind,
        "number": label.act.number,
        "fault": label.act.fault,
        "frame": label.frame,
        "at": round(label.at, 3),
        "until": round(label.until, 3),
    }
    if label.act.other is not None:
        values["other"] = label.act.other
    return json.dumps(values)


def _acts(rng: np.random.Generator, order: VideoPlan) -> list[Act]:
    if isinstance(order.numbers, int):
        acts = random_acts(rng, order.numbers, highest=order.format, faults=order.faults)
    else:
        acts = [Act("ball", number, str(rng.choice(order.faults))) for number in order.numbers]
    if not order.odd:
        return acts
    mixed: list[Act] = []
    for act in acts:
        if rng.random() < ODD:
            mixed.append(odd_act(rng, order.format, mixed))
        mixed.append(act)
    return mixed


def _played(scene: Scene, acts: Sequence[Act]) -> Iterator[Frame]:
    yield from scene.still(EMPTY)
    yield from scene.play(acts)


def _writer(path: Path, first: Frame, fps: float) -> cv2.VideoWriter:
    high, wide = first.picture.shape[:2]
    code = cv2.VideoWriter.fourcc(*CODECS[path.suffix.lower()])
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, code, fps, (wide, high))
    if not writer.isOpened():
        raise OSError(f"{path} cannot be written")
    return writer


SIZE, RADIUS, RATE = (320, 240), 42.0, 15.0  # pixels, pixels, frames a second
LEARNED = 2.2  # seconds of the empty cup


def example(seed: int, *, fps: float = RATE) -> tuple[Scene, Area]:
    """Return a machine whose balls rest but shortly, and the area that its camera was set to."""
    rng = np.random.default_rng(seed)
    balls = Style(
        body=(235, 240, 245), ink=(35, 25, 20), font=house_font(), height=0.8,
        prints=prints(rng, 6), ring=(60, 60, 190), cap_radius=0.64, weight=1,
    )  # fmt: skip
    scene = Scene(balls, rng, size=SIZE, radius=RADIUS, fps=fps, rest=(0.6, 0.7), gap=(0.2, 0.3))
    return scene, calibration.learn(scene.area(), [shot.picture for shot in scene.still(LEARNED)])


def keep_to_one_core() -> None:
    """Let OpenCV work in this thread alone: the other core keeps the hall's books."""
    cv2.setNumThreads(1)
