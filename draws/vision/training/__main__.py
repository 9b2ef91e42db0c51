"""Trains the reader's network from nothing: `python -m draws.vision.training --help`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import torch

from draws.vision.network import MODEL
from draws.vision.rendering.fonts import training_fonts
from draws.vision.training.gather import gather
from draws.vision.training.lessons import teach, write

FEWEST_FONTS = 100


def main() -> int:
    """Render, teach, write; exit status 2 where too few typefaces are installed."""
    asked = _asked()
    fonts = training_fonts()
    if len(fonts) < FEWEST_FONTS:
        _tell(f"{len(fonts)} typefaces found, {FEWEST_FONTS} needed: see docs/reading-balls.md")
        return 2
    torch.set_num_threads(asked.cores)
    started = time.monotonic()
    gathered = gather(asked.pictures, seed=asked.seed, fonts=fonts, cores=asked.cores)
    _tell(
        f"{asked.pictures} pictures in {len(fonts)} typefaces, {time.monotonic() - started:.0f} s"
    )
    teach(
        gathered, epochs=asked.epochs, seed=asked.seed, tell=_tell,
        keep=lambda reader: write(reader, asked.out),
    )  # fmt: skip
    _tell(
        f"{asked.out}: {asked.out.stat().st_size} bytes, {time.monotonic() - started:.0f} s in all"
    )
    return 0


def _asked() -> argparse.Namespace:
    words = argparse.ArgumentParser(prog="draws.vision.training", description=__doc__)
    words.add_argument("--pictures", type=int, default=130_000)
    words.add_argument("--epochs", type=int, default=7)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--cores", type=int, default=2)
    words.add_argument("--out", type=Path, default=MODEL)
    return words.parse_args()


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
