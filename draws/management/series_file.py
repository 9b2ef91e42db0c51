"""A series' file on disk: read without trust, written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from django.core.management.base import CommandError

LARGEST = 256 * 2**20
UNREADABLE = 2  # exit code


def read(file: Path) -> str:
    """Give a file's text. Raises CommandError (exit code 2) in one plain line.

    Refuses what is no plain file, is larger than `LARGEST` bytes (before reading any) or is not
    UTF-8.
    """
    try:
        # A pipe that nobody writes to would be waited for without end.
        opened = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(opened, "rb") as stream:
            told = os.fstat(opened)
            if not stat.S_ISREG(told.st_mode):
                raise _unreadable(file, "it is no plain file")
            if told.st_size > LARGEST:
                raise _unreadable(file, f"it is larger than {LARGEST >> 20} MiB")
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise _unreadable(file, str(error.strerror)) from error
    if len(data) > LARGEST:
        raise _unreadable(file, f"it is larger than {LARGEST >> 20} MiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _unreadable(file, f"byte {error.start + 1} is not UTF-8") from error


def write(file: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole, or as it was before. Raises CommandError."""
    data = content.encode() if isinstance(content, str) else content
    # A link is followed, and only then is the file beside it renamed over it.
    target = Path(os.path.realpath(file))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _require_plain(file, target)
        with part.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def _require_plain(file: Path, target: Path) -> None:
    """Refuse a device or a pipe: renaming over it would put a plain file in its place."""
    if target.exists() and not target.is_file():
        raise CommandError(f"{file} cannot be written: it is no plain file")


def _unreadable(file: Path, why: str) -> CommandError:
    return CommandError(f"{file} cannot be read: {why}", returncode=UNREADABLE)
