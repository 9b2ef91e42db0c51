"""A hall whose pictures are kept for thirty days, and a folder of its own for its files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from halls.models import Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of


@pytest.fixture
def evening() -> Evening:
    """A hall that reads its balls by camera and keeps their pictures for thirty days."""
    made = Evening()
    set_policy(
        hall=made.hall, source="camera", automatic=900, picture_days=30,
        **made.who(Role.HALL_MANAGER),
    )  # fmt: skip
    camera_of(made)
    return made


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """Keep all files of the hall in a folder of the test's own."""
    settings.DATA_DIR = settings.PICTURES_DIR = tmp_path
    settings.CERTIFICATES_DIR = tmp_path / "certificates"
    settings.KEYS_DIR, settings.PRINTS_DIR = tmp_path / "keys", tmp_path / "prints"
    return tmp_path
