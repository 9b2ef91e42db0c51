"""Write an archive of a hall's record to a file: sorted, dated the same always, signed at its end.

The worker's side too: each export is written by one worker only, and taken up again when that one
is killed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
import stat
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.db import InterfaceError, OperationalError, connection, connections, transaction

from bingo import plain_files
from bingo.celery_app import later
from bingo.pdf import SealError, verdict
from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal
from draws.cards import prints
from draws.models import Export, ExportState
from draws.record import seal_queries
from draws.record.archive import contents, queue
from draws.record.archive.reading import AUTHORITY, MANIFEST, SEAL, SIGNATURE, VERSION
from draws.record.archive.sheets import ArchivePeriod
from halls.models import Hall

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP can tell
PRIVATE = 0o600  # as an archive's own list says of what it holds
SHARED = 0o640  # the pages hand out what another user has written, in a folder of their group

Progress = Callable[[int, int], None]
Writing = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Written:
    """What an archive came to: files in it, bytes of it, its SHA-256, and the journal's head."""

    files: int
    size: int
    digest: str
    head: str
    entries: int


def export_archive(
    *,
    hall: Hall,
    first: date,
    last: date,
    out: Path,
    with_pictures: bool,
    at: datetime,
    progress: Progress = lambda _done, _total: None,
    writing: Writing = lambda _name: None,
) -> Written:
    """Write the archive of a hall as of this moment, with tables of the days `first` to `last`.

    `writing` is told the name of a file at every block of it, and ends it all by raising. The
    archive appears whole or not at all, for its owner only. Raises Refusal: bad_input, bad_period; SealError
    when the key cannot be used; OSError.
    """
    actas_after_sealing.require_period(first=first, last=last)
    key = seal_queries.signing_key(hall, at=at)
    with _snapshot(), _aside(out) as file:
        known = Hall.objects.get(pk=hall.pk)
        period = ArchivePeriod(known, first, last)
        found = [
            *contents.parts(period, with_pictures=with_pictures),
            contents.given(SEAL, verdict.pem(key)),
            contents.given(AUTHORITY, key.trust),
        ]
        listed = _write_archive(file, sorted(found, key=lambda part: part.name), progress, writing)
        writing(MANIFEST)
        manifest = _manifest(period, listed, with_pictures=with_pictures)
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, MANIFEST, iter([manifest]))
            _add(archive, SIGNATURE, iter([verdict.sign_detached(manifest, key=key)]))
        file.flush()
        os.fsync(file.fileno())
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        size = file.seek(0, os.SEEK_END)
    return Written(len(listed) + 2, size, digest, known.head_digest, known.head_number)


@contextmanager
def _snapshot() -> Iterator[None]:
    """Read everything as of one moment: people may go on working meanwhile."""
    alone = not connection.in_atomic_block
    with transaction.atomic():
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _aside(out: Path) -> Iterator[BinaryIO]:
    """Return a new private file that takes its place when it is whole."""
    part = out.with_name(f".{out.name}.part")
    with plain_files.written_anew(part) as file:
        yield file
        if out.parent.stat().st_mode & stat.S_ISGID:
            os.fchmod(file.fileno(), SHARED)
        plain_files.move(file, part, out)


def _write_archive(
    file: BinaryIO, parts: list[contents.ArchiveFile], progress: Progress, writing: Writing
) -> list[dict[str, Any]]:
    listed = []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, part in enumerate(parts, start=1):
            listed.append(_add(archive, part.name, part.read(), writing))
            progress(done, len(parts))
    return listed


def _add(
    archive: zipfile.ZipFile,
    name: str,
    content: Iterator[bytes],
    writing: Writing = lambda _name: None,
) -> dict[str, Any]:
    """Write one file and give its line of the manifest."""
    info = zipfile.ZipInfo(name, date_time=EPOCH)
    info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
    info.external_attr = PRIVATE << 16
    digest, size = hashlib.sha256(), 0
    with archive.open(info, "w", force_zip64=True) as opened:
        for block in content:
            writing(name)
            opened.write(block)
            digest.update(block)
            size += len(block)
    return {"name": name, "size": size, "sha256": digest.hexdigest()}


def _manifest(period: ArchivePeriod, listed: list[dict[str, Any]], *, with_pictures: bool) -> bytes:
    hall = period.hall
    value = {
        "archive": VERSION,
        "hall": {
            "code": hall.code, "name": hall.name, "licence": hall.licence,
            "currency": hall.currency, "time_zone": hall.time_zone, "rulebook": hall.rulebook,
            **({"training": True} if hall.is_training else {}),
        },
        "period": {"first": period.first.isoformat(), "last": period.last.isoformat()},
        "journal": {
            "entries": hall.head_number,
            "head": hall.head_digest,
            "at": hall.head_at.isoformat() if hall.head_at else None,
        },
        "pictures": with_pictures,
        "files": listed,
    }  # fmt: skip
    return (json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


LOOK = 0.5  # seconds between two looks at whether it is still wanted
FULL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
PRIVATE_FOLDER = 0o700

Clock = Callable[[], datetime]

log = logging.getLogger(__name__)


def make_export(*, export_id: int, clock: Clock) -> None:
    """Write the archive that was asked for, or do nothing when it is not queued or somebody is at it.

    What goes wrong with the writing is recorded as its fault. What goes wrong with the database is
    raised (OperationalError, InterfaceError): the export waits for `revive`.
    """
    with prints.print_lock(export_id, locks=prints.EXPORTS) as ours:
        export = queue.claimed(export_id, at=clock()) if ours else None
        if export is None:
            return
        try:
            _write_export(export, clock=clock)
        except queue.ExportStopped:
            log.info("export %s was cancelled", export.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            log.exception("export %s", export.pk)
            queue.fail_export(export, _fault(error), at=clock())


def revive(*, at: datetime) -> None:
    """Queue again the exports whose worker was killed, and ask again for all that wait."""
    for export in Export.objects.filter(state=ExportState.RUNNING):
        with prints.print_lock(export.pk, locks=prints.EXPORTS) as nobody_at_it:
            if nobody_at_it:
                queue.take_back(export, at=at)
    waiting = Export.objects.filter(state=ExportState.QUEUED).order_by("pk")
    for number in waiting.values_list("pk", flat=True):
        later("draws.make_export", export_id=number)


def expire(*, at: datetime) -> None:
    """Remove the archives whose time is over, and what is left of those that will never be done."""
    over = Export.objects.filter(state=ExportState.DONE, expires_at__lte=at)
    over.update(state=ExportState.EXPIRED)
    # What lies there is looked at first: whatever begins after that is not among it.
    there = [place for place in queue.folder().glob("*.zip*") if place.is_file()]
    there += [place for place in queue.folder().glob(".*.zip.part") if place.is_file()]
    for place in there:
        number = place.name.lstrip(".").partition(".")[0]
        if number.isdecimal():
            with suppress(OSError):
                if _is_over(Export.objects.filter(pk=number).first(), place, at=at):
                    place.unlink()


def _is_over(export: Export | None, place: Path, *, at: datetime) -> bool:
    """Return whether nobody may take a file any more; one of a database that is gone is only old."""
    if export is None:
        return datetime.fromtimestamp(place.stat().st_mtime, UTC) <= at - actas_after_sealing.KEPT
    return export.state in (ExportState.CANCELLED, ExportState.FAILED, ExportState.EXPIRED)


def _write_export(export: Export, *, clock: Clock) -> None:
    place = queue.export_list_path(export)
    place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    with _telling(export) as (progress, writing):
        done = export_archive(
            hall=export.hall, first=export.first, last=export.last, out=place,
            with_pictures=export.pictures, at=clock(), progress=progress, writing=writing,
        )  # fmt: skip
    try:
        queue.finish_export(export, size=done.size, digest=done.digest, at=clock())
    except queue.ExportStopped:
        # Where another worker has taken it up, the place is that one's.
        if Export.objects.filter(pk=export.pk, state=ExportState.CANCELLED).exists():
            place.unlink(missing_ok=True)
        raise


@contextmanager
def _telling(export: Export) -> Iterator[tuple[Progress, Writing]]:
    """Return functions that tell how far the archive is, and raise Stopped when it was cancelled.

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
        step = actas_after_sealing.step(name)
        beside.submit(
            queue.record_export_progress, export, written=written, files=files, step=step
        ).result()  # fmt: skip

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="export") as beside:
        try:
            yield progress, writing
        finally:
            beside.submit(connections.close_all).result()


def _fault(error: Exception) -> str:
    """Return the code of what went wrong."""
    if isinstance(error, Refusal):
        return error.code
    if isinstance(error, SealError):
        return "export_not_signed"
    if isinstance(error, OSError):
        return "export_disk_full" if error.errno in FULL else "export_not_written"
    return "export_failed"
