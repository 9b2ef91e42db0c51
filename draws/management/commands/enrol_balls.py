"""Enrol a ball set from a recording whose balls are known, and certify the camera."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from bingo.rules import formats
from draws.balls import (
    camera_certificate,
    camera_watch,
    enrolment_queries,
    enrolments_and_roll_calls,
)
from draws.balls.vision import exit_area, sources
from draws.balls.vision.enrolment import Enroller, Pose, posed
from draws.balls.vision.reader import ReaderPair, is_taught
from draws.balls.vision.sources import Address
from draws.cards import series_queries
from draws.models import Camera, Certificate, Enrolment
from draws.refusals.text import plain_refusals
from halls.management.reporting import person_called, require_writable, the_hall, write_file
from halls.models import BallSet, Person

BEFORE, AFTER = 0.1, 0.6  # seconds about a label within which its ball is seen


@dataclass(frozen=True, slots=True)
class _Label:
    number: int
    place: int | None = None
    file: str | None = None  # of any, where its time is known
    at: float = 0.0
    until: float = inf


class Command(BaseCommand):
    """Exit code 0: certified. 1: refused, said why; what was shown is given up."""

    help = "Enrol a ball set from a video or a folder of pictures, measure the reader, certify."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the recording, whose balls it shows, and who answers for it."""
        parser.add_argument("source", help="a video, or a folder of pictures of one ball each")
        parser.add_argument("--camera", required=True, help="the camera that took it, by its name")
        parser.add_argument("--set", required=True, dest="serial", help="the ball set's serial")
        parser.add_argument("--by", required=True, help="who shows the balls: a user name")
        parser.add_argument("--hall", help="the hall's code, where there are several")
        known = parser.add_mutually_exclusive_group(required=True)
        known.add_argument("--labels", type=Path, help="JSON lines: number, and at/until or file")
        known.add_argument("--order", help="the numbers in the order shown: 1-90 or 7,12,3")
        parser.add_argument("--pdf", type=Path, help="write the certificate there too")

    def handle(self, *, source: str, **options: Any) -> None:
        """Show, name, measure, print the outcome as JSON."""
        require_writable(options["pdf"])
        if not is_taught():
            raise CommandError("there is no network to read by")
        hall = the_hall(options["hall"])
        by = person_called(hall, options["by"])
        camera = _one(Camera, "no camera is called", hall=hall, name=options["camera"])
        balls = _one(BallSet, "no ball set has the serial", hall=hall, serial=options["serial"])
        labels = _labels(options, balls.format, pictures=Path(source).is_dir())
        with plain_refusals():
            address = camera_watch.camera_source(source)
            begun = enrolments_and_roll_calls.begin(
                camera=camera, ball_set=balls, purpose="enrol", by=by, at=timezone.now(),
                key=uuid4(), trouble=enrolment_queries.RECORDED,
            )  # fmt: skip
            try:
                self._show(begun, address, labels, by)
                made = enrolments_and_roll_calls.finish_certification(
                    enrolment=begun, by=by, at=timezone.now(), key=uuid4()
                )
            except BaseException:
                enrolments_and_roll_calls.give_up(enrolment=begun, by=by, at=timezone.now())
                raise
        self._report(made, options["pdf"])

    def _show(self, begun: Enrolment, address: Address, labels: list[_Label], by: Person) -> None:
        stays: dict[int, tuple[str, float]] = {}
        for place, (file, pose) in enumerate(_poses(begun, address)):
            key = uuid5(UUID(int=begun.pk), str(place))
            enrolments_and_roll_calls.see(
                enrolment=begun, pose=pose, seen_at=timezone.now(), key=key
            )
            stays.setdefault(pose.stay, (file, pose.at))
        for place, (stay, (file, at)) in enumerate(stays.items()):
            number = _number(labels, place, file, at)
            if number is None:
                enrolments_and_roll_calls.dismiss(enrolment=begun, stay=stay, by=by)
            else:
                enrolments_and_roll_calls.name(enrolment=begun, stay=stay, number=number, by=by)

    def _report(self, made: Certificate, pdf: Path | None) -> None:
        paper = enrolment_queries.certificate_path(made.paper)
        if pdf:
            write_file(pdf, paper.read_bytes())
        told = {
            "camera": made.camera.name,
            "ball_set": made.ball_set.serial,
            "threshold": made.threshold,
            "model": made.model,
            **made.found,
            "certificate": made.paper,
            "file": str(pdf or paper),
            "says": " ".join(
                [
                    camera_certificate.threshold_words(made.threshold),
                    camera_certificate.zeros_words(
                        made.found["zeros"], registered=made.ball_set.zeros
                    ),
                ]
            ),
        }
        self.stdout.write(json.dumps(told))


def _poses(begun: Enrolment, address: Address) -> Iterator[tuple[str, Pose]]:
    """Return the poses of a recording with the file each is from."""
    balls, eyes = begun.ball_set, ReaderPair()
    if address.means == "folder":
        for place, frame in enumerate(sources.recorded(address), start=1):
            yield (
                frame.file,
                posed(frame, stay=place, format=balls.format, zeros=balls.zeros, eyes=eyes),
            )
        return
    area = exit_area.read(begun.camera.settings)
    enroller = Enroller(area, format=balls.format, zeros=balls.zeros, eyes=eyes)
    for frame in sources.recorded(address):
        for pose in enroller.see(frame):
            yield frame.file, pose


def _labels(options: dict[str, Any], format: int, *, pictures: bool) -> list[_Label]:
    if options["order"] is not None:
        return [_Label(number, place) for place, number in enumerate(_order(options["order"]))]
    found, file = [], options["labels"]
    for place, line in enumerate(series_queries.read_series_path(file).split("\n"), start=1):
        if not line.strip():
            continue
        told = _parsed(line)
        if fault := _fault(told, format, pictures=pictures):
            raise CommandError(f"{file}, line {place}: {fault}")
        if told.get("kind", "ball") == "ball":
            at, until = told.get("at", 0.0), told.get("until", inf)
            found.append(_Label(told["number"], None, told.get("file"), at, until))
    return found


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _fault(told: Any, format: int, *, pictures: bool) -> str:
    """Return in words why a line is no label, nothing where it is one, or of what is no ball."""
    if not isinstance(told, dict):
        return "it is no object of JSON"
    if told.get("kind", "ball") != "ball":
        return ""
    number, file = told.get("number"), told.get("file")
    if type(number) is not int or number not in formats.get_format(format).numbers:
        return f"number must be one from 1 to {format}"
    if not isinstance(file, str | None):
        return "file must be a name"
    if file is None and pictures:
        return "file is missing"
    if file is None and not {"at", "until"} <= told.keys():
        return "at and until, or file, are missing"
    return "" if _are_seconds(told) else "at and until must be seconds"


def _are_seconds(told: dict[str, Any]) -> bool:
    return all(type(told.get(name, 0.0)) in (int, float) for name in ("at", "until"))


def _order(words: str) -> list[int]:
    numbers: list[int] = []
    try:
        for part in words.split(","):
            first, _dash, last = part.partition("-")
            numbers += range(int(first), int(last or first) + 1)
    except ValueError:
        raise CommandError(f"--order is {words}: write it like 1-90 or 7,12,3") from None
    return numbers


def _number(labels: list[_Label], place: int, file: str, at: float) -> int | None:
    """Return the number of a ball by its place in the order, its file, or its time."""
    for label in labels:
        if label.place is not None:
            if label.place == place:
                return label.number
        elif label.file in (None, file) and label.at - BEFORE <= at <= label.until + AFTER:
            return label.number
    return None


def _one(model: Any, words: str, **named: Any) -> Any:
    found = model.objects.filter(**named).first()
    if found is None:
        raise CommandError(f"{words} {list(named.values())[-1]} here")
    return found
