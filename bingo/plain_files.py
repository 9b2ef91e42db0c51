"""Open a file that somebody named, only if it is one: a pipe would be waited for without end.

A file that takes long is written anew in a place aside, and moved when it is whole.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def opened(path: Path) -> BinaryIO:
    """Return a file opened to read bytes. Raises OSError, also for a folder, pipe or device."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  the caller closes it
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(0, "it is no plain file", str(path))
    return file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


PRIVATE = 0o600


@contextmanager
def written_anew(place: Path) -> Iterator[BinaryIO]:
    """Return a new file at a place, for its owner only; it is deleted if its writing breaks off.

    Raises OSError.
    """
    # What a killed worker left may still be open somewhere: a new file, never the same one.
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    ours = os.fstat(descriptor)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
    except BaseException:
        if _is_at(place, ours):
            place.unlink(missing_ok=True)
        raise


def move(file: BinaryIO, place: Path, to: Path) -> None:
    """Give the file written anew at a place its name. Raises OSError, also where it is not there any more."""
    file.flush()
    if not _is_at(place, os.fstat(file.fileno())):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))
    place.replace(to)


def _is_at(place: Path, ours: os.stat_result) -> bool:
    """Return whether a place still holds a file, and not another's who took this worker for dead."""
    try:
        return os.path.samestat(ours, place.stat())
    except FileNotFoundError:
        return False
