"""Cameras of before their addresses had a digest, brought up to date."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from draws.balls import cameras
from draws.models import Camera
from draws.record.audit import audit
from halls.management.commands.prepare_database import owner_alias
from halls.models import Hall, JournalEntry, Role
from tests.support import database
from tests.support.evening import Evening
from tests.support.undigested_journal import without_digest

URL = "rtsp://u:p@192.168.1.30/exit?channel="


@pytest.mark.slow
def test_each_camera_of_before_gets_a_salt_of_its_own(
    fresh_database: database.FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening()
    with monkeypatch.context() as older:
        without_digest(older)
        _set_up(evening, "A")
        _set_up(evening, "B")
    with owner_alias() as owner:
        call_command("migrate", "draws", "0009", database=owner, interactive=False, verbosity=0)
    call_command("prepare_database", verbosity=0)
    salts = list(Camera.objects.values_list("salt", flat=True))
    assert [len(salt) for salt in salts] == [64, 64]
    assert salts[0] != salts[1]
    assert audit(Hall.objects.get()) == []
    _set_up(evening, "A")
    assert "digest" in JournalEntry.objects.filter(kind="camera_set").latest("number").data
    assert audit(Hall.objects.get()) == []


def _set_up(evening: Evening, name: str) -> None:
    cameras.set_up(
        hall=evening.hall, name=name, url=URL + name, settings={}, **evening.who(Role.HALL_MANAGER)
    )
