"""What becomes of an export in its row: taken, told, done, failed, lost."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db.models import QuerySet

from bingo.rules import exports as rules
from draws.models import Export, ExportState

LOST = "export_worker_gone"

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The export is no longer this worker's to write: it was cancelled."""


def claimed(export_id: int, *, at: datetime) -> Export | None:
    """Give the export if it was queued: it runs now."""
    queued = Export.objects.filter(pk=export_id, state=ExportState.QUEUED)
    if not queued.update(state=ExportState.RUNNING, started_at=at, written=0, step=""):
        return None
    return Export.objects.select_related("hall").get(pk=export_id)


def tell(export: Export, *, written: int, files: int, step: str) -> None:
    """Write down how far the archive has come. Raises Stopped."""
    if not _running(export).update(written=written, files=files, step=step):
        raise Stopped


def finish(export: Export, *, size: int, digest: str, at: datetime) -> None:
    """Record that the archive lies in its place; it is kept for a while. Raises Stopped."""
    done = _running(export).update(
        state=ExportState.DONE, step="", size=size, digest=digest, ended_at=at,
        expires_at=at + rules.KEPT,
    )  # fmt: skip
    if not done:
        raise Stopped


def fail(export: Export, fault: str, *, at: datetime) -> None:
    """Record that the export has failed, and why."""
    _running(export).update(state=ExportState.FAILED, fault=fault, ended_at=at)


def take_back(export: Export, *, at: datetime) -> None:
    """Queue an export again that has lost its worker; after MOST_LOSSES it has failed."""
    losses = export.losses + 1
    if losses >= rules.MOST_LOSSES:
        fail(export, LOST, at=at)
        return
    kept = {"state": ExportState.QUEUED, "started_at": None, "written": 0, "step": ""}
    if _running(export).update(**kept, losses=losses):
        log.warning("export %s has lost its worker and is queued again", export.pk)


def _running(export: Export) -> QuerySet[Export]:
    """Find the export as long as it runs since it was taken, and not since somebody else did."""
    return Export.objects.filter(
        pk=export.pk, state=ExportState.RUNNING, started_at=export.started_at
    )
