"""The last head that was signed, kept beside the key: whoever rewrites a database does not reach it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bingo.note_keys import flush
from bingo.rules.refusal import Refusal

NAME = "head"


def read(folder: Path) -> str | None:
    """Give the note of the last head signed, or None before the first.

    Raises Refusal checkpoint_key_unreadable.
    """
    try:
        return (folder / NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error


def write(folder: Path, note: str) -> None:
    """Put another note in the place of the last, whole or not at all.

    Raises Refusal checkpoint_key_unreadable.
    """
    try:
        descriptor, made = tempfile.mkstemp(dir=folder, prefix=".")
        try:
            with os.fdopen(descriptor, "wb") as out:
                out.write(note.encode())
                out.flush()
                os.fsync(out.fileno())
            Path(made).replace(folder / NAME)
            flush(folder)
        finally:
            Path(made).unlink(missing_ok=True)
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error
