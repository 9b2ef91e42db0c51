"""What PostgreSQL itself refuses of readings and cameras."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError
from django.db.models import ProtectedError

from draws.models import Camera, Reading
from halls.models import JournalEntry
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, see
from tests.support.planting_rows import plant
from tests.support.playing import again

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({"standing": "announced"}, "reading_ended_has_entry"),
        ({"source": "rng"}, "reading_seen_or_keyed"),
        ({"source": "by_hand"}, "reading_seen_or_keyed"),
        ({"picture": ""}, "reading_seen_or_keyed"),
        ({"camera_id": None}, "reading_seen_or_keyed"),
        ({"confidence": 1001}, "reading_confidence_per_mille"),
        ({"confidence": -1}, "confidence"),
        ({}, "draws_reading_key"),
    ],
)
def test_reading_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    reading = see(camera_of(filmed(Evening())), 17)
    with pytest.raises(IntegrityError, match=constraint):
        again(Reading.objects.get(pk=reading.pk), **changed)


def test_reading_of_no_known_standing_is_refused() -> None:
    evening = filmed(Evening())
    reading = see(camera_of(evening), 17)
    entry = JournalEntry.objects.latest("number")
    with pytest.raises(IntegrityError, match="reading_standing_known"):
        Reading.objects.filter(pk=reading.pk).update(standing="lost", entry=entry)


@pytest.mark.slow
def test_entry_ends_one_reading() -> None:
    evening = filmed(Evening(), automatic=900)
    see(camera_of(evening), 17)
    done = see(camera_of(evening), 18, sure=100)
    entry = Reading.objects.get(number=17).entry_id
    with pytest.raises(IntegrityError, match="draws_reading_entry"):
        plant(Reading.objects.filter(pk=done.pk), entry_id=entry, standing="announced")


@pytest.mark.parametrize(
    ("changed", "constraint"),
    [
        ({}, "camera_name_once"),
        ({"name": ""}, "camera_has_name"),
        ({"name": "x", "calibrated_by": None}, "camera_calibrated_by_somebody"),
    ],
)
def test_camera_that_cannot_be_is_refused(changed: dict[str, Any], constraint: str) -> None:
    camera = camera_of(Evening())
    with pytest.raises(IntegrityError, match=constraint):
        again(Camera.objects.get(pk=camera.pk), **changed)


def test_camera_that_has_read_is_never_deleted() -> None:
    camera = camera_of(filmed(Evening()))
    see(camera, 17)
    with pytest.raises(ProtectedError):
        camera.delete()
