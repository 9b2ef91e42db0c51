"""The last head that was signed, kept beside the key: whoever rewrites a database does not reach it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from bingo.note_keys import flush, keep
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


def put_aside(folder: Path, *, number: int) -> Path:
    """Keep a copy of the last head under the number of its entry, never over another.

    Raises Refusal checkpoint_key_unreadable.
    """
    content = read(folder)
    aside = folder / f"{NAME}-{number}"
    try:
        if content is not None and not keep(aside, content.encode()):
            aside = folder / f"{NAME}-{number}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
            keep(aside, content.encode())
    except OSError as error:
        raise Refusal("checkpoint_key_unreadable", folder=str(folder)) from error
    return aside


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
