"""Render a draw before a camera as a video, with the truth about each ball beside it."""

from __future__ import annotations

import argparse
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bingo.rules import formats
from draws.balls.vision.rendering import streams
from draws.balls.vision.rendering.lens import BALL_FAULTS, Trouble
from draws.refusals.text import plain_refusals

# Lost frames and another resolution are no matter of a file: it would only be shorter, or break.
STREAM_FAULTS = ("frozen", "dark", "out_of_focus", "moved", "covered")
BALLS = 1, 99  # what may be printed on a ball, a stranger's too
RATES = 1.0, 240.0  # frames a second
SIZES = ("320x240", "640x360", "640x480", "1280x720")


class Command(BaseCommand):
    """Exit code 0: written. 1: refused or not written, said why."""

    help = "Render a labelled video of a draw: OUT and, beside it, OUT with .jsonl."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add what is to be seen."""
        parser.add_argument("out", type=Path, help="the video: .mp4, or .avi for MJPG")
        parser.add_argument("--format", type=int, default=90, help="90, 80, 75 or 30 numbers (90)")
        parser.add_argument("--balls", type=_whole, default=20, help="how many balls come (20)")
        parser.add_argument("--numbers", help="the balls in their order: 5,17,90 …")
        parser.add_argument(
            "--seed", type=_whole, default=1, help="the same seed, the same video (1)"
        )
        parser.add_argument("--size", choices=SIZES, default="1280x720", help="pixels (1280x720)")
        parser.add_argument("--fps", type=_rate, default=30.0, help="frames a second (30)")
        parser.add_argument(
            "--faults", default="", help="blur,glare,dim,jpeg,motion: what may spoil a ball"
        )
        parser.add_argument(
            "--odd", action="store_true",
            help="two balls, a hand, a blank, a stranger's and a repeated ball now and then",
        )  # fmt: skip
        parser.add_argument(
            "--trouble", action="append", default=[], metavar="FAULT@START+SECONDS",
            help=f"a fault of the stream: {', '.join(STREAM_FAULTS)}",
        )  # fmt: skip
        parser.add_argument("--unmarked", action="store_true", help="no foot is underlined")

    def handle(self, *, out: Path, **options: Any) -> None:
        """Render, write, say how much."""
        if out.suffix.lower() not in streams.CODECS:
            raise CommandError("the video must end in .mp4 or .avi")
        troubles = [_trouble(text) for text in options["trouble"]]
        with plain_refusals():
            highest = formats.get_format(options["format"]).highest
            order = streams.VideoPlan(
                format=highest, numbers=_numbers(options), seed=options["seed"],
                size=_size(options["size"]), fps=options["fps"],
                faults=("", *_faults(options["faults"])), odd=options["odd"],
                marks=not options["unmarked"], troubles=tuple(troubles),
            )  # fmt: skip
        try:
            frames, balls = streams.render_video(out, order)
        except OSError as error:
            raise CommandError(f"not written: {error}") from error
        self.stdout.write(f"{out}: {frames} frames, {balls} lines of truth in {out.stem}.jsonl")


def _numbers(options: dict[str, Any]) -> tuple[int, ...] | int:
    if not options["numbers"]:
        return int(options["balls"])
    least, most = BALLS
    words = options["numbers"].split(",")
    if all(word.isascii() and word.isdigit() and least <= int(word) <= most for word in words):
        return tuple(int(word) for word in words)
    raise CommandError(f"--numbers are whole numbers from {least} to {most} with commas between")


def _whole(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise argparse.ArgumentTypeError("a whole number from 0 to 999999999")


def _rate(text: str) -> float:
    least, most = RATES
    with suppress(ValueError):
        if least <= float(text) <= most:
            return float(text)
    raise argparse.ArgumentTypeError(f"a number from {least:g} to {most:g}")


def _faults(text: str) -> list[str]:
    found = [word for word in text.split(",") if word]
    if unknown := set(found) - set(BALL_FAULTS):
        raise CommandError(f"unknown: {', '.join(sorted(unknown))}")
    return found


def _size(text: str) -> tuple[int, int]:
    wide, high = text.split("x")
    return int(wide), int(high)


def _trouble(text: str) -> Trouble:
    fault, _at, span = text.partition("@")
    start, _plus, length = span.partition("+")
    with suppress(ValueError):
        found = Trouble(fault, float(start), float(length))
        if fault in STREAM_FAULTS and 0 <= found.start < inf and 0 < found.length < inf:
            return found
    raise CommandError(f"--trouble {text}: like frozen@10+4")
