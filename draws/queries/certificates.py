"""Certificates of cameras: which one holds for a set, whether it still counts, where its sheet lies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from bingo.rules.chain import canonical
from bingo.rules.equipment import Standing
from bingo.rules.refusal import Refusal
from draws.models import Camera, Certificate, Enrolment
from draws.vision import eyes
from draws.vision.network import LOCATOR, READERS
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
class Held:
    """A certificate with why it counts no longer, None while it does."""

    certificate: Certificate
    lapse: Lapse | None


def path(digest: str) -> Path:
    """Give the place of a sheet by its SHA-256 in hex; the file may be gone."""
    return Path(settings.CERTIFICATES_DIR) / digest[:2] / f"{digest}.pdf"


def of_hall(hall: Hall) -> QuerySet[Certificate]:
    """Give a hall's certificates, the newest first."""
    return _whole().filter(hall=hall).order_by("-pk")


def of_camera(camera: Camera) -> list[Held]:
    """Give the newest certificate of each set before a camera, but of those retired."""
    found = _newest(camera=camera).exclude(ball_set__standing=Standing.RETIRED)
    return [held(one) for one in found]


def of_set(ball_set: BallSet) -> list[Held]:
    """Give the newest certificate of a set before each camera in use."""
    return [held(one) for one in _newest(ball_set=ball_set, camera__active=True)]


def enrolments_needed(hall: Hall) -> list[int]:
    """Give the enrolments that the newest certificates rest on, but for those of retired sets."""
    found = _newest(hall=hall).exclude(ball_set__standing=Standing.RETIRED)
    return list(found.values_list("enrolment", flat=True))


def certified(camera: Camera, ball_set: BallSet) -> Certificate | None:
    """Give the newest certificate of a set before a camera; whether it counts, `lapse` says."""
    return _newest(camera=camera, ball_set=ball_set).first()


def held(certificate: Certificate) -> Held:
    """Give a certificate with what speaks against it now."""
    return Held(certificate, lapse(certificate))


def _newest(**named: Any) -> QuerySet[Certificate]:
    """Give the newest for each camera and set among those."""
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
    """Give the SHA-256 of a camera's settings, as its certificates name them."""
    try:
        return hashlib.sha256(canonical(camera.settings)).hexdigest()
    except Refusal:
        # What no entry can hold, none was measured with.
        return ""


def _place(camera: Camera, *, before: JournalEntry | None = None) -> Mapping[str, str]:
    """Give where the camera is, or was then, as its entry tells it without name and password."""
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
    """Give the entries of balls of a set that were replaced."""
    return JournalEntry.objects.filter(
        hall=ball_set.hall_id, kind="ball_replaced", data__ball_set=ball_set.serial
    )


def _replaced_since(certificate: Certificate) -> tuple[int, ...]:
    told = _of_the_set(certificate.ball_set).filter(number__gt=certificate.entry.number)
    return tuple(sorted(set(told.values_list("data__number", flat=True))))


def is_changed_since_begun(enrolment: Enrolment) -> bool:
    """Tell whether the camera was set up anew, or a ball replaced, while balls were being shown."""
    told = _set_up(enrolment.camera) | _of_the_set(enrolment.ball_set)
    return told.filter(at__gt=enrolment.begun_at).exists()


def _reader() -> str:
    """Give the digest of the networks as they lie there, empty where there are none."""
    try:
        seen = [file.stat() for file in (LOCATOR, *READERS)]
    except OSError:
        return ""
    return _digest(tuple((file.st_mtime_ns, file.st_size) for file in seen))


@lru_cache(maxsize=2)
def _digest(_stamps: tuple[tuple[int, int], ...]) -> str:
    """Read the networks again only when their files are others: a draw asks at every ball."""
    return eyes.digest()
