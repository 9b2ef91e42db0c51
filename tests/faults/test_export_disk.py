"""A disk that is full: the archive fails and says so, nothing half is left, and it works again after."""

from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.utils import timezone

from draws import tasks as draws_tasks
from draws.models import Export, ExportState
from draws.record.archive import queue
from halls.models import Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.print_disk import small_disk

__all__ = ["small_disk"]
DAYS = {"first": date(2026, 1, 1), "last": date(2026, 12, 31), "pictures": False}


def made(evening: Evening) -> Export:
    """Let an inspector ask, and the worker write."""
    export = queue.ask_export(**DAYS, key=uuid4(), **evening.who(Role.INSPECTOR))  # type: ignore[arg-type]
    draws_tasks.make_export(export_id=export.pk)
    export.refresh_from_db()
    return export


@pytest.mark.slow
def test_archive_on_a_full_disk_fails_and_leaves_nothing(
    fresh_database: FreshDatabase, small_disk: Path, settings: LazySettings, tmp_path: Path
) -> None:
    settings.KEYS_DIR = tmp_path / "keys"
    settings.EXPORTS_DIR = small_disk / "exports"
    (small_disk / "other").write_bytes(bytes(60 * 1024))
    evening = Evening().reach("sold")
    failed = made(evening)
    assert (failed.state, failed.fault) == (ExportState.FAILED, "export_disk_full")
    assert list((small_disk / "exports").iterdir()) == []
    (small_disk / "other").unlink()
    settings.EXPORTS_DIR = tmp_path / "exports"
    assert queue.export_list_file(made(evening), at=timezone.now()).exists()
