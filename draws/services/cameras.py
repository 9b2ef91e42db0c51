"""The cameras of a hall: set up by its manager, and told of by the process that watches them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from bingo.rules import formats
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from draws.models import Camera
from draws.queries import whereabouts
from draws.vision import addresses, calibration
from halls import permissions
from halls.models import Hall, Person
from halls.queries.sessions import open_session
from halls.services import journal

LONGEST_NAME, LONGEST_URL = 60, 500
FAULTS = (
    "no_signal", "frozen", "dark", "out_of_focus", "moved", "covered", "wrong_rate",
    "resolution_changed", "bad_settings", "not_kept",
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
    their SHA-256. It tells where the camera is without the name and password in its `url`, whose
    form alone is judged: the host may be away, and is judged whenever it is asked.
    Raises Refusal: not_allowed, key_reused, bad_camera_name, bad_camera_address, not_a_camera,
    bad_camera_settings, unknown_format.
    """
    permissions.require(by, "camera_set", hall=hall.pk)
    _require_plain(name, url, format)
    if settings:
        calibration.require_usable(settings)
    hall = journal.lock(hall.pk)
    camera = Camera.objects.filter(hall=hall, name=name).first() or Camera(hall=hall, name=name)
    # What was taken for an address before may still be put out of use.
    if active or url != camera.url:
        addresses.require_form(url)
    told = {
        "name": name,
        "address": whereabouts.bare(url),
        "digest": whereabouts.digest(url, salt=camera.salt),
        "format": format,
        "settings": whereabouts.settings_digest(settings),
        "active": active,
    }
    if journal.earlier(hall, kind="camera_set", by=by, key=key, inputs=told):
        return camera
    entry = journal.append(
        hall, Fact("camera_set", told), session=open_session(hall), by=by, at=at, key=key
    )
    calibrated = {"calibrated_at": entry.at, "calibrated_by": by} if settings else {}
    values = {"url": url, "format": format, "settings": settings, "active": active, **calibrated}
    for field, value in values.items():
        setattr(camera, field, value)
    camera.save(update_fields=values if camera.pk else None)
    return camera


def _require_plain(name: str, url: str, format: int | None) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal("bad_camera_name", most=LONGEST_NAME)
    if not url.strip() or len(url) > LONGEST_URL or not url.isprintable():
        raise Refusal("bad_camera_address", most=LONGEST_URL)
    if format is not None:
        formats.get(format)


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
