"""Train the reader's networks from nothing: `python -m draws.balls.vision.training --help`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import torch
from torch import nn

from draws.balls.vision import facing
from draws.balls.vision.reader import LOCATOR, READERS
from draws.balls.vision.rendering.style import enough_training_fonts
from draws.balls.vision.training import lessons
from draws.balls.vision.training.networks import Locator, Reader, Subject, teach, write_lesson
from draws.balls.vision.training.samples import Gathered, gather


def main() -> int:
    """Render, teach, write; exit status 2 where too few typefaces are installed."""
    asked = _asked()
    try:
        fonts = enough_training_fonts()
    except LookupError as error:
        _print(str(error))
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    gathered = gather(asked.pictures, seed=asked.seed, fonts=fonts, cores=asked.cores)
    _print(
        f"{asked.pictures} pictures in {len(fonts)} typefaces, {time.monotonic() - started:.0f} s"
    )
    # A fork sees the pictures without a copy; two threads of one step would wait for each other
    # longer than they work, so each network is taught by a process of its own.
    forks = get_context("fork")
    taught = [
        forks.Process(target=_taught, args=(course, gathered, asked))
        for course in _courses(asked.seed)
    ]
    for process in taught:
        process.start()
    for process in taught:
        process.join()
    if any(process.exitcode for process in taught):
        return 1
    _print(f"written to {asked.out}, {time.monotonic() - started:.0f} s in all")
    return 0


@dataclass(frozen=True, slots=True)
class Course:
    """What one network is taught: by which lessons, of pictures of what shape, in what order."""

    network: type[nn.Module]
    subject: Subject
    shape: tuple[int, int, int]
    name: str
    seed: int


def _courses(seed: int) -> list[Course]:
    shape = (1, facing.SIDE, facing.SIDE)
    readers = [
        Course(Reader, lessons.READING, shape, file.name, seed + number)
        for number, file in enumerate(READERS, start=1)
    ]
    shape = (3, facing.TURNING_SIDE, facing.TURNING_SIDE)
    return [*readers, Course(Locator, lessons.LOCATING, shape, LOCATOR.name, seed)]


def _taught(course: Course, gathered: Gathered, asked: argparse.Namespace) -> None:
    """Teach one network and write it."""
    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    network, tell = course.network(), _teller(Path(course.name).stem)
    teach(network, course.subject, gathered, epochs=asked.epochs, seed=course.seed, tell=tell)
    write_lesson(network, course.shape, asked.out / course.name)


def _teller(name: str) -> Callable[[str], None]:
    return lambda line: _print(f"{name}, {line}")


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="draws.balls.vision.training", description=__doc__)
    words.add_argument("--pictures", type=int, default=110_000)
    words.add_argument("--epochs", type=int, default=12, help="how often each sees every picture")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument("--out", type=Path, default=LOCATOR.parent, help="a folder")
    return words.parse_args()


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
