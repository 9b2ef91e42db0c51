"""The keys that hash documents at a hall's door: one file a version, outside the database."""

from __future__ import annotations

import secrets
from pathlib import Path

from bingo import note_keys
from bingo.rules.refusal import Refusal

SIZE = 32  # bytes


def file(folder: Path, *, version: int) -> Path:
    """Return where the key of a version lies."""
    return folder / f"key-{version}.hex"


def ensure(folder: Path, *, version: int) -> bytes:
    """Return the key of a version, made if it is not there; of two who do so at once both use one.

    Raises Refusal document_key_missing where it can be neither read nor written.
    """
    place = file(folder, version=version)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        note_keys.keep(place, secrets.token_hex(SIZE).encode() + b"\n")
    except OSError as error:
        raise Refusal("document_key_missing", file=str(place)) from error
    return read(folder, version=version)


def read(folder: Path, *, version: int) -> bytes:
    """Return the key of a version. Raises Refusal document_key_missing."""
    place = file(folder, version=version)
    try:
        key = bytes.fromhex(place.read_text("ascii"))
    except (OSError, ValueError) as error:
        raise Refusal("document_key_missing", file=str(place)) from error
    if len(key) != SIZE:
        raise Refusal("document_key_missing", file=str(place))
    return key
