"""What the commands of the camera share: a source, an area and a reader from the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import translation

from bingo.rules import formats
from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.management import series_file
from draws.vision import addresses, area
from draws.vision.addresses import Address
from draws.vision.area import Area
from draws.vision.glance import Eye
from draws.vision.values import Reading
from draws.vision.verdict import verdict
from draws.vision.watching import Judge

LONGEST = 10_000_000  # seconds; some months


def add_reader(parser: CommandParser) -> None:
    """Add what a reader must know of the balls."""
    parser.add_argument("--format", type=int, default=90, help="90, 80, 75 or 30 numbers (90)")
    parser.add_argument("--zeros", action="store_true", help="the balls read 06, not 6")


def reader(options: dict[str, Any]) -> tuple[Eye, Judge]:
    """Give what looks and what judges. Raises Refusal unknown_format."""
    formats.get(options["format"])
    return Eye(zeros=options["zeros"]), partial(verdict, zeros=options["zeros"])


def seconds(text: str) -> float:
    """Read how long a camera is to be looked at."""
    with suppress(ValueError):
        if 0 < float(text) <= LONGEST:
            return float(text)
    raise argparse.ArgumentTypeError(f"a number of seconds, at most {LONGEST}")


def source(words_: str) -> Address:
    """Give a source; whether it may be on this machine, the settings say. Raises Refusal."""
    return addresses.source(words_, loopback=settings.CAMERA_LOOPBACK)


def read_area(file: Path) -> Area:
    """Read settings from a file. Raises CommandError, Refusal bad_camera_settings."""
    try:
        return area.read(json.loads(series_file.read(file)))
    except (ValueError, RecursionError):
        raise Refusal("bad_camera_settings", field="JSON") from None


def line(reading: Reading, file: str) -> str:
    """Give one line of JSON about a ball."""
    return json.dumps(
        {
            "file": reading.file or file,
            "number": reading.number,
            "confidence": round(reading.confidence, 4),
            "runner_up": reading.runner_up,
            "at": round(reading.at, 3),
            "frame": reading.frame,
            "reason": reading.reason,
            "candidates": [[number, round(share, 4)] for number, share in reading.candidates],
        }
    )


def sentence(reading: Reading, file: str) -> str:
    """Say what was read to a person."""
    # A ball is one line, whatever a file is called.
    name = " ".join((reading.file or file).split())
    where = f"{name}: {reading.at:.2f} s: "
    if reading.number is not None:
        return where + f"{reading.number} ({reading.confidence:.1%})"
    guesses = ", ".join(f"{number} ({share:.0%})" for number, share in reading.candidates)
    return where + f"not read: {reading.reason}" + (f"; perhaps {guesses}" if guesses else "")


@contextmanager
def plainly() -> Iterator[None]:
    """Make a refusal one plain line and exit code 1."""
    try:
        yield
    except Refusal as refusal:
        with translation.override("en"):
            told = f"refused: {refusal.code}: {words.refusal(refusal)}"
        raise CommandError(told) from refusal
