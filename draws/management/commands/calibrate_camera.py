"""Set a camera up: find where its balls rest, learn the empty scene, write the settings."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from draws.balls import camera_watch, cameras_and_live_picture
from draws.balls.vision import calibration, jpeg_pictures, sources
from draws.balls.vision.calibration import Survey
from draws.balls.vision.exit_area import Area
from draws.balls.vision.live_camera import Live
from draws.balls.vision.sources import Address
from draws.balls.vision.values import Frame, Spot
from draws.models import Camera
from draws.refusals.text import plain_refusals
from halls.management.reporting import person_called, require_writable, the_hall, write_file

SECONDS = 20.0
RECORDED = ("video", "folder")
ADVICE = {
    "too_dark": "too dark around the ball: more light",
    "too_light": "too bright around the ball: less light, or a shorter exposure",
    "not_sharp": "not sharp: set the focus on the ball",
    "too_small": "the ball is small: nearer, or a longer lens",
    "too_near_edge": "the exit is at the edge of the picture: point the camera at it",
    "featureless": "nothing around the exit to know the scene by: a movement would go unseen",
}


class Command(BaseCommand):
    """Exit code 0: the settings were written. 1: refused or not written, said why."""

    help = "Find where a camera's balls rest and write its settings."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the source, where a ball rests if it is known, and where to write."""
        parser.add_argument("source", help="rtsp://…, /dev/video0, a video or a folder of frames")
        parser.add_argument(
            "--area",
            type=_spot,
            metavar="X,Y,R",
            help="where a ball rests and its radius, in pixels",
        )
        parser.add_argument(
            "--patch", type=_patch, metavar="X,Y,W,H", help="something that always moves, in pixels"
        )
        parser.add_argument(
            "--seconds", type=camera_watch.seconds, default=SECONDS,
            help=f"how long to look, with balls coming and going ({SECONDS:.0f})",
        )  # fmt: skip
        parser.add_argument("--out", type=Path, help="the file to write the settings into")
        parser.add_argument("--still", type=Path, help="write what was seen as a JPEG")
        parser.add_argument(
            "--camera",
            help="the camera to set up in the hall, by its name; a recording leaves its address",
        )
        parser.add_argument("--hall", help="the hall's code, where there are several")
        parser.add_argument("--by", help="who sets the camera up: a user name")
        parser.add_argument("--json", action="store_true", help="print the settings as JSON")

    def handle(self, *, source: str, **options: Any) -> None:
        """Look, learn, write, advise."""
        if options["camera"] and not options["by"]:
            raise CommandError("say with --by who sets the camera up")
        require_writable(options["out"], options["still"])
        with plain_refusals():
            address = camera_watch.camera_source(source)
            setting = _setting(address, source, options) if options["camera"] else None
            survey, fps = _look(address, options["seconds"])
            area = survey.area(fps=fps, spot=options["area"])
            if options["patch"]:
                area = replace(area, patch=options["patch"])
            if setting:
                cameras_and_live_picture.set_up(
                    **setting, settings=area.document(), at=timezone.now()
                )
        if options["out"]:
            write_file(options["out"], json.dumps(area.document(), indent=1) + "\n")
        if options["still"]:
            write_file(options["still"], jpeg_pictures.whole(survey.pictures[-1]))
        self._report(area, survey, as_json=options["json"])

    def _report(self, area: Area, survey: Survey, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(area.document()))
            return
        x, y = area.middle
        self.stdout.write(
            f"balls rest at {x:.0f}, {y:.0f} with a radius of {area.radius:.0f} pixels"
        )
        self.stdout.write(f"{area.size[0]}×{area.size[1]} at {area.fps:.1f} frames a second")
        for advice in calibration.advise(survey.pictures[-1], area):
            self.stdout.write(f"{ADVICE[advice.code]} ({advice.value:.0f})")
        if not area.empty:
            self.stdout.write("the exit was never seen empty: look longer, or a hand is not told")
        if not area.noisy and not area.patch:
            self.stdout.write(_still_words(survey))


def _still_words(survey: Survey) -> str:
    told = "this camera sends the same frame twice: a frozen picture shows only by what moves"
    patch = survey.lively()
    if patch:
        told += "; this always moved: --patch " + ",".join(str(value) for value in patch)
    return told


def _look(address: Address, seconds: float) -> tuple[Survey, float]:
    if address.means in RECORDED:
        seen = takewhile(lambda frame: frame.at < seconds * 3, sources.recorded(address))
        return Survey().take(seen), sources.rate(address)
    survey, last = Survey(), None
    with Live(address) as live:
        while live.now < seconds:
            frame = live.read(1.0)
            if frame is not None:
                survey.take([frame])
                last = frame
    return survey, _rate(last)


def _rate(last: Frame | None) -> float:
    return min(240.0, max(1.0, last.index / last.at)) if last and last.at else sources.USUAL_RATE


def _setting(address: Address, source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return what is set up but for the settings, before anybody has to look for long."""
    hall = the_hall(options["hall"])
    person = person_called(hall, options["by"])
    name = options["camera"]
    before = Camera.objects.filter(hall=hall, name=name).first()
    setting = {"hall": hall, "name": name, "url": source, "by": person}
    if before is not None:
        setting["format"] = before.format
    if address.means in RECORDED:
        if before is None:
            raise CommandError(f"a recording does not say where {name} is: set it up first")
        # Nor does it say that the camera is looked at from now on.
        setting |= {"url": before.url, "active": before.active}
    return setting


def _spot(text: str) -> Spot:
    try:
        x, y, radius = (float(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("three numbers: X,Y,R") from None
    return Spot(x, y, radius)


def _patch(text: str) -> tuple[int, int, int, int]:
    try:
        x, y, wide, high = (int(word) for word in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("four whole numbers: X,Y,W,H") from None
    return x, y, wide, high
