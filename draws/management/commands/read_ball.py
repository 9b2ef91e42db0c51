"""Read the balls of single pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from draws.balls import camera_watch
from draws.balls.vision import images as vision_images
from draws.balls.vision import sources
from draws.management.refusals import plain_refusals


class Command(BaseCommand):
    """Exit code 0: every picture was looked at. 1: one could not be opened."""

    help = "Read the number of the ball in each picture; one line a ball."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the pictures and what is known of the balls."""
        parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="a picture")
        parser.add_argument("--json", action="store_true", help="print one JSON object a ball")
        parser.add_argument(
            "--filling", action="store_true", help="each picture is one ball cut out, filling it"
        )
        camera_watch.add_reader(parser)

    def handle(self, *, images: list[Path], json: bool, **options: Any) -> None:
        """Read, print."""
        told = camera_watch.camera_source_line if json else camera_watch.sentence
        with plain_refusals():
            eye, judge = camera_watch.reader(options)
            for image in images:
                found = vision_images.read_single_image(
                    sources.frames_picture(image), eye=eye, judge=judge, format=options["format"],
                    file=str(image), filling=options["filling"],
                )  # fmt: skip
                for reading in found:
                    self.stdout.write(told(reading, str(image)))
