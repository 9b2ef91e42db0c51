"""An archive of a hall's record written to a file: sorted, dated the same always, signed at its end."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.db import connection, transaction

from bingo.pdf import detached, keys
from bingo.rules.refusal import Refusal
from draws.queries import seals
from draws.queries.archive import contents
from draws.queries.archive.contents import Part
from draws.queries.archive.opened import AUTHORITY, MANIFEST, SEAL, SIGNATURE, VERSION
from draws.queries.archive.sheets import Period
from halls.models import Hall

EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that a ZIP can tell
PRIVATE = 0o600

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


def export(
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
    archive appears whole or not at all, for its owner only. Raises Refusal bad_period; SealError
    when the key cannot be used; OSError.
    """
    if first > last:
        raise Refusal("bad_period")
    key = seals.signing_key(hall, at=at)
    with _snapshot(), _aside(out) as file:
        known = Hall.objects.get(pk=hall.pk)
        period = Period(known, first, last)
        found = [*contents.parts(period, with_pictures=with_pictures), *_certificates(key)]
        listed = _write(file, sorted(found, key=lambda part: part.name), progress, writing)
        writing(MANIFEST)
        manifest = _manifest(period, listed, with_pictures=with_pictures)
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
            _add(archive, MANIFEST, iter([manifest]))
            _add(archive, SIGNATURE, iter([detached.sign(manifest, key=key)]))
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
    """Give a new private file that takes its place when it is whole."""
    part = out.with_name(f".{out.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
        part.replace(out)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def _certificates(key: keys.SigningKey) -> list[Part]:
    seal, authority = detached.pem(key), key.trust
    return [Part(SEAL, lambda: iter([seal])), Part(AUTHORITY, lambda: iter([authority]))]


def _write(
    file: BinaryIO, parts: list[Part], progress: Progress, writing: Writing
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


def _manifest(period: Period, listed: list[dict[str, Any]], *, with_pictures: bool) -> bytes:
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
