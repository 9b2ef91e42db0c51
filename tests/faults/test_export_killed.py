"""A worker killed in the middle of an archive leaves nothing to take, and the archive is written after all."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.utils import timezone

from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws import tasks as draws_tasks
from draws.models import Export, ExportState
from draws.record.archive import queue
from draws.record.archive.reading import opened
from halls.models import Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening

ROOT = Path(__file__).resolve().parents[2]
DAYS = {"first": date(2026, 1, 1), "last": date(2026, 12, 31), "pictures": False}


@pytest.fixture
def export(fresh_database: FreshDatabase, settings: LazySettings, tmp_path: Path) -> Export:
    """An archive that an inspector asked for."""
    settings.KEYS_DIR, settings.EXPORTS_DIR = tmp_path / "keys", tmp_path / "exports"
    evening = Evening().reach("drawing")
    return queue.ask_export(**DAYS, key=uuid4(), **evening.who(Role.INSPECTOR))  # type: ignore[arg-type]


def killed(database: FreshDatabase, export: Export, folder: Path, *, at: str) -> None:
    """Let a worker write it up to a file, and kill it there."""
    worker = subprocess.Popen(
        [
            sys.executable, "-m", "tests.faults.writing_archive",
            str(export.pk), str(folder / "exports"), str(folder / "keys"), at,
        ],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database.url},
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        assert worker.stdout is not None
        assert worker.stdout.readline().strip() == at
    finally:
        worker.kill()
        worker.wait(timeout=10)


def offered(export: Export) -> bool:
    """Whether its file could be taken away."""
    export.refresh_from_db()
    try:
        queue.export_list_file(export, at=timezone.now())
    except Refusal:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("at", ["rows/draws_sale.jsonl", "manifest.json", "done"])
def test_archive_of_a_killed_worker_is_written_by_the_next(
    fresh_database: FreshDatabase, export: Export, tmp_path: Path, at: str
) -> None:
    killed(fresh_database, export, tmp_path, at=at)
    assert (offered(export), export.state) == (False, ExportState.RUNNING)
    draws_tasks.make_export(export_id=export.pk)
    assert not offered(export)
    draws_tasks.make_due_exports()
    assert (offered(export), export.state) == (False, ExportState.QUEUED)
    draws_tasks.make_export(export_id=export.pk)
    assert (offered(export), export.state) == (True, ExportState.DONE)
    [file] = (tmp_path / "exports").iterdir()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == export.digest
    with opened(file) as archive:
        assert archive.manifest["hall"]["code"] == "sala"


@pytest.mark.slow
def test_archive_that_kills_every_worker_is_said_to_have_failed(
    fresh_database: FreshDatabase, export: Export, tmp_path: Path
) -> None:
    Export.objects.update(losses=actas_after_sealing.MOST_LOSSES - 1)
    killed(fresh_database, export, tmp_path, at="manifest.json")
    draws_tasks.make_due_exports()
    assert not offered(export)
    assert (export.state, export.fault) == (ExportState.FAILED, "export_worker_gone")
    assert list((tmp_path / "exports").iterdir()) == []
