"""Rendered draws as files: a video, and one line of truth a ball beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from draws.vision.rendering import fonts
from draws.vision.rendering.faults import Trouble, disturb
from draws.vision.rendering.scene import Act, Label, Scene
from draws.vision.rendering.style import random_style
from draws.vision.values import Frame

CODECS = {".mp4": "mp4v", ".avi": "MJPG"}
EMPTY = 3.0  # seconds of the empty cup before the first ball
ODD = 0.15  # share of acts that are no single ball of the set


@dataclass(frozen=True, slots=True)
class Order:
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


def render(out: Path, order: Order) -> tuple[int, int]:
    """Write a video and its truth; give the frames and the lines written. Raises OSError."""
    rng = np.random.default_rng(order.seed)
    faces = fonts.test_fonts() or (fonts.house_font(),)
    style = random_style(rng, faces, format=order.format, marks=order.marks)
    scene = Scene(style, rng, size=order.size, fps=order.fps)
    acts = _acts(rng, order)
    shown = disturb(_played(scene, acts), order.troubles)
    count = write(out, shown, fps=order.fps)
    lines = [truth(label, out.name) for label in scene.labels]
    out.with_suffix(".jsonl").write_text("".join(f"{line}\n" for line in lines))
    return count, len(lines)


def write(path: Path, frames: Iterable[Frame], *, fps: float) -> int:
    """Write frames as a video, MP4 or MJPG by the file's ending; give how many. Raises OSError."""
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


def game(scene: Scene, numbers: Sequence[int], *, empty: float = EMPTY) -> Iterator[Frame]:
    """Play a game's balls in their order, after some seconds of the empty cup."""
    yield from scene.still(empty)
    yield from scene.play(Act("ball", number) for number in numbers)


def random_acts(
    rng: np.random.Generator, count: int, *, highest: int, faults: Sequence[str] = ("",)
) -> list[Act]:
    """Give balls of a format in a random order, each spoilt by one of the faults at random."""
    numbers: list[int] = []
    while len(numbers) < count:
        numbers += [int(number) for number in rng.permutation(highest) + 1]
    return [Act("ball", number, str(rng.choice(faults))) for number in numbers[:count]]


def odd_act(rng: np.random.Generator, highest: int, before: Sequence[Act]) -> Act:
    """Give something that must not be announced: two balls, a hand, a blank or a stranger."""
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


def truth(label: Label, file: str) -> str:
    """Give one line of JSON about an act."""
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


def _acts(rng: np.random.Generator, order: Order) -> list[Act]:
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
