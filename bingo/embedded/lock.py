"""Advisory locks on files: the kernel lets go of them however their holder dies."""

import fcntl
import os
import time
from pathlib import Path

from bingo.embedded.error import EmbeddedError

PAUSE = 0.05  # seconds between two tries


def shared(path: Path, *, seconds: float) -> int:
    """A shared lock on `path`, as a descriptor to keep open.

    Raises EmbeddedError when it is not had within `seconds`.
    """
    return _take(path, fcntl.LOCK_SH, seconds)


def exclusive(path: Path, *, seconds: float) -> int:
    """An exclusive lock on `path`, as a descriptor to keep open.

    Raises EmbeddedError when it is not had within `seconds`.
    """
    return _take(path, fcntl.LOCK_EX, seconds)


def is_held(path: Path) -> bool:
    """Whether somebody holds an exclusive lock on `path`."""
    descriptor = _open(path)
    try:
        return not _try(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def if_free(path: Path) -> int | None:
    """An exclusive lock on `path` as a descriptor, or None when anybody holds one."""
    descriptor = _open(path)
    if _try(descriptor, fcntl.LOCK_EX):
        return descriptor
    os.close(descriptor)
    return None


def _take(path: Path, kind: int, seconds: float) -> int:
    descriptor = _open(path)
    until = time.monotonic() + seconds
    while not _try(descriptor, kind):
        if time.monotonic() > until:
            os.close(descriptor)
            raise EmbeddedError(
                f"{path} has been locked by another process for {seconds:.0f} seconds:"
                f" see {path.parent / 'supervisor.log'}."
            )
        time.sleep(PAUSE)
    return descriptor


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
