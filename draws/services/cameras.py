"""The cameras of a hall: set up by its manager, and told of by the process that watches them."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction

from bingo.rules import formats
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Camera
from halls import permissions
from halls.models import Hall, Person
from halls.queries.sessions import open_session
from halls.services import journal

LONGEST_NAME, LONGEST_URL = 60, 500
FAULTS = (
    "no_signal", "frozen", "dark", "out_of_focus", "moved", "covered", "wrong_rate",
)  # fmt: skip


@transaction.atomic
def set_up(
    *,
    hall: Hall,
    name: str,
    url: str,
    format: int | None = None,
    settings: dict[str, Any],
    active: bool = True,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> Camera:
    """Set up a camera, or change the one of that name; not active, it is no longer looked at.

    `settings` are those of `draws.vision`, as JSON, none before it is calibrated; the journal keeps
    their SHA-256. It tells where the camera is without the name and password in its `url`.
    Raises Refusal: not_allowed, key_reused, bad_camera_name, bad_camera_address,
    bad_camera_settings, unknown_format.
    """
    permissions.require(by, "camera_set", hall=hall.pk)
    told = _told(name, url, format, settings, active)
    hall = journal.lock(hall.pk)
    if journal.earlier(hall, kind="camera_set", by=by, key=key, inputs=told):
        return Camera.objects.get(hall=hall, name=name)
    entry = journal.append(
        hall, Fact("camera_set", told), session=open_session(hall), by=by, at=at, key=key
    )
    calibrated = {"calibrated_at": entry.at, "calibrated_by": by} if settings else {}
    values = {"url": url, "format": format, "settings": settings, "active": active}
    camera, _created = Camera.objects.update_or_create(
        hall=hall, name=name, defaults=values | calibrated
    )
    return camera


def _told(
    name: str, url: str, format: int | None, settings: dict[str, Any], active: bool
) -> dict[str, Any]:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("bad_camera_name", most=LONGEST_NAME)
    if not url.strip() or len(url) > LONGEST_URL or not url.isprintable():
        raise Refusal("bad_camera_address", most=LONGEST_URL)
    if format is not None:
        formats.get(format)
    return {
        "name": name,
        "address": bare(url),
        "format": format,
        "settings": _digest(settings),
        "active": active,
    }


def _digest(settings: dict[str, Any]) -> str:
    try:
        text = json.dumps(settings, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise Refusal("bad_camera_settings") from None
    return hashlib.sha256(text.encode()).hexdigest()


def bare(url: str) -> str:
    """Give an address without the name, password and questions in it; a device's as it is."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if not parts.scheme or not parts.hostname:
        return url.partition("?")[0].rpartition("@")[2]
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def beat(*, camera: Camera, health: str = "", at: datetime) -> None:
    """Say that a camera is watched, and what is wrong with it; a change is journalled.

    Called about once a second by the process that watches it. Raises Refusal unknown_health.
    """
    if health and health not in FAULTS:
        raise Refusal("unknown_health", health=health)
    alike = Camera.objects.filter(pk=camera.pk, health=health)
    if not alike.update(seen_at=at):
        _changed(camera, health, at)
    camera.health, camera.seen_at = health, at


@transaction.atomic
def _changed(camera: Camera, health: str, at: datetime) -> None:
    hall = journal.lock(camera.hall_id)
    before = Camera.objects.values_list("health", flat=True).get(pk=camera.pk)
    Camera.objects.filter(pk=camera.pk).update(seen_at=at, health=health, health_at=at)
    if before == health:
        return
    session = open_session(hall)
    game = session.games.exclude(phase="complete").first() if session else None
    fact = (
        Fact("camera_fault", {"camera": camera.name, "fault": health})
        if health
        else Fact("camera_restored", {"camera": camera.name, "fault": before})
    )
    moment = max(at, hall.head_at) if hall.head_at else at
    journal.append(
        hall, fact, session=session, game=game.number if game else None, by=None, at=moment
    )
