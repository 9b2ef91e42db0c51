"""Open a file that somebody named, only if it is one: a pipe would be waited for without end."""

from __future__ import annotations

import os
import stat
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
