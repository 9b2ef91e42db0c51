"""Read the balls of a draw: a video, a camera or a folder of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bingo.rules.refusal import Refusal
from draws.balls import camera_outbox, camera_watch
from draws.balls.vision import balls_in_files, sources
from draws.balls.vision.calibration import Survey
from draws.balls.vision.exit_area import Area
from draws.balls.vision.live_camera import Live, stream
from draws.balls.vision.prints import PrintReader, Prints
from draws.balls.vision.sources import Address
from draws.balls.vision.values import BallReading, Event, Health
from draws.balls.vision.watching import Watcher
from draws.models import Camera
from draws.refusals.text import plain_refusals
from halls.management.reporting import the_hall
from halls.models import BallSet

LONGEST = 3600  # frames of a video from which its exit area is found


class Command(BaseCommand):
    """Exit code 0: read to its end (a camera: until Ctrl-C). 1: it cannot be read, said why."""

    help = "Read the balls of a video, camera or folder in their order; one line a ball."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the source and what is known of it."""
        parser.add_argument("source", help="a video, rtsp://…, /dev/video0 or a folder of pictures")
        parser.add_argument("--json", action="store_true", help="print one JSON object a ball")
        parser.add_argument(
            "--calibrated",
            dest="area",
            type=Path,
            help="what calibrate_camera wrote; a camera needs it",
        )
        parser.add_argument(
            "--repeats",
            action="store_true",
            help="it is more than one game: numbers may come again",
        )
        parser.add_argument(
            "--seconds", type=camera_watch.seconds, help="stop after so many seconds of a camera"
        )
        parser.add_argument(
            "--enrolled",
            nargs=2,
            metavar=("CAMERA", "SERIAL"),
            help="a camera's name and a ball set's serial: read by their enrolment too",
        )
        parser.add_argument("--hall", help="the hall's code, where there are several")
        camera_watch.add_reader(parser)

    def handle(self, *, source: str, json: bool, **options: Any) -> None:
        """Open, read, print each ball when it is read; faults of the camera go to stderr."""
        told = camera_watch.camera_source_line if json else camera_watch.sentence
        with plain_refusals():
            address = camera_watch.camera_source(source)
            for event in self._events(address, options):
                if isinstance(event, BallReading):
                    self.stdout.write(told(event, address.shown))
                    self.stdout.flush()
                else:
                    self.stderr.write(_fault(event))

    def _events(self, address: Address, options: dict[str, Any]) -> Iterator[Event]:
        if address.means == "folder" and not options["area"]:
            yield from _stills(address, options)
            return
        if address.means in ("network", "device"):
            yield from _live(address, options)
            return
        watcher = _watcher(_area(address, options), options, live=False)
        yield from balls_in_files.events(
            sources.recorded(address), watcher, repeats=options["repeats"]
        )


def _stills(address: Address, options: dict[str, Any]) -> Iterator[BallReading]:
    """Read a folder about which nothing is known as pictures of single balls."""
    eye, judge = camera_watch.reader(options)
    for frame in sources.recorded(address):
        yield from balls_in_files.read_single_image(
            frame.picture, eye=eye, judge=judge, format=options["format"], file=frame.file
        )


def _live(address: Address, options: dict[str, Any]) -> Iterator[Event]:
    if not options["area"]:
        raise Refusal("camera_not_calibrated")
    watcher = _watcher(camera_watch.read_area(options["area"]), options, live=True)
    with Live(address) as live:
        yield from stream(live, watcher, seconds=options["seconds"], repeats=options["repeats"])


def _watcher(area: Area, options: dict[str, Any], *, live: bool) -> Watcher:
    eye, judge = camera_watch.reader(options)
    watcher = Watcher(area, format=options["format"], eye=eye, judge=judge, live=live)
    if options["enrolled"]:
        watcher.prints = _prints(options, eye)
    return watcher


def _prints(options: dict[str, Any], eye: PrintReader) -> Prints:
    """Return the prints of the balls enrolled. Raises CommandError where no enrolment counts."""
    hall = the_hall(options["hall"])
    name, serial = options["enrolled"]
    camera = Camera.objects.filter(hall=hall, name=name).first()
    balls = BallSet.objects.filter(hall=hall, serial=serial, format=options["format"]).first()
    known = camera_outbox.enrolled(camera, balls, eye) if camera and balls else None
    if known is None:
        raise CommandError(f"no enrolment of {serial} before {name} counts")
    return known


def _area(address: Address, options: dict[str, Any]) -> Area:
    if options["area"]:
        return camera_watch.read_area(options["area"])
    shown = takewhile(lambda frame: frame.index < LONGEST, sources.recorded(address))
    survey = Survey().take(shown)
    return survey.area(fps=sources.rate(address))


def _fault(health: Health) -> str:
    return f"{health.at:.2f} s: {'camera' if health.on else 'no longer'}: {health.fault}"
