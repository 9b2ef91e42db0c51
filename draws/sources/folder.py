"""The folder of the RNG's socket: its owner's alone, and reached by a name of any length."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOCKET = "socket"


class NotPrivate(OSError):
    """Somebody else can reach into the folder."""


def make(folder: Path) -> None:
    """Make the folder, mode 0700; one that is there must be so already. Raises NotPrivate."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with address(folder):
        pass


@contextmanager
def address(folder: Path) -> Iterator[str]:
    """Give the socket's name while the block runs. Raises NotPrivate, FileNotFoundError.

    A socket's name has a hundred bytes at most, a folder's has not: it is reached by a descriptor,
    which also leaves nobody a moment to put another folder in its place.
    """
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) != 0o700:
            raise NotPrivate(f"{folder} must belong to the hall's user alone: mode 0700")
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)
