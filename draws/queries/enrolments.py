"""Balls shown to a camera: how far an enrolment has come, what was read, what was certified."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from bingo.rules import formats
from bingo.rules.chain import canonical
from draws.models import Camera, Enrolment, Purpose, ShownBall
from draws.queries import certificates, pictures
from draws.queries.certificates import Lapse
from draws.vision import gallery
from draws.vision.gallery import Gallery
from draws.vision.measuring import Proof, Read
from draws.vision.taking import Shelf
from draws.vision.values import Picture, Spot
from halls.models import BallSet, Hall
from halls.queries import equipment

PATIENCE = timedelta(seconds=5)
UNMINDED = "silent"
WITH_BALL, EMPTY = "ball", "empty"
SHELVES = (WITH_BALL, EMPTY)
OF_GALLERY = 4  # pictures of a number that others are compared with
HUNDREDTHS = 100
NO_MARK = "no_mark"  # it reads as another number upside down, and nothing marks its foot


@dataclass(frozen=True, slots=True)
class Stay:
    """A ball's time before the camera: its pictures, the newest last, and what it is taken for.

    `read` is what the reader gives for sure, `guess` what it proposes, `number` what was confirmed;
    none of them where there is none.
    """

    stay: int
    number: int | None
    read: int | None
    guess: int | None
    reason: str
    confidence: int
    shown: tuple[ShownBall, ...]

    @property
    def picture(self) -> str:
        """The SHA-256 of its newest picture."""
        return self.shown[-1].picture


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an enrolment has come: `counts` (number, pictures) of all the set's numbers.

    `waiting` are the balls that nobody has named yet, the first first; `foreign` the numbers seen
    that are none of the set's.
    """

    counts: tuple[tuple[int, int], ...]
    waiting: tuple[Stay, ...]
    last: Stay | None
    foreign: tuple[int, ...]
    agreeing: int
    named: int

    @property
    def done(self) -> int:
        """How many balls of the set were shown."""
        return sum(count > 0 for _number, count in self.counts)

    @property
    def missing(self) -> list[int]:
        """The balls of the set that were not."""
        return [number for number, count in self.counts if not count]


def shelf(camera: Camera, name: str) -> Shelf:
    """Give the place of what a camera has shown to whoever sets it up: with a ball, or empty."""
    return Shelf(Path(settings.DATA_DIR) / "cameras" / str(camera.pk) / name)


def of_hall(hall: Hall) -> QuerySet[Enrolment]:
    """Give a hall's enrolments and roll calls, the newest first."""
    found = Enrolment.objects.filter(camera__hall=hall)
    return found.select_related("camera__hall", "ball_set__hall", "begun_by").order_by("-pk")


def going_on(camera: Camera) -> Enrolment | None:
    """Give what is shown to a camera now, if anything is."""
    found = Enrolment.objects.filter(camera=camera, ended_at__isnull=True)
    return found.select_related("camera__hall", "ball_set").first()


def trouble(enrolment: Enrolment, *, at: datetime) -> str:
    """Give the code of what is in the way: two_balls, hand, a refusal's, silent, or nothing."""
    if enrolment.minded_at is None or at - enrolment.minded_at > PATIENCE:
        return UNMINDED
    return enrolment.troubled


def stays(enrolment: Enrolment, *, zeros: bool = False) -> list[Stay]:
    """Give each ball's stay, the first first, without those dismissed."""
    shown = ShownBall.objects.filter(enrolment=enrolment, dismissed=False).order_by("stay", "pk")
    return [
        _stay(stay, tuple(found), zeros=zeros)
        for stay, found in groupby(shown, key=lambda one: one.stay)
    ]


def progress(enrolment: Enrolment) -> Progress:
    """Give how far an enrolment, or a roll call, has come."""
    balls = enrolment.ball_set
    found = stays(enrolment, zeros=balls.zeros)
    named = [one for one in found if one.number is not None]
    counts: Counter[int] = Counter()
    for one in named:
        counts[one.number or 0] += len(one.shown)
    whole = formats.get(balls.format).numbers
    return Progress(
        counts=tuple((number, counts[number]) for number in whole),
        waiting=tuple(one for one in found if one.number is None),
        last=named[-1] if named else None,
        foreign=tuple(sorted(set(counts) - set(whole))),
        agreeing=sum(one.read == one.number for one in named),
        named=len(named),
    )


def _stay(stay: int, shown: tuple[ShownBall, ...], *, zeros: bool) -> Stay:
    reads = [one.padded if zeros else one.plain for one in shown]
    sure = max(reads, key=lambda one: (one["number"] is not None, one["confidence"]))
    return Stay(
        stay, shown[0].number, sure["number"], _guess(sure), sure["reason"], sure["confidence"],
        shown,
    )  # fmt: skip


def _guess(sure: dict[str, Any]) -> int | None:
    """Give what a reading proposes: nothing where nobody can tell which way up the ball is."""
    number: int | None = sure["number"]
    guess: int | None = sure["guess"]
    known = number is not None or not sure["confidence"] or sure["reason"] == NO_MARK
    return number if known else guess


def proofs(enrolment: Enrolment) -> list[tuple[ShownBall, Proof]]:
    """Give each picture of a ball that was named, with what it proves."""
    return [(one, _proof(one)) for one in named(enrolment).order_by("pk")]


def named(enrolment: Enrolment) -> QuerySet[ShownBall]:
    """Give the pictures of balls that were named."""
    return ShownBall.objects.filter(enrolment=enrolment, number__isnull=False)


def gallery_digest(shown: Iterable[ShownBall]) -> str:
    """Give the SHA-256 of the list of all pictures with their numbers, as certificates name it."""
    listed = sorted([one.number or 0, one.picture] for one in shown)
    return hashlib.sha256(canonical({"pictures": listed})).hexdigest()


def _proof(shown: ShownBall) -> Proof:
    number = shown.number or 0
    return Proof(number, _read(shown.plain), _read(shown.padded), shown.marked)


def _read(kept: dict[str, Any]) -> Read:
    candidates = tuple((number, share) for number, share in kept["candidates"])
    return Read(kept["number"], kept["confidence"], kept["reason"], candidates)


def threshold(camera: Camera, ball_set: BallSet) -> int | None:
    """Give from which confidence a ball may be announced by itself, per mille: 0 never.

    None where the set was never enrolled before this camera: only the hall's own rule counts. A
    certificate that counts no longer proves nothing any more, and what it had forbidden or asked
    for would be let in without it: then a person confirms every ball until the set is enrolled anew.
    """
    found = certificates.certified(camera, ball_set)
    if found is None:
        return None
    return 0 if certificates.lapse(found) else found.threshold


def least_sure(camera: Camera, format: int) -> int | None:
    """Give that of the set of a format that is in use; None where no certificate speaks of it."""
    used = equipment.in_use(camera.hall, format)
    return threshold(camera, used) if used else None


def lapsed(camera: Camera, format: int) -> Lapse | None:
    """Say why the certificate of the set of a format in use counts no longer; None where it does."""
    used = equipment.in_use(camera.hall, format)
    found = certificates.certified(camera, used) if used else None
    return certificates.lapse(found) if found else None


def compared_with(enrolment: Enrolment) -> Gallery:
    """Give the pictures of an enrolment to compare other balls with."""
    made = Gallery()
    for shown, picture, spot in chosen(enrolment):
        made.add(shown.number or 0, picture, spot, angle=float(shown.angle))
    return made


def chosen(enrolment: Enrolment) -> list[tuple[ShownBall, Picture, Spot]]:
    """Give some pictures of each number, spread over all of them; those whose file is there."""
    found: list[tuple[ShownBall, Picture, Spot]] = []
    rows = named(enrolment).order_by("number", "pk")
    for _number, group in groupby(rows, key=lambda one: one.number):
        for shown in _spread(list(group)):
            picture = _picture(shown.picture)
            if picture is not None:
                found.append((shown, picture, spot_of(shown)))
    return found


def spot_of(shown: ShownBall) -> Spot:
    """Give where a ball is in its own picture, in pixels."""
    return Spot(shown.middle_x / HUNDREDTHS, shown.middle_y / HUNDREDTHS, shown.radius / HUNDREDTHS)


def _spread(shown: Sequence[ShownBall]) -> list[ShownBall]:
    step = max(1.0, len(shown) / OF_GALLERY)
    return [shown[int(place * step)] for place in range(min(OF_GALLERY, len(shown)))]


def _picture(digest: str) -> Picture | None:
    try:
        return gallery.decode(pictures.path(digest).read_bytes())
    except OSError:
        return None


def is_of(hall: Hall, digest: str) -> bool:
    """Tell whether a picture is of a ball that was shown in a hall."""
    return ShownBall.objects.filter(picture=digest, enrolment__camera__hall=hall).exists()


def is_roll_call(enrolment: Enrolment) -> bool:
    """Tell whether the balls are called (R23), not enrolled."""
    return enrolment.purpose != Purpose.ENROL
