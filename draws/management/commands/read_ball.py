"""Read the balls of single pictures."""

from __future__ import annotations

import os
from itertools import chain, count
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bingo.rules.refusal import Refusal
from draws.balls import camera_watch
from draws.balls.vision import balls_in_files as vision_images
from draws.balls.vision import sources, third_look
from draws.balls.vision.values import Picture
from draws.refusals.text import in_english, plain_refusals
from halls.management.reporting import plain_file_errors


class Command(BaseCommand):
    """Exit code 0: every picture was looked at. 1: one could not be opened, or none be drawn."""

    help = "Find and read the balls of each picture, a telephone's too; one line a ball."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the pictures and what is known of the balls."""
        parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="a picture")
        parser.add_argument("--json", action="store_true", help="print one JSON object a ball")
        parser.add_argument(
            "--filling", action="store_true", help="each picture is one ball cut out, filling it"
        )
        parser.add_argument(
            "--annotate", type=Path, metavar="OUT",
            help="draw what was seen: a picture to write, or a folder for several, in which nothing"
            " is written over",
        )  # fmt: skip
        camera_watch.add_reader(parser)

    def handle(
        self, *, images: list[Path], json: bool, annotate: Path | None, **options: Any
    ) -> None:
        """Read, print, draw."""
        if annotate:
            with plain_file_errors(annotate):
                _require_writable(annotate, images)
        told = camera_watch.camera_source_line if json else camera_watch.sentence
        unread: list[Refusal] = []
        with plain_refusals():
            eye, judge = camera_watch.reader(options)
            self._say_who_is_missing()
            for image in images:
                try:
                    picture = sources.frames_picture(image)
                except Refusal as refusal:
                    unread.append(refusal)
                    continue
                found = vision_images.find_balls(
                    picture, eye=eye, judge=judge, format=options["format"],
                    file=str(image), filling=options["filling"],
                )  # fmt: skip
                for each in found:
                    self.stdout.write(told(each.reading, str(image)))
                if annotate:
                    self._draw(annotate, image, vision_images.annotated(picture, found))
            for refused in unread[:-1]:
                self.stderr.write(in_english(refused))
            if unread:
                raise unread[-1]

    def _draw(self, annotate: Path, image: Path, seen: Picture) -> None:
        """Write what was seen of a picture, and say where if that is into a folder."""
        in_folder = annotate.is_dir()
        out = _free(annotate, image) if in_folder else annotate
        try:
            with plain_file_errors(out):
                vision_images.write_picture(out, seen)
        except ValueError:
            words = f"{out} cannot be written: name a file that ends in .png or .jpg"
            raise CommandError(words) from None
        if in_folder:
            self.stderr.write(f"{image} is drawn in {out}")

    def _say_who_is_missing(self) -> None:
        if third_look.is_missing():
            self.stderr.write(
                "The package rapidocr is missing: what two looks leave in doubt is put to the caller. "
                "To install the packages again: make -B setup"
            )


def _require_writable(annotate: Path, images: list[Path]) -> None:
    """Refuse a file for several pictures, and one that is read itself. Raises CommandError, OSError."""
    if annotate.is_dir():
        return
    if len(images) > 1:
        raise CommandError(f"{annotate} is no folder: several pictures are drawn into one.")
    if any(annotate.exists() and image.exists() and annotate.samefile(image) for image in images):
        raise CommandError(f"{annotate} is the picture that is read: name another to write.")


def _free(folder: Path, image: Path) -> Path:
    """Return the file of a folder into which a picture is drawn, under a name that is not there yet."""
    endings = chain([""], (f"-{number}" for number in count(2)))
    files = (folder / f"{image.stem}{ending}.png" for ending in endings)
    return next(file for file in files if not os.path.lexists(file))
