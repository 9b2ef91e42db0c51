"""What the tests of checkpoints share with others."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import timezone

from halls import sessions
from halls.checkpoints import services as checkpoints_services
from halls.models import Hall, Role
from tests.support.evening import Evening, tonight


@pytest.fixture
def hall(settings: LazySettings, tmp_path: Path) -> Hall:
    """A hall whose session has closed, with one folder for checkpoints."""
    settings.KEYS_DIR = tmp_path / "keys"
    (tmp_path / "disk").mkdir()
    settings.CHECKPOINT_DIRS = [str(tmp_path / "disk")]
    evening = Evening().reach("session")
    evening.close()
    return evening.hall


def again(hall: Hall) -> None:
    """Hold one more session, and close it."""
    evening = Evening(hall=hall)
    manager = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=hall, checked=True, ends_at=tonight(), **manager)
    evening.close()


def deliver(hall: Hall) -> None:
    checkpoints_services.deliver(hall, at=timezone.now())


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "disk" / "sala").glob("*.checkpoint"))
