"""Open a file that somebody named, only if it is one: a pipe would be waited for without end.

One that is written is there whole, or as it was before: it is written anew in a place aside, and
moved when it is whole.
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
        raise _not_plain(path)
    return file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


PRIVATE = 0o600  # for its owner only


@contextmanager
def written_anew(place: Path, *, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """Return a new file at a place; it is deleted if its writing breaks off.

    `mode` is who may read it, less what the process masks: its owner only. Raises OSError.
    """
    # What a killed worker left may still be open somewhere: a new file, never the same one.
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
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


@contextmanager
def written_whole(path: Path, *, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Return a new file to write bytes, which takes its place once it is whole on the disk.

    `mode` is who may read it, less what the process masks. Raises OSError, also for a folder, pipe
    or device.
    """
    target = _target(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    with written_anew(part, mode=mode) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
        move(file, part, target)


def require_writable(path: Path) -> None:
    """Find out before any work that `written_whole` cannot write a file. Raises OSError."""
    folder = _target(path).parent
    folder.stat()
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _target(path: Path) -> Path:
    """Return what is renamed over: a link is followed. Raises OSError for what is no plain file.

    Over a device or a pipe, renaming would put a plain file in its place.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise _not_plain(path)
    return target


def _not_plain(path: Path) -> OSError:
    return OSError(0, "it is no plain file", str(path))
