"""The pictures of balls, kept under their SHA-256: written aside, then put in place whole."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from bingo.rules.refusal import Refusal
from draws.queries import pictures

LARGEST = 500_000  # bytes; a ball's picture has some twenty thousand
BEGINS, ENDS = b"\xff\xd8\xff", b"\xff\xd9"  # of a JPEG
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def keep(picture: bytes) -> str:
    """Keep a JPEG, once, and give its SHA-256 in hex.

    Whoever writes the digest down calls this first: a file without a row is nothing, a row without
    a file is a picture lost. Raises Refusal bad_picture, OSError.
    """
    if len(picture) > LARGEST or not (picture.startswith(BEGINS) and picture.endswith(ENDS)):
        raise Refusal("bad_picture")
    digest = hashlib.sha256(picture).hexdigest()
    place = pictures.path(digest)
    if not _is_whole(place, len(picture)):
        _write(place, picture)
    return digest


def _is_whole(place: Path, size: int) -> bool:
    try:
        return place.stat().st_size == size
    except FileNotFoundError:
        return False


def _write(place: Path, picture: bytes) -> None:
    place.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    aside = place.with_name(f".{place.name}.{uuid4().hex}")
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as out:
            out.write(picture)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(place)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
