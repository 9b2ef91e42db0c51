"""The last signed head of each hall's journal, as the RNG's process remembers it in its own folder.

Whoever rewrites the database and the files beside the key has not yet reached this one. It is given
by what it replaces, so that nobody sets it back by the way.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
from pathlib import Path

NAME = re.compile(r"[-a-zA-Z0-9_@]{1,120}")
LONGEST = 3_000  # bytes of a note


class Heads:
    """Files in a folder, one a hall."""

    def __init__(self, folder: Path) -> None:
        """Keep them in a folder that is made when the first one is kept."""
        self._folder, self._lock = folder, threading.Lock()

    def read(self, name: str) -> str:
        """Return the note that was kept last, nothing where none was. Raises OSError, ValueError."""
        try:
            return self._file(name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def replace(self, name: str, note: str, *, before: str) -> bool:
        """Keep a note in the place of the one named, flushed; False where another one is there.

        `before` is the SHA-256 of the note that is to be replaced. That one stays beside it.
        """
        if not 0 < len(note.encode()) <= LONGEST:
            raise ValueError("note")
        with self._lock:
            kept = self.read(name)
            if kept == note:
                return True
            if digest(kept) != before:
                return False
            self._folder.mkdir(mode=0o700, exist_ok=True)
            if kept:
                self._write(self._file(f"{name}@before"), kept)
            self._write(self._file(name), note)
            return True

    def _file(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise ValueError("name")
        return self._folder / name

    def _write(self, file: Path, content: str) -> None:
        descriptor, made = tempfile.mkstemp(dir=self._folder, prefix=".")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            Path(made).replace(file)
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        finally:
            Path(made).unlink(missing_ok=True)


def digest(note: str) -> str:
    """Return the SHA-256 by which a note is named that is to be replaced."""
    return hashlib.sha256(note.encode()).hexdigest()
