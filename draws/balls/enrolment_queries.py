"""Read enrolments of balls and camera certificates: progress, proofs, and what still counts.

An enrolment is balls shown to a camera one by one. A certificate counts for a camera and a ball set
until the address, the settings, the reader or a ball changes, or a newer one is made.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from bingo.rules import formats
from bingo.rules.equipment import SetPlace
from bingo.rules.journal_json_and_chain import canonical
from bingo.rules.refusal import Refusal
from draws.balls import queries
from draws.balls.vision import jpeg_pictures, reader
from draws.balls.vision.enrolment import Proof, ReadPicture
from draws.balls.vision.ink_match import Gallery
from draws.balls.vision.recording import FrameFolder
from draws.balls.vision.values import Picture, Spot
from draws.models import Camera, Certificate, Enrolment, Purpose, ShownBall
from halls.models import BallSet, Hall, JournalEntry

PLACE = ("address", "digest")  # of a camera's entry: told since ever, and told of late


class Change(StrEnum):
    """What has changed since a certificate was made, so that it counts no longer."""

    NEWER = "newer"
    ADDRESS = "address"
    SETTINGS = "settings"
    READER = "reader"
    BALLS = "balls"


@dataclass(frozen=True, slots=True)
class Lapse:
    """Why a certificate counts no longer; `balls` are the numbers replaced since."""

    change: Change
    balls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CertificateState:
    """A certificate with why it counts no longer, None while it does."""

    certificate: Certificate
    lapse: Lapse | None


def certificate_path(digest: str) -> Path:
    """Return the place of a sheet by its SHA-256 in hex; the file may be gone."""
    return Path(settings.CERTIFICATES_DIR) / digest[:2] / f"{digest}.pdf"


def certificate_of_hall(hall: Hall) -> QuerySet[Certificate]:
    """Return a hall's certificates, the newest first."""
    return _whole().filter(hall=hall).order_by("-pk")


def of_camera(camera: Camera) -> list[CertificateState]:
    """Return the newest certificate of each set before a camera, but of those retired."""
    found = _newest(camera=camera).exclude(ball_set__standing=SetPlace.RETIRED)
    return [get_certificate_state(one) for one in found]


def of_set(ball_set: BallSet) -> list[CertificateState]:
    """Return the newest certificate of a set before each camera in use."""
    return [get_certificate_state(one) for one in _newest(ball_set=ball_set, camera__active=True)]


def enrolments_needed(hall: Hall) -> list[int]:
    """Return the enrolments that the newest certificates rest on, but for those of retired sets."""
    found = _newest(hall=hall).exclude(ball_set__standing=SetPlace.RETIRED)
    return list(found.values_list("enrolment", flat=True))


def certified(camera: Camera, ball_set: BallSet) -> Certificate | None:
    """Return the newest certificate of a set before a camera; whether it counts, `lapse` says."""
    return _newest(camera=camera, ball_set=ball_set).first()


def get_certificate_state(certificate: Certificate) -> CertificateState:
    """Return a certificate with what speaks against it now."""
    return CertificateState(certificate, lapse(certificate))


def _newest(**named: Any) -> QuerySet[Certificate]:
    """Return the newest for each camera and set among those."""
    found = _whole().filter(**named).order_by("camera", "ball_set", "-pk")
    return found.distinct("camera", "ball_set")


def _whole() -> QuerySet[Certificate]:
    return Certificate.objects.select_related("camera", "ball_set", "entry__by", "entry__hall")


def lapse(certificate: Certificate) -> Lapse | None:
    """Say why a certificate counts no longer; None while all is as it was measured.

    Nothing of it is stored: what the certificate's entry tells is compared with what is now.
    """
    told, camera = certificate.entry, certificate.camera
    newest = certified(camera, certificate.ball_set)
    if newest is not None and newest.pk != certificate.pk:
        return Lapse(Change.NEWER)
    if _is_moved(_place(camera, before=told), _place(camera)):
        return Lapse(Change.ADDRESS)
    if told.data["settings"] != digest_of(camera):
        return Lapse(Change.SETTINGS)
    if certificate.model != _reader():
        return Lapse(Change.READER)
    balls = _replaced_since(certificate)
    return Lapse(Change.BALLS, balls) if balls else None


def digest_of(camera: Camera) -> str:
    """Return the SHA-256 of a camera's settings, as its certificates name them."""
    try:
        return hashlib.sha256(canonical(camera.settings)).hexdigest()
    except Refusal:
        # What no entry can hold, none was measured with.
        return ""


def _place(camera: Camera, *, before: JournalEntry | None = None) -> Mapping[str, str]:
    """Return where the camera is, or was then, as its entry tells it without name and password."""
    told = _set_up(camera)
    if before is not None:
        told = told.filter(number__lt=before.number)
    newest = told.last()
    return {name: newest.data[name] for name in PLACE if name in newest.data} if newest else {}


def _is_moved(then: Mapping[str, str], now: Mapping[str, str]) -> bool:
    # Entries written before an address had a digest tell nothing of its questions.
    return any(then[name] != now[name] for name in then.keys() & now.keys())


def _set_up(camera: Camera) -> QuerySet[JournalEntry]:
    return JournalEntry.objects.filter(
        hall=camera.hall_id, kind="camera_set", data__name=camera.name
    )


def _of_the_set(ball_set: BallSet) -> QuerySet[JournalEntry]:
    """Return the entries of balls of a set that were replaced."""
    return JournalEntry.objects.filter(
        hall=ball_set.hall_id, kind="ball_replaced", data__ball_set=ball_set.serial
    )


def _replaced_since(certificate: Certificate) -> tuple[int, ...]:
    told = _of_the_set(certificate.ball_set).filter(number__gt=certificate.entry.number)
    return tuple(sorted(set(told.values_list("data__number", flat=True))))


def is_changed_since_begun(enrolment: Enrolment) -> bool:
    """Return whether the camera was set up anew, or a ball replaced, while balls were being shown."""
    told = _set_up(enrolment.camera) | _of_the_set(enrolment.ball_set)
    return told.filter(at__gt=enrolment.begun_at).exists()


def _reader() -> str:
    """Return the digest of the networks as they lie there, empty where there are none."""
    try:
        seen = [file.stat() for file in reader.networks()]
    except OSError:
        return ""
    return _digest(tuple((file.st_mtime_ns, file.st_size) for file in seen))


@lru_cache(maxsize=2)
def _digest(_stamps: tuple[tuple[int, int], ...]) -> str:
    """Read the networks again only when their files are others: a draw asks at every ball."""
    return reader.readers_digest()


PATIENCE = timedelta(seconds=5)
UNMINDED = "silent"
RECORDED = "recorded"  # the balls are shown by a recording, which a command reads
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
class EnrolmentProgress:
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


def enrolment_shelf(camera: Camera, name: str) -> FrameFolder:
    """Return the place of what a camera has shown to whoever sets it up: with a ball, or empty."""
    return FrameFolder(Path(settings.DATA_DIR) / "cameras" / str(camera.pk) / name)


def enrolment_of_hall(hall: Hall) -> QuerySet[Enrolment]:
    """Return a hall's enrolments and roll calls, the newest first."""
    found = Enrolment.objects.filter(camera__hall=hall)
    return found.select_related("camera__hall", "ball_set__hall", "begun_by").order_by("-pk")


def going_on(camera: Camera) -> Enrolment | None:
    """Return what is shown to a camera now, if anything is."""
    found = Enrolment.objects.filter(camera=camera, ended_at__isnull=True)
    return found.select_related("camera__hall", "ball_set").first()


def trouble(enrolment: Enrolment, *, at: datetime) -> str:
    """Return the code of what is in the way: two_balls, hand, recorded, a refusal's, silent, or nothing."""
    if enrolment.troubled == RECORDED:
        return RECORDED
    if enrolment.minded_at is None or at - enrolment.minded_at > PATIENCE:
        return UNMINDED
    return enrolment.troubled


def stays(enrolment: Enrolment, *, zeros: bool = False) -> list[Stay]:
    """Return each ball's stay, the first first, without those dismissed."""
    shown = ShownBall.objects.filter(enrolment=enrolment, dismissed=False).order_by("stay", "pk")
    return [
        _stay(stay, tuple(found), zeros=zeros)
        for stay, found in groupby(shown, key=lambda one: one.stay)
    ]


def progress(enrolment: Enrolment) -> EnrolmentProgress:
    """Return how far an enrolment, or a roll call, has come."""
    balls = enrolment.ball_set
    found = stays(enrolment, zeros=balls.zeros)
    named = [one for one in found if one.number is not None]
    counts: Counter[int] = Counter()
    for one in named:
        counts[one.number or 0] += len(one.shown)
    whole = formats.get_format(balls.format).numbers
    return EnrolmentProgress(
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
    """Return what a reading proposes: nothing where nobody can tell which way up the ball is."""
    number: int | None = sure["number"]
    guess: int | None = sure["guess"]
    known = number is not None or not sure["confidence"] or sure["reason"] == NO_MARK
    return number if known else guess


def proofs(enrolment: Enrolment) -> list[tuple[ShownBall, Proof]]:
    """Return each picture of a ball that was named, with what it proves."""
    return [(one, _proof(one)) for one in named_pictures(enrolment).order_by("pk")]


def named_pictures(enrolment: Enrolment) -> QuerySet[ShownBall]:
    """Return the pictures of balls that were named."""
    return ShownBall.objects.filter(enrolment=enrolment, number__isnull=False)


def gallery_digest(shown: Iterable[ShownBall]) -> str:
    """Return the SHA-256 of the list of all pictures with their numbers, as certificates name it."""
    listed = sorted([one.number or 0, one.picture] for one in shown)
    return hashlib.sha256(canonical({"pictures": listed})).hexdigest()


def _proof(shown: ShownBall) -> Proof:
    number = shown.number or 0
    return Proof(number, _read(shown.plain), _read(shown.padded), shown.marked)


def _read(kept: dict[str, Any]) -> ReadPicture:
    candidates = tuple((number, share) for number, share in kept["candidates"])
    return ReadPicture(kept["number"], kept["confidence"], kept["reason"], candidates)


def threshold(certificate: Certificate) -> int:
    """Return from which confidence a ball may be announced by itself, per mille: 0 never.

    A certificate that counts no longer proves nothing any more, and what it had forbidden or asked
    for would be let in without it: then a person confirms every ball until the set is enrolled anew.
    Where a set was never enrolled before a camera only the hall's own rule counts.
    """
    return 0 if lapse(certificate) else certificate.threshold


def compared_with(enrolment: Enrolment) -> Gallery:
    """Return the pictures of an enrolment to compare other balls with."""
    made = Gallery()
    for shown, picture, spot in chosen(enrolment):
        made.add(shown.number or 0, picture, spot, angle=float(shown.angle))
    return made


def chosen(enrolment: Enrolment) -> list[tuple[ShownBall, Picture, Spot]]:
    """Return some pictures of each number, spread over all of them; those whose file is there."""
    found: list[tuple[ShownBall, Picture, Spot]] = []
    rows = named_pictures(enrolment).order_by("number", "pk")
    for _number, group in groupby(rows, key=lambda one: one.number):
        for shown in _spread(list(group)):
            picture = _picture(shown.picture)
            if picture is not None:
                found.append((shown, picture, spot_of(shown)))
    return found


def spot_of(shown: ShownBall) -> Spot:
    """Return where a ball is in its own picture, in pixels."""
    return Spot(shown.middle_x / HUNDREDTHS, shown.middle_y / HUNDREDTHS, shown.radius / HUNDREDTHS)


def _spread(shown: Sequence[ShownBall]) -> list[ShownBall]:
    step = max(1.0, len(shown) / OF_GALLERY)
    return [shown[int(place * step)] for place in range(min(OF_GALLERY, len(shown)))]


def _picture(digest: str) -> Picture | None:
    try:
        return jpeg_pictures.decode(queries.picture_path(digest).read_bytes())
    except OSError:
        return None


def is_of(hall: Hall, digest: str) -> bool:
    """Return whether a picture is of a ball that was shown in a hall."""
    return ShownBall.objects.filter(picture=digest, enrolment__camera__hall=hall).exists()


def is_roll_call(enrolment: Enrolment) -> bool:
    """Return whether the balls are called (R23), not enrolled."""
    return enrolment.purpose != Purpose.ENROL
