"""Trains the reader's networks from nothing: `python -m draws.vision.training --help`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

import torch
from torch import nn

from draws.vision import facing, turning
from draws.vision.network import LOCATOR, READER
from draws.vision.rendering.fonts import enough_training_fonts
from draws.vision.training import locating, reading
from draws.vision.training.gather import Gathered, gather
from draws.vision.training.lessons import Subject, teach, write
from draws.vision.training.network import Locator, Reader


def main() -> int:
    """Render, teach, write; exit status 2 where too few typefaces are installed."""
    asked = _asked()
    try:
        fonts = enough_training_fonts()
    except LookupError as error:
        _tell(str(error))
        return 2
    asked.out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    gathered = gather(asked.pictures, seed=asked.seed, fonts=fonts, cores=asked.cores)
    _tell(
        f"{asked.pictures} pictures in {len(fonts)} typefaces, {time.monotonic() - started:.0f} s"
    )
    subjects = (
        (
            Locator(),
            locating,
            (3, turning.SIDE, turning.SIDE),
            asked.out / LOCATOR.name,
            asked.epochs + 2,
        ),
        (Reader(), reading, (1, facing.SIDE, facing.SIDE), asked.out / READER.name, asked.epochs),
    )
    # A fork sees the pictures without a copy; two threads of one step would wait for each other
    # longer than they work, so each network has a core of its own.
    forks = get_context("fork")
    lessons = [
        forks.Process(target=_taught, args=(*subject, gathered, asked.seed)) for subject in subjects
    ]
    for lesson in lessons:
        lesson.start()
    for lesson in lessons:
        lesson.join()
    if any(lesson.exitcode for lesson in lessons):
        return 1
    _tell(f"written to {asked.out}, {time.monotonic() - started:.0f} s in all")
    return 0


def _taught(
    network: nn.Module,
    subject: ModuleType,
    shape: tuple[int, int, int],
    path: Path,
    epochs: int,
    gathered: Gathered,
    seed: int,
) -> None:
    """Teach one network and write it."""
    torch.set_num_threads(1)
    taught = Subject(subject.batch, subject.wrong, subject.right, subject.FASTEST)
    teach(network, taught, gathered, epochs=epochs, seed=seed, tell=_teller(path.stem))
    write(network, shape, path)


def _teller(name: str) -> Callable[[str], None]:
    return lambda line: _tell(f"{name}, {line}")


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="draws.vision.training", description=__doc__)
    words.add_argument("--pictures", type=int, default=110_000)
    words.add_argument(
        "--epochs", type=int, default=9, help="of the reader; the locator has two more"
    )
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument("--out", type=Path, default=LOCATOR.parent, help="a folder")
    return words.parse_args()


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
