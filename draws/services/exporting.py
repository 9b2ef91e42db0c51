"""The worker's side of an export: written by one worker only, taken up again when that one is killed."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.db import InterfaceError, OperationalError, connections

from bingo.celery_app import later
from bingo.pdf.keys import SealError
from bingo.rules import exports as rules
from bingo.rules.refusal import Refusal
from draws.models import Export, ExportState
from draws.queries import exports
from draws.services import archives, export_record, print_lock
from draws.services.export_record import Stopped

LOOK = 0.5  # seconds between two looks at whether it is still wanted
FULL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
PRIVATE_FOLDER = 0o700

Clock = Callable[[], datetime]

log = logging.getLogger(__name__)


def make(*, export_id: int, clock: Clock) -> None:
    """Write the archive that was asked for, or do nothing when it is not queued or somebody is at it.

    What goes wrong with the writing is recorded as its fault. What goes wrong with the database is
    raised (OperationalError, InterfaceError): the export waits for `revive`.
    """
    with print_lock.held(export_id, locks=print_lock.EXPORTS) as ours:
        export = export_record.claimed(export_id, at=clock()) if ours else None
        if export is None:
            return
        try:
            _write(export, clock=clock)
        except Stopped:
            log.info("export %s was cancelled", export.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            log.exception("export %s", export.pk)
            export_record.fail(export, _fault(error), at=clock())


def revive(*, at: datetime) -> None:
    """Queue again the exports whose worker was killed, and ask again for all that wait."""
    for export in Export.objects.filter(state=ExportState.RUNNING):
        with print_lock.held(export.pk, locks=print_lock.EXPORTS) as nobody_at_it:
            if nobody_at_it:
                export_record.take_back(export, at=at)
    waiting = Export.objects.filter(state=ExportState.QUEUED).order_by("pk")
    for number in waiting.values_list("pk", flat=True):
        later("draws.make_export", export_id=number)


def expire(*, at: datetime) -> None:
    """Remove the archives whose time is over, and what is left of those that will never be done."""
    over = Export.objects.filter(state=ExportState.DONE, expires_at__lte=at)
    over.update(state=ExportState.EXPIRED)
    # What lies there is looked at first: whatever begins after that is not among it.
    there = [place for place in exports.folder().glob("*.zip*") if place.is_file()]
    there += [place for place in exports.folder().glob(".*.zip.part") if place.is_file()]
    for place in there:
        number = place.name.lstrip(".").partition(".")[0]
        if number.isdecimal():
            with suppress(OSError):
                if _is_over(Export.objects.filter(pk=number).first(), place, at=at):
                    place.unlink()


def _is_over(export: Export | None, place: Path, *, at: datetime) -> bool:
    """Tell whether nobody may take a file any more; one of a database that is gone is only old."""
    if export is None:
        return datetime.fromtimestamp(place.stat().st_mtime, UTC) <= at - rules.KEPT
    return export.state in (ExportState.CANCELLED, ExportState.FAILED, ExportState.EXPIRED)


def _write(export: Export, *, clock: Clock) -> None:
    place = exports.path(export)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.parent.chmod(PRIVATE_FOLDER)
    with _telling(export) as (progress, writing):
        done = archives.export(
            hall=export.hall, first=export.first, last=export.last, out=place,
            with_pictures=export.pictures, at=clock(), progress=progress, writing=writing,
        )  # fmt: skip
    try:
        export_record.finish(export, size=done.size, digest=done.digest, at=clock())
    except Stopped:
        place.unlink(missing_ok=True)
        raise


@contextmanager
def _telling(
    export: Export,
) -> Iterator[tuple[archives.Progress, archives.Writing]]:
    """Give functions that tell how far the archive is, and raise Stopped when it was cancelled.

    All is read within one transaction that only reads: it is told by another connection.
    """
    told, standing = time.monotonic() - LOOK, [0, 0]

    def progress(done: int, total: int) -> None:
        standing[:] = [done, total]

    def writing(name: str) -> None:
        nonlocal told
        if time.monotonic() - told < LOOK:
            return
        told = time.monotonic()
        written, files = standing
        step = rules.step(name)
        beside.submit(
            export_record.tell, export, written=written, files=files, step=step
        ).result()  # fmt: skip

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="export") as beside:
        try:
            yield progress, writing
        finally:
            beside.submit(connections.close_all).result()


def _fault(error: Exception) -> str:
    """Give the code of what went wrong."""
    if isinstance(error, Refusal):
        return error.code
    if isinstance(error, SealError):
        return "export_not_signed"
    if isinstance(error, OSError):
        return "export_disk_full" if error.errno in FULL else "export_not_written"
    return "export_failed"
