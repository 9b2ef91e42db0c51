"""Trains the reader's networks from nothing: `python -m draws.vision.training --help`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch

from draws.vision import facing, turning
from draws.vision.network import LOCATOR, READER
from draws.vision.rendering.fonts import training_fonts
from draws.vision.training import locating, reading
from draws.vision.training.gather import gather
from draws.vision.training.lessons import Subject, teach, write
from draws.vision.training.network import Locator, Reader

FEWEST_FONTS = 100


def main() -> int:
    """Render, teach, write; exit status 2 where too few typefaces are installed."""
    asked = _asked()
    fonts = training_fonts()
    if len(fonts) < FEWEST_FONTS:
        _tell(f"{len(fonts)} typefaces found, {FEWEST_FONTS} needed: see docs/reading-balls.md")
        return 2
    started = time.monotonic()
    gathered = gather(asked.pictures, seed=asked.seed, fonts=fonts, cores=asked.cores)
    _tell(
        f"{asked.pictures} pictures in {len(fonts)} typefaces, {time.monotonic() - started:.0f} s"
    )
    # Two threads of one step wait for each other longer than they work.
    torch.set_num_threads(1)
    locator, reader = Locator(), Reader()
    finding = Subject(locating.batch, locating.wrong, locating.right)
    teach(locator, finding, gathered, epochs=asked.epochs, seed=asked.seed, tell=_tell)
    write(locator, turning.SIDE, asked.out / LOCATOR.name)
    knowing = Subject(reading.batch, reading.wrong, reading.right)
    teach(reader, knowing, gathered, epochs=asked.epochs + 1, seed=asked.seed, tell=_tell)
    write(reader, facing.SIDE, asked.out / READER.name)
    _tell(f"written to {asked.out}, {time.monotonic() - started:.0f} s in all")
    return 0


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="draws.vision.training", description=__doc__)
    words.add_argument("--pictures", type=int, default=90_000)
    words.add_argument("--epochs", type=int, default=4)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument("--out", type=Path, default=LOCATOR.parent, help="a folder")
    return words.parse_args()


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
