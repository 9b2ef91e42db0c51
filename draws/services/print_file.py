"""The private file of a print: written aside, then put in its place whole, or not at all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from draws.models import PrintJob
from draws.queries import prints

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def part(job: PrintJob) -> Path:
    """Give the place where a print is drawn until it is whole."""
    place = prints.path(job)
    return place.with_name(f"{place.name}.part")


@contextmanager
def drawn(job: PrintJob) -> Iterator[BinaryIO]:
    """Give a new file to draw a print into, for its owner only; it is deleted if that breaks off.

    Raises OSError.
    """
    place = part(job)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.parent.chmod(PRIVATE_FOLDER)
    # What a killed worker left may still be open somewhere: a new file, never the same one.
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    ours = os.fstat(descriptor)
    try:
        with os.fdopen(descriptor, "w+b") as out:
            yield out
    except BaseException:
        # By now the place may hold the file of another worker, who took this one for dead.
        with suppress(FileNotFoundError):
            if os.path.samestat(ours, place.stat()):
                place.unlink()
        raise


def digest(out: BinaryIO) -> str:
    """Force what was drawn onto the disk, and give its SHA-256 in hex."""
    out.flush()
    os.fsync(out.fileno())
    out.seek(0)
    return hashlib.file_digest(out, "sha256").hexdigest()  # type: ignore[arg-type]


def put(job: PrintJob) -> None:
    """Give the drawn file its name, durably."""
    place = prints.path(job)
    part(job).replace(place)
    folder = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def discard(job: PrintJob) -> None:
    """Delete whatever there is of a print that will never be done."""
    for place in (part(job), prints.path(job)):
        with suppress(OSError):
            place.unlink()
